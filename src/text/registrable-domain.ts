import { getDomain, parse } from 'tldts';

/**
 * The registrable part of a host name by the public suffix list (docs.apple.com → apple.com, shop.example.com.cn →
 * example.com.cn). Suffixes that companies lend out are none: somebody.github.io is github.io.
 *
 * In: a host name, any case; out: lower case; an address, a single label or a bare suffix comes back as it is.
 */
export function registrableDomain(host: string): string {
  return getDomain(host) ?? host.toLowerCase().replace(/\.$/, '');
}

/** The host of an http(s) URL in lower case without port, or null. */
export function hostOf(url: string): string | null {
  const match = /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url);
  return match === null ? null : match[1]!.toLowerCase();
}

const hostShape = /^((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}))(?:[/?#:]\S*)?$/i;
/** Suffixes of countries and companies that are more often endings of file names. */
const fileEnding = /^(?:md|mov|pl|ps|py|rs|zip)$/i;

/**
 * `example.com`, `www.36kr.com/p/1`: a host of at least two labels under a known suffix. A missing space behind a full
 * stop makes none ("Kimi.It is fast").
 */
export function looksLikeHost(word: string): boolean {
  const match = hostShape.exec(word);
  if (match === null) return false;
  const [, host, ending] = match;
  if (fileEnding.test(ending!) || /^[A-Z][a-z]/.test(ending!)) return false;
  const { isIcann, domain } = parse(host!);
  return isIcann === true && domain !== null;
}

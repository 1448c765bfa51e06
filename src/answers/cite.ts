import { hostOf, looksLikeHost, registrableDomain } from '../text/registrable-domain.ts';
import type { CompiledBrands } from './compile-brands.ts';
import type { Doc } from './read-markdown.ts';

/** A source as the platform delivered it beside the text. */
export interface Source {
  readonly url: string;
  readonly title?: string | null | undefined;
}

export interface Citation {
  readonly url: string;
  /** Registrable domain, null where the URL has no host. */
  readonly domain: string | null;
  /** The brand whose domain it is. */
  readonly owned_by: string | null;
  /** The mark by which the text refers to it. */
  readonly marker: string | null;
}

export interface CitationFindings {
  readonly citations: Citation[];
  /** True with any link or source; null when marks point to sources that were not delivered, or no search was made. */
  readonly hasCitation: boolean | null;
}

const groundingHost = 'vertexaisearch.cloud.google.com';
/** `…google.com/url?q=https://…`, `link.zhihu.com/?target=https%3A//…`: an address that names the one it leads to. */
const redirect =
  /^https?:\/\/(?:link\.[^/?#]+\/|[^/?#]+\/(?:url|link|redirect|jump|goto)(?=[?/]))[^?#]*\?(?:[^#]*&)?(?:q|u|url|to|target)=(https?(?::|%3a)[^&#]+)/i;

/**
 * Collects inline links, bare URLs and delivered sources, each URL once. Numbers in the text point to delivered sources
 * by position, counted from 1.
 */
export function readSources(
  doc: Doc,
  sources: readonly Source[] | undefined,
  searched: boolean | undefined,
  compiled: CompiledBrands,
): CitationFindings {
  const citations = new Map<string, Citation>();
  const used = new Set(doc.markers.flatMap((marker) => marker.labels));
  const add = (url: string, title: string | null, marker: string | null) => {
    const known = citations.get(url);
    if (known === undefined) citations.set(url, { url, ...ownerOf(url, title, compiled), marker });
    else if (known.marker === null && marker !== null) citations.set(url, { ...known, marker });
  };
  for (const link of doc.links) add(link.url, null, link.marker);
  sources?.forEach((source, i) => {
    add(source.url, source.title ?? null, used.has(String(i + 1)) ? String(i + 1) : null);
  });
  const isUnknown = doc.markers.length > 0 || searched === false;
  return { citations: [...citations.values()], hasCitation: citations.size > 0 ? true : isUnknown ? null : false };
}

function ownerOf(
  url: string,
  title: string | null,
  compiled: CompiledBrands,
): { domain: string | null; owned_by: string | null } {
  const host = siteOf(url, title);
  if (host === null) return { domain: null, owned_by: null };
  // A redirect that nobody followed cites whoever stands behind it, not the one who redirects.
  if (host === groundingHost) return { domain: registrableDomain(host), owned_by: null };
  let owner: string | undefined;
  for (let name = host; owner === undefined && name !== ''; name = name.slice(name.indexOf('.') + 1 || name.length)) {
    owner = compiled.brandOfDomain.get(name);
  }
  return { domain: registrableDomain(host), owned_by: owner ?? null };
}

/** The host of the site that is meant; that of the redirector where nothing names the site. */
function siteOf(url: string, title: string | null): string | null {
  const host = hostOf(url) ?? (looksLikeHost(url) ? hostOf(`https://${url}`) : null);
  // Grounding redirects hide the site behind their own host and name it in the title.
  if (host === groundingHost && title !== null && looksLikeHost(title.trim())) return hostOf(`https://${title.trim()}`);
  const target = redirect.exec(url)?.[1];
  return target === undefined ? host : hostOf(target.replaceAll(/%3a/gi, ':').replaceAll(/%2f/gi, '/'));
}

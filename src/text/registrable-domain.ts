/**
 * The registrable part of a host name (docs.apple.com → apple.com, shop.example.com.cn → example.com.cn) and whether a
 * word looks like a host. An approximation of the public suffix list by the second-level suffixes that answers cite;
 * it is wrong for rarer ones (it takes the suffix itself for the domain).
 */
const secondLevel = new Set(
  (
    'com.cn net.cn org.cn gov.cn edu.cn ac.cn co.uk org.uk ac.uk gov.uk me.uk co.jp or.jp ne.jp ac.jp go.jp co.kr or.kr ' +
    'com.hk org.hk edu.hk com.tw org.tw edu.tw gov.tw com.au net.au org.au edu.au gov.au co.nz org.nz com.sg edu.sg com.my ' +
    'co.in org.in ac.in com.br org.br com.mx com.ar com.tr co.za co.il co.id co.th com.vn com.ph com.ua'
  ).split(' '),
);

/** In: a host name, any case; out: lower case, without `www.`; an address or a single label comes back as it is. */
export function registrableDomain(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (/^[\d.]+$|:/.test(name)) return name;
  const labels = name.split('.');
  const keep = secondLevel.has(labels.slice(-2).join('.')) ? 3 : 2;
  return labels.slice(-keep).join('.');
}

/** The host of an http(s) URL in lower case without port, or null. */
export function hostOf(url: string): string | null {
  const match = /^(?:https?:)?\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url);
  return match === null ? null : match[1]!.toLowerCase();
}

/** `example.com`, `www.36kr.com/p/1`: a host of at least two labels that ends in a plausible top-level domain. */
export function looksLikeHost(word: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:com|cn|net|org|io|ai|dev|app|co|so|us|uk|jp|kr|de|fr|es|eu|tv|me|cc|info|biz|top|xyz|edu|gov|hk|tw|sg|in|gg|sh|tech|cloud|site|online|store)(?:[/?#:]\S*)?$/i.test(
    word,
  );
}

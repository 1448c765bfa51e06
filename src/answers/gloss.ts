import type { AliasHit } from './scan.ts';

/** Names in brackets directly behind a name explain it; longer brackets are remarks. In UTF-16 units. */
const MAX_GLOSS = 40;
const opening = /^[\s*_`"”’」』》]{0,4}[（(［【〔]/;

/**
 * Says of each hit, asked in order of position, whether it stands in a bracket that directly follows another name of the
 * same brand: 豆包（Doubao，字节跳动出品） is one mention.
 */
export function glossedBy(text: string): (hit: AliasHit) => boolean {
  const open = new Map<number, { until: number; alias: string }>();
  return (hit) => {
    const bracket = open.get(hit.brand);
    if (bracket !== undefined && hit.start < bracket.until) return hit.alias.text !== bracket.alias;
    const after = opening.exec(text.slice(hit.end, hit.end + 6));
    if (after !== null) {
      const from = hit.end + after[0].length;
      const inner = text.slice(from, from + MAX_GLOSS);
      const end = inner.search(/[）)］】〕\n]/);
      // A text that was cut off within the bracket ends it, too.
      const close = end === -1 && from + inner.length === text.length ? inner.length : end;
      if (close > 0) open.set(hit.brand, { until: from + close, alias: hit.alias.text });
    }
    return false;
  };
}

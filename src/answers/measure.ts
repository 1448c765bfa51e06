import { type CitationFindings, readSources, type Source } from './cite.ts';
import type { CompiledBrands } from './compile-brands.ts';
import type { Mention, PlacedCue } from './mention.ts';
import { type ListFindings, readInlineLists, readLists } from './rank-lists.ts';
import { readTables } from './rank-tables.ts';
import { readWording } from './rank-text.ts';
import type { Doc } from './read-markdown.ts';
import type { Recognition } from './recognise.ts';
import { readRecommendations, type Wording } from './recommend.ts';
import { firstLine, lastLine, toneOfQuery, tonesOf } from './tone.ts';

export interface BrandMeasures {
  readonly brand_name: string;
  readonly is_mentioned: boolean;
  readonly mention_count: number;
  /** Null where the wording contradicts itself or negates twice. */
  readonly is_recommended: boolean | null;
  readonly recommendation_rank: number | null;
  readonly rank_source: 'ordered_list' | 'table' | 'explicit_text' | null;
  /** The tier that the answer puts the brand in (第一梯队, Tier 1). */
  readonly rank_band: string | null;
}

export interface Measures extends CitationFindings {
  /** One for each configured brand, in their order. */
  readonly brands: BrandMeasures[];
}

export interface MeasureContext {
  readonly queryText: string;
  readonly sceneType?: string | undefined;
  readonly sources?: readonly Source[] | undefined;
  readonly searched?: boolean | undefined;
}

/** Measures every configured brand in a recognised answer. */
export function measure(
  doc: Doc,
  recognition: Recognition,
  compiled: CompiledBrands,
  context: MeasureContext,
): Measures {
  const { mentions, cues } = recognition;
  const cited = readSources(doc, context.sources, context.searched, compiled);
  if (mentions.length === 0) return { ...cited, brands: compiled.brands.map((brand) => unmentioned(brand.name)) };
  const byBlock = groupByBlock(mentions);
  const asked = toneOfQuery(context.queryText, context.sceneType);
  const tones = tonesOf(doc, asked);
  const findings = readLists(doc, byBlock, tones);
  readInlineLists(doc, byBlock, tones, findings);
  readTables(doc, byBlock, tones, context.queryText, findings);
  readWording(doc, mentions, cues, findings);
  const wording = readRecommendations(doc, mentions, cues, asked === 'recommend');
  const bands = readBands(doc, mentions);
  for (const brand of brandsOfAdvisedBands(doc, bands, cues)) wording.for.add(brand);
  const counts = new Map<number, number>();
  for (const { brand } of mentions) counts.set(brand, (counts.get(brand) ?? 0) + 1);
  const brands = compiled.brands.map(({ name }, index) => {
    const count = counts.get(index);
    if (count === undefined) return unmentioned(name);
    return { ...decide(name, index, findings, wording), mention_count: count, rank_band: bands.get(index) ?? null };
  });
  return { ...cited, brands };
}

function unmentioned(name: string): BrandMeasures {
  return {
    brand_name: name,
    is_mentioned: false,
    mention_count: 0,
    is_recommended: false,
    recommendation_rank: null,
    rank_source: null,
    rank_band: null,
  };
}

/**
 * An explicit word against a brand outweighs the place that it happens to have in a list; against an explicit word for
 * it stands undecided. A place in a ranking, or among what a list recommends, recommends.
 */
function decide(
  name: string,
  brand: number,
  findings: ListFindings,
  wording: Wording,
): Omit<BrandMeasures, 'mention_count' | 'rank_band'> {
  const place = findings.places.find((candidate) => candidate.brand === brand);
  const isPraised = wording.for.has(brand);
  const isRejected = wording.against.has(brand) || findings.avoided.has(brand);
  const isListed = place !== undefined || findings.listed.has(brand);
  const found = { brand_name: name, is_mentioned: true };
  if (isRejected && !isPraised)
    return { ...found, is_recommended: false, recommendation_rank: null, rank_source: null };
  const isUndecided = isRejected || (wording.unclear.has(brand) && !isPraised && !isListed);
  return {
    ...found,
    is_recommended: isUndecided ? null : isPraised || isListed,
    recommendation_rank: place?.rank ?? null,
    rank_source: place?.source ?? null,
  };
}

function groupByBlock(mentions: readonly Mention[]): Map<number, Mention[]> {
  const groups = new Map<number, Mention[]>();
  for (const mention of mentions) {
    const group = groups.get(mention.block);
    if (group === undefined) groups.set(mention.block, [mention]);
    else group.push(mention);
  }
  return groups;
}

const band = /第[一二三四五]梯队|T[0-5](?=[\s：:级梯（(]|$)|[SABCD]\+?级|Tier\s?[1-5SABCD]\b/g;

/** The last tier named before the brand in its line, else by the item above, else by the line or heading above. */
function readBands(doc: Doc, mentions: readonly Mention[]): Map<number, string> {
  const bands = new Map<number, string>();
  if (!/梯队|Tier|T[0-5]|[SABCD]\+?级/.test(doc.text)) return bands;
  const leads = leadsOf(doc);
  for (const mention of mentions) {
    const block = doc.blocks[mention.block];
    if (block === undefined || bands.has(mention.brand)) continue;
    const line = doc.text.slice(Math.max(block.start, mention.start - 80), mention.start);
    const parent = doc.blocks[block.parent];
    const lead = doc.blocks[leads[mention.block]!];
    const heading = doc.blocks[block.heading];
    const places = [
      line,
      parent === undefined ? '' : firstLine(doc, parent),
      lead === undefined ? '' : lastLine(doc, lead),
      heading === undefined ? '' : firstLine(doc, heading),
    ];
    const found = places.map((place) => place.match(band)?.at(-1)).find((tier) => tier !== undefined);
    if (found !== undefined) bands.set(mention.brand, found);
  }
  return bands;
}

/** The brands of the tiers that the answer advises to take from (建议先从第一梯队里选). */
function* brandsOfAdvisedBands(
  doc: Doc,
  bands: ReadonlyMap<number, string>,
  cues: readonly PlacedCue[],
): Generator<number> {
  if (bands.size === 0) return;
  for (const { cue, start, end } of cues) {
    if (cue.kind !== 'recommend') continue;
    const before = doc.text
      .slice(Math.max(0, start - ADVICE_REACH), start)
      .split(clauseEnd)
      .at(-1)!;
    const after = doc.text.slice(end, end + ADVICE_REACH).split(clauseEnd)[0]!;
    const advised = new Set(`${before}${after}`.match(band));
    for (const [brand, tier] of bands) if (advised.has(tier)) yield brand;
  }
}

/** How far from the advice a tier may be named, in UTF-16 units. */
const ADVICE_REACH = 12;
const clauseEnd = /[，。；！？,.;!?\n]/;

/** For each block of a list or table the index of the paragraph directly above the list, -1 for none. */
function leadsOf(doc: Doc): Int32Array {
  const leads = new Int32Array(doc.blocks.length).fill(-1);
  doc.blocks.forEach((block, i) => {
    if (i === 0 || (block.kind !== 'item' && block.kind !== 'row')) return;
    leads[i] = doc.blocks[i - 1]!.kind === 'paragraph' ? i - 1 : leads[i - 1]!;
  });
  return leads;
}

import { parseHanNumeral, readOrdinal } from '../text/ordinal.ts';
import { answersOf, subjectsOf } from './list-subject.ts';
import type { Mention } from './mention.ts';
import type { Doc } from './read-markdown.ts';
import { type Tone, toneOfTitle } from './tone.ts';

/** A place that the answer gives to a brand. */
export interface Place {
  readonly brand: number;
  readonly rank: number;
  readonly source: 'ordered_list' | 'table' | 'explicit_text';
}

/** What lists and tables say about the brands that they are about. */
export interface ListFindings {
  readonly places: Place[];
  /** Brands that a recommending list names, and those that a list of what to avoid names. */
  readonly listed: Set<number>;
  readonly avoided: Set<number>;
}

interface Run {
  readonly heading: number;
  last: number;
  count: number;
  /** The source restarts at 1 with every item: places are counted instead. */
  allOnes: boolean;
  descending: boolean;
  readonly found: Place[];
}

/**
 * Ranks from ordered lists and numbered headings.
 *
 * Only outermost numbered items rank, by the number in the source. A list that prose interrupts goes on when its
 * numbers do, or when every item restarts at 1; it ends where it counts from 1 again after a 2, under another tone, or
 * (restarted) under another heading. Bullets never rank, nor do items below a numbered item or below a numbered heading
 * that is about a brand, nor lists of drawbacks, steps, or what to avoid.
 */
export function readLists(doc: Doc, byBlock: ReadonlyMap<number, Mention[]>, tones: readonly Tone[]): ListFindings {
  const findings: ListFindings = { places: [], listed: new Set(), avoided: new Set() };
  const runs = new Map<string, Run>();
  const all: Run[] = [];
  const brandHeadings = new Set<number>();

  doc.blocks.forEach((block, index) => {
    if (block.kind !== 'item' && block.kind !== 'heading') return;
    const mentions = byBlock.get(index) ?? [];
    const tone = tones[index]!;
    const subjects = mentions.length === 0 ? [] : subjectsOf(doc.text, block.content, block.end, mentions);
    if (block.kind === 'heading' && block.ordinal !== null && subjects.length > 0) brandHeadings.add(index);
    const isNested = block.underOrdered || (block.kind === 'item' && brandHeadings.has(block.heading));
    if (isNested) return;
    if (block.kind === 'item' || block.ordinal !== null) {
      const target = tone === 'avoid' ? findings.avoided : recommends(tone) ? findings.listed : null;
      for (const subject of subjects) target?.add(subject.brand);
      if (target === findings.listed && subjects.length === 0)
        for (const { brand } of answersOf(doc.text, block.content, block.end, mentions)) target.add(brand);
    }
    if (block.ordinal === null || (tone !== 'recommend' && tone !== 'neutral')) return;
    const key = `${block.kind}${block.level}${block.ordinal.style}${tone}`;
    let run = runs.get(key);
    const number = block.ordinal.value;
    let rank = run === undefined ? null : continued(run, number, block.heading, block.kind === 'heading');
    if (run === undefined || rank === null) {
      run = { heading: block.heading, last: number, count: 0, allOnes: number === 1, descending: false, found: [] };
      runs.set(key, run);
      all.push(run);
      rank = number;
    }
    run.last = number;
    run.count++;
    for (const { brand } of subjects) run.found.push({ brand, rank, source: 'ordered_list' });
  });

  for (const run of all) {
    const times = new Map<number, number>();
    for (const { brand } of run.found) times.set(brand, (times.get(brand) ?? 0) + 1);
    for (const place of run.found) {
      // "1. 豆包支持语音 2. 豆包免费" lists what one brand does, not places.
      const isStatement = times.get(place.brand)! > 1;
      const isKnown = findings.places.some((other) => other.brand === place.brand);
      if (!isStatement && !isKnown) findings.places.push(place);
    }
  }
  return findings;
}

const recommends = (tone: Tone): boolean => tone === 'recommend' || tone === 'unordered';

/** The rank of the next item of a run, or null where it begins a new one. */
function continued(run: Run, number: number, heading: number, isHeading: boolean): number | null {
  if (run.allOnes && number === 1 && (run.heading === heading || isHeading)) return run.count + 1;
  if (number === run.last + 1 && !run.descending) {
    run.allOnes = false;
    return number;
  }
  if (number === run.last - 1 && number >= 1 && (run.count === 1 || run.descending)) {
    run.descending = true; // a countdown
    return number;
  }
  if (number > run.last && !run.descending) return number;
  return null;
}

/** How far back a line is read, in UTF-16 units. */
const MAX_LINE = 400;
const beginsPart = '(?:^|[\\s：:，,；;。、.（(])';
/** Marks before a name within a line: the mark itself in one of the groups, `first` finds the one that opens the order. */
const inlineMarks: readonly { readonly mark: RegExp; readonly first: RegExp }[] = [
  {
    mark: new RegExp(`(?:${beginsPart}(\\d{1,2}[.、)）．]|[（(]\\d{1,2}[)）])|([①-⑳]|🥇|🥈|🥉))\\s*[*_“"「]*$`, 'u'),
    first: /(?:^|\D)1[.、)）．]|①|🥇/u,
  },
  {
    mark: new RegExp(`${beginsPart}(第[一二三四五六七八九十][：:，,]|[一二三四五六七八九]是)\\s*[*_“"「]*$`, 'u'),
    first: /第一[：:，,]|一是/u,
  },
  {
    mark: /(?:^|[.;:!?]\s|\band )\s*(first|second|third|fourth|fifth)[,:]\s*(?:the )?[*_“"「]*$/iu,
    first: /\bfirst[,:]/iu,
  },
  { mark: new RegExp(`${beginsPart}(gold|silver|bronze)[：:]\\s*[*_“"「]*$`, 'iu'), first: /\bgold[：:]/iu },
];
const namedPlaces: Readonly<Record<string, number>> = {
  ...{ first: 1, second: 2, third: 3, fourth: 4, fifth: 5 },
  ...{ gold: 1, silver: 2, bronze: 3 },
};

function placeOfMark(sign: string): number | null {
  const named = namedPlaces[sign.toLowerCase()] ?? parseHanNumeral(/^第?(.)[是：:，,]$/.exec(sign)?.[1] ?? '');
  return named ?? readOrdinal(sign, 0, sign.length)?.value ?? null;
}

/**
 * Ranks from enumerations within one line (推荐：1. 豆包 2. Kimi; ①豆包②Kimi): the mark directly before the brand
 * counts, if the line also has the first mark, and by the tone of the words before that.
 */
export function readInlineLists(
  doc: Doc,
  byBlock: ReadonlyMap<number, Mention[]>,
  tones: readonly Tone[],
  findings: ListFindings,
): void {
  for (const [index, mentions] of byBlock) {
    const block = doc.blocks[index];
    if (block === undefined || block.kind !== 'paragraph' || block.underOrdered) continue;
    for (const mention of mentions) {
      const above = doc.text.slice(Math.max(block.start, mention.start - MAX_LINE), mention.start);
      const line = above.slice(above.lastIndexOf('\n') + 1);
      const { mark, first } = inlineMarks.find((marks) => marks.mark.test(line.slice(-16))) ?? {};
      if (mark === undefined || first === undefined) continue;
      const found = mark.exec(line.slice(-16))!;
      const rank = placeOfMark(found[1] ?? found[2]!);
      const firstMark = line.search(first);
      if (rank === null || firstMark === -1) continue;
      const own = toneOfTitle(line.slice(0, firstMark + 1));
      const tone = own === 'neutral' ? tones[index]! : own;
      if (tone === 'avoid') findings.avoided.add(mention.brand);
      if (tone !== 'recommend' && tone !== 'neutral') continue;
      findings.listed.add(mention.brand);
      const isKnown = findings.places.some((place) => place.brand === mention.brand);
      if (!isKnown) findings.places.push({ brand: mention.brand, rank, source: 'ordered_list' });
    }
  }
}

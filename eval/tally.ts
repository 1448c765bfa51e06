import { wilsonInterval } from '../src/text/wilson.ts';
import type { Item } from './labelled-set.ts';

/** Right, superfluous and missed findings. */
export interface Counts {
  readonly right: number;
  readonly superfluous: number;
  readonly missed: number;
}

/** How the product and the baseline did on one item. */
export interface Judgement {
  readonly product: Counts;
  readonly baseline: Counts;
  /** What was found instead of the label, for the list of wrong items. */
  readonly said: string;
}

export interface Judged {
  readonly item: Item;
  readonly judgement: Judgement;
}

export interface Figures {
  readonly items: number;
  readonly exact: number;
  /** Null where nothing was found (precision) or nothing was there to find (recall). */
  readonly precision: number | null;
  readonly recall: number | null;
  readonly accuracy: number;
}

export const isExact = ({ superfluous, missed }: Counts): boolean => superfluous === 0 && missed === 0;

/** Counts over sets of names: what both have is right. */
export function compareSets(expected: ReadonlySet<string>, found: ReadonlySet<string>): Counts {
  const right = [...found].filter((name) => expected.has(name)).length;
  return { right, superfluous: found.size - right, missed: expected.size - right };
}

export function figures(judged: readonly Judged[], side: 'product' | 'baseline'): Figures {
  let [right, superfluous, missed, exact] = [0, 0, 0, 0];
  for (const { judgement } of judged) {
    const counts = judgement[side];
    right += counts.right;
    superfluous += counts.superfluous;
    missed += counts.missed;
    if (isExact(counts)) exact++;
  }
  return {
    items: judged.length,
    exact,
    precision: right + superfluous === 0 ? null : right / (right + superfluous),
    recall: right + missed === 0 ? null : right / (right + missed),
    accuracy: judged.length === 0 ? 0 : exact / judged.length,
  };
}

/** The table: all items, then by language, then by tag in the order of first appearance. */
export function table(judged: readonly Judged[], baseline: string): string {
  const rows: [string, readonly Judged[]][] = [['all', judged]];
  for (const lang of new Set(judged.map(({ item }) => item.lang)))
    rows.push([`lang ${lang}`, judged.filter(({ item }) => item.lang === lang)]);
  for (const tag of new Set(judged.flatMap(({ item }) => item.tags)))
    rows.push([tag, judged.filter(({ item }) => item.tags.includes(tag))]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const head = `${''.padEnd(width)}  items | precision  recall   exact | ${baseline}: precision  recall   exact`;
  const pad = ' '.repeat(baseline.length + 2);
  const lines = rows.map(([name, part]) => {
    const [own, other] = [figures(part, 'product'), figures(part, 'baseline')];
    return `${name.padEnd(width)}  ${String(part.length).padStart(5)} | ${cells(own)} | ${pad}${cells(other)}`;
  });
  return [head, '-'.repeat(head.length), ...lines].join('\n');
}

const cells = ({ precision, recall, accuracy }: Figures): string =>
  `${share(precision).padStart(9)}  ${share(recall).padStart(6)}  ${share(accuracy).padStart(6)}`;

export const share = (value: number | null): string => (value === null ? '-' : value.toFixed(3));

/** "0.952 (0.921 to 0.971)": a share of exact items with its 95 % interval. */
export function shareWithInterval({ exact, items, accuracy }: Figures): string {
  const interval = wilsonInterval(exact, items);
  return interval === null ? '-' : `${share(accuracy)} (${share(interval.low)} to ${share(interval.high)})`;
}

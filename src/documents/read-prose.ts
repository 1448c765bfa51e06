import type { Candidate, ReadingContext } from './candidate.ts';
import type { DocumentLine } from './document-lines.ts';
import type { FieldRule } from './document-types.ts';
import { labelWords } from './label-words.ts';
import { type FoundDate, findDates } from './normalise-date.ts';
import { type FoundMoney, findMoney } from './normalise-money.ts';
import { isAboutEnd, isAboutStart } from './normalise-value.ts';
import { isHan, plainProse } from './plain-label.ts';

/** A label and its value in running text may stand so far apart, in UTF-16 units. */
const REACH = 60;
/** Longer than any sentence, in UTF-16 units: what has no full stop is no text. */
const MAX_SENTENCE = 2_000;
/** What a date or an amount behind such a word is worth against one behind a printed label. */
const PROSE = 0.9;
const CUE = 0.6;
const PERIOD = 0.75;

/** A sentence and where it begins in the Markdown. */
interface Sentence {
  readonly text: string;
  readonly start: number;
}

/** Words of running text by what a field is about; the person who described it need not think of all of them. */
const CUES: readonly { readonly about: RegExp; readonly words: readonly string[] }[] = [
  {
    about: /签订|签署|签约|signed|signing/i,
    words: [
      '签订',
      '签署',
      '订立',
      'made on',
      'made this',
      'made the',
      'is made',
      'made as of',
      'dated',
      'signed on',
      'entered into',
      'executed on',
    ],
  },
  {
    about: /截止|终止|到期|届满|\bend|expir|until/i,
    words: [
      '至',
      '终止',
      '届满',
      '到期',
      'until',
      'through',
      'expires on',
      'ends on',
      'ending on',
      'terminates on',
      'up to and including',
      'expiring on',
    ],
  },
  {
    about: /起始|开始|生效|\bstart|\bfrom\b|begin|commence/i,
    words: ['自', 'from', 'begins on', 'starts on', 'commences on', 'commencing on', 'starting on', 'with effect from'],
  },
  {
    about: /付款截止|到期日|\bdue\b/i,
    words: [
      'due on',
      'due by',
      'payable by',
      'no later than',
      'on or before',
      'falls due on',
      'due',
      'payable',
      'please pay',
      'to be paid',
    ],
  },
  {
    about: /金额|总额|价款|费用|租金|amount|total|value|price|rent|fee/i,
    words: [
      '总金额',
      '总额',
      '总价',
      '价款',
      '合计',
      '共计',
      '费用',
      '租金',
      '金额',
      'total fee',
      'total price',
      'fixed price',
      'total',
      'price',
      'fee',
      'fees',
      'rent',
      'sum',
      'amount',
    ],
  },
];
/** What is paid in part, at most or besides is not the amount. */
const PART_OF =
  /预付款|定金|押金|保证金|违约金|首期|首付|每期|不超过|以上|deposit|instalments? of|installments? of|advance|penalty|late fee|limit|excess of|exceed|up to|above|over|at least|below/i;
const PERIOD_BETWEEN =
  /^[\s起时零]*(?:起|执行|生效|开始|[,，]|零时|\s)*(?:至|到|[-–—~～]|to|until|through|till|and ending on|and ends on|and)\s*$/i;
const TERM = /期限|有效期|期间|租期|\bterm\b|\bperiod\b|\bvalid\b|\bruns?\b/i;
/** A sentence about another paper. */
const OTHER_PAPER = /鉴于|原合同|编号为|whereas|previous agreement|original agreement/i;

/** Dates and amounts that stand in sentences beside a word of the field: "expires on 31 October 2026". */
export function readProse(field: FieldRule, sentences: readonly Sentence[], context: ReadingContext): Candidate[] {
  if (field.type === 'date') return sentences.flatMap((sentence) => datesOf(field, sentence, context));
  if (field.type === 'money') return sentences.flatMap((sentence) => amountsOf(field, sentence, context));
  return [];
}

/** The sentences of running text: lines that are no row of a table and follow each other without a gap are one text. */
export function sentencesOf(markdown: string, lines: readonly DocumentLine[]): Sentence[] {
  const sentences: Sentence[] = [];
  let block: { start: number; end: number } | null = null;
  const close = () => {
    if (block === null) return;
    const text = markdown.slice(block.start, block.end);
    let from = 0;
    for (const { index, 0: mark } of text.matchAll(/[。！？；]|[.!?;](?=\s+[A-Z\d(])|\n(?=\S{0,6}第.{1,3}条)/g)) {
      const end = index + mark.length;
      // A full stop behind an abbreviation ends nothing.
      if (mark === '.' && /\b(?:no|inc|ltd|co|mr|ms|dr|st|[A-Z])$/i.test(text.slice(from, index))) continue;
      sentences.push({ text: text.slice(from, end), start: block.start + from });
      from = end;
    }
    for (; from < text.length; from += MAX_SENTENCE)
      sentences.push({ text: text.slice(from, from + MAX_SENTENCE), start: block.start + from });
    block = null;
  };
  let wasShort = false;
  for (const line of lines) {
    const [first] = line.cells;
    if (line.table !== null || line.cells.length > 1 || line.isBlockStart || wasShort) close();
    if (line.table !== null || line.cells.length > 1) continue;
    wasShort = widthOf(first!.text) < SHORT_LINE;
    block = { start: block === null ? first!.start : (block as { start: number }).start, end: first!.end };
  }
  close();
  return sentences;
}

/** A line that ends long before the margin does not go on in the next; Han characters are two wide. */
const SHORT_LINE = 45;
const widthOf = (text: string): number => text.length + (text.match(/\p{Script=Han}/gu)?.length ?? 0);

interface Cue {
  readonly at: number;
  readonly end: number;
  readonly weight: number;
}

function cuesIn(field: FieldRule, plain: string): Cue[] {
  const { wanted, kindred } = labelWords(field);
  const about = `${field.code.replaceAll('_', ' ')} ${field.name}`;
  const cues = CUES.flatMap((cue) => (cue.about.test(about) ? cue.words : []));
  const weights = new Map<string, number>();
  for (const word of cues) weights.set(word, CUE);
  for (const word of kindred) if (isPhrase(word)) weights.set(word, 0.8);
  for (const word of wanted) if (isPhrase(word)) weights.set(word, 1);
  const found: Cue[] = [];
  for (const [word, weight] of weights)
    for (let at = plain.indexOf(word); at !== -1; at = plain.indexOf(word, at + word.length))
      if (isWhole(plain, at, word)) found.push({ at, end: at + word.length, weight: weight + word.length / 500 });
  return found;
}

/** Short words (`to`, `re`) stand everywhere in sentences. */
const isPhrase = (word: string): boolean => !word.includes('…') && (isHan(word) ? word.length > 1 : word.length > 3);

/** Recognised pictures lack spaces here and there: a long word may go on in the next. */
const LONG = 7;

function isWhole(text: string, at: number, word: string): boolean {
  if (word.length >= LONG && !/[a-z0-9]/.test(text[at - 1] ?? ' ')) return true;
  return isHan(word) || (!/[a-z0-9]/.test(text[at - 1] ?? ' ') && !/[a-z0-9]/.test(text[at + word.length] ?? ' '));
}

function datesOf(field: FieldRule, { text, start }: Sentence, { order }: ReadingContext): Candidate[] {
  const dates = findDates(text, order);
  if (!dates.length) return [];
  const plain = plainProse(text);
  const candidate = (date: FoundDate, score: number, from: number, to: number): Candidate => ({
    score: score * PROSE - (OTHER_PAPER.test(plain) ? 0.4 : 0),
    reading: {
      value: date.value,
      raw: text.slice(date.start, date.end),
      warnings: date.ambiguous ? ['ambiguous_date'] : [],
    },
    start: start + from,
    end: start + to,
  });
  const found: Candidate[] = [];
  for (const cue of cuesIn(field, plain)) {
    const behind = dates.find((date) => date.start >= cue.end && date.start - cue.end <= REACH);
    const until = behind === undefined || !isAboutEnd(field) ? undefined : endOf(behind, dates, plain);
    if (until !== undefined)
      found.push(candidate(until, cue.weight - (behind!.start - cue.end) / 150, cue.at, until.end));
    else if (behind && !dates.some((date) => date.start >= cue.end && date.end <= behind.start && date !== behind))
      found.push(candidate(behind, cue.weight - (behind.start - cue.end) / 150, cue.at, behind.end));
    const before = dates.findLast((date) => date.end <= cue.at && cue.at - date.end <= 6);
    if (before && isHan(plain.slice(cue.at, cue.end)))
      found.push(candidate(before, cue.weight - 0.05 - (cue.at - before.end) / 150, before.start, cue.end));
  }
  for (const [begins, ends] of gapsOf(field)) {
    for (const [at, date] of dates.entries()) {
      const [before, behind] = [
        plain.slice(Math.max(0, date.start - 12), date.start),
        plain.slice(date.end, date.end + 12),
      ];
      const opens = before.lastIndexOf(begins);
      const closes = behind.indexOf(ends);
      if (opens === -1 || closes === -1 || (at > 0 && dates[at - 1]!.end > date.start - before.length + opens))
        continue;
      found.push(candidate(date, 1, date.start - before.length + opens, date.end + closes + ends.length));
    }
  }
  if (isAboutEnd(field) || isAboutStart(field)) {
    for (const [at, first] of dates.slice(0, -1).entries()) {
      const second = dates[at + 1]!;
      if (!PERIOD_BETWEEN.test(plain.slice(first.end, second.start))) continue;
      const score = PERIOD + (TERM.test(plain) ? 0.2 : 0);
      found.push(candidate(isAboutEnd(field) ? second : first, score, first.start, second.end));
    }
  }
  return found;
}

/** The second date of a period that begins with this one. */
function endOf(first: FoundDate, dates: readonly FoundDate[], plain: string): FoundDate | undefined {
  const second = dates[dates.indexOf(first) + 1];
  return second !== undefined && PERIOD_BETWEEN.test(plain.slice(first.end, second.start)) ? second : undefined;
}

/** `至…止` as the two words around its gap. */
const gapsOf = (field: FieldRule): [string, string][] =>
  labelWords(field)
    .wanted.filter((word) => word.includes('…'))
    .map((word) => word.split('…') as [string, string]);

function amountsOf(field: FieldRule, { text, start }: Sentence, { signs }: ReadingContext): Candidate[] {
  const amounts = findMoney(text, signs).filter(({ currency }) => currency !== null);
  if (!amounts.length) return [];
  const plain = plainProse(text);
  const { unwanted } = labelWords(field);
  const found: Candidate[] = [];
  for (const cue of cuesIn(field, plain)) {
    const amount = amounts.find((one) => one.start >= cue.end && one.start - cue.end <= REACH);
    if (
      amount === undefined ||
      amounts.some((one) => one !== amount && one.start >= cue.end && one.end <= amount.start)
    )
      continue;
    const between = plain.slice(Math.max(0, cue.at - 12), amount.start);
    // The end of another label with its value: 销售额合计：20,000.
    if (/:\s*\S/.test(plain.slice(cue.end, amount.end)) && /\p{L}/u.test(plain[cue.at - 1] ?? ' ')) continue;
    if (PART_OF.test(between) || unwanted.some((word) => isPhrase(word) && between.includes(word))) continue;
    found.push({
      score: (cue.weight - (amount.start - cue.end) / 150) * PROSE,
      reading: readingOf(amount, text),
      start: start + cue.at,
      end: start + amount.end,
    });
  }
  return found;
}

const readingOf = (amount: FoundMoney, text: string) => ({
  value: amount.value,
  raw: text.slice(amount.start, amount.end).trim(),
  currency: amount.currency,
  warnings: [],
});

/** `共 N 笔`: a number in the place of N, in sentences and cells. */
export function readCounts(
  field: FieldRule,
  lines: readonly DocumentLine[],
  { markdown }: ReadingContext,
): Candidate[] {
  if (field.type !== 'number' || !labelWords(field).wanted.some((word) => GAP_FOR_NUMBER.test(word))) return [];
  return lines.flatMap(({ cells }) =>
    cells.flatMap(({ start, end }) => countsOf(field, { text: markdown.slice(start, end), start })),
  );
}

const GAP_FOR_NUMBER = /(?<![a-z])n(?![a-z])/;

function countsOf(field: FieldRule, { text, start }: Sentence): Candidate[] {
  const plain = plainProse(text);
  return labelWords(field).wanted.flatMap((word) => {
    if (!GAP_FOR_NUMBER.test(word)) return [];
    const parts = word.split(GAP_FOR_NUMBER).map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const match = new RegExp(`${parts[0]}\\s*(\\d[\\d,]*(?:\\.\\d+)?)\\s*${parts[1]}`, 'u').exec(plain);
    if (match === null) return [];
    const [whole, figures] = match;
    return {
      score: PROSE,
      reading: { value: Number(figures!.replaceAll(',', '')), raw: figures!, warnings: [] },
      start: start + match.index,
      end: start + match.index + whole.length,
    };
  });
}

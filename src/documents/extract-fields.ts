import type { DocumentTypeRule, FieldRule } from './document-types.ts';
import type { FieldValue } from './field-value.ts';
import { gapped, labelFit, labelWords, plainLabel } from './label-words.ts';
import { type LabelledValue, labelledValues } from './labelled-values.ts';
import { findDates } from './normalise-date.ts';
import { type Conventions, conventionsOf, readValue } from './normalise-value.ts';

const NOTHING: FieldValue = { value: null, raw: null, evidence: null, page: null, source: 'rules', warnings: [] };
/** A label and its value in running text may stand so far apart, in UTF-16 units. */
const PROSE_REACH = 60;
const HOW = { colon: 0.3, cell: 0.2, below: 0.1 };

/**
 * Reads the fields of a type by their labels, without a model: of all values that stand beside, behind or below a fitting
 * label the one whose label fits best, in the form that the field wants. Dates and amounts are also read from sentences
 * that use the label's words. Nothing is guessed: a field without a label is null.
 */
export function extractFields(markdown: string, type: DocumentTypeRule): Record<string, FieldValue> {
  const { fields } = type;
  const all = fields.map((field) => labelWords(field));
  // In a table of labels above values a label stands beside a label.
  const isLabel = (text: string) => all.some((words) => labelFit(plainLabel(text), words) > 0.95);
  const pairs = labelledValues(markdown).filter(({ value }) => !isLabel(value));
  const context = {
    ...conventionsOf(markdown),
    titles: labelWords(type).wanted,
    isLabel,
  };
  return Object.fromEntries(fields.map((field) => [field.code, extractField(field, markdown, pairs, context)]));
}

/** Where documents print it: a name in the letterhead, whom a letter addresses, the title, the date that stands alone. */
function byPlace(field: FieldRule, markdown: string, context: Context): FieldValue | null {
  const lines = linesOf(markdown);
  const found = (value: string | undefined): FieldValue | null => {
    const reading = value === undefined ? null : readValue(field, value, context);
    return reading === null ? null : { ...reading, evidence: value!, page: null, source: 'rules' };
  };
  if (field.type === 'string' && letterhead.test(field.description))
    return found(
      lines.find(
        (line) => isName(line) && !isHeading(line) && !isTitle(line, context.titles) && !context.isLabel(line),
      ),
    );
  if (field.type === 'string' && addressee.test(field.description)) return found(addresseeOf(lines, context));
  const words = labelWords(field).wanted.filter((word) => word.includes('…'));
  if (field.type === 'string' && words.length)
    return found(lines.find((line) => words.some((word) => gapped(word).test(plainLabel(line)))));
  if (field.type === 'date' && /letter itself|本身|落款/.test(field.description))
    return found(lines.find((line) => line.length < 40 && findDates(line, context.order).length === 1));
  return null;
}

/** `各经销商：`, or the line behind the date in a letter that goes on with Dear. */
function addresseeOf(lines: readonly string[], { order }: Context): string | undefined {
  const dear = lines.findIndex((line) => /^dear\b/i.test(line));
  if (dear !== -1) {
    const date = lines.findIndex((line, at) => at < dear && line.length < 40 && findDates(line, order).length === 1);
    return date === -1 ? undefined : lines.slice(date + 1, dear).find((line) => !/[:：]/.test(line));
  }
  return lines
    .slice(1, 14)
    .map((line) => salutation.exec(line)?.[1])
    .find((name) => name !== undefined && !/^[您你大各位]*好$/.test(name));
}

const letterhead = /letterhead|first line|信头|落款|抬头单位/i;
const addressee = /addressed|written to|收函|抬头/i;
const salutation = /^(?:尊敬的)?([\p{Script=Han}（）()A-Za-z0-9·&]{2,40})[：:]$/u;
const isName = (line: string): boolean => (line.match(/\p{L}/gu)?.length ?? 0) >= 3 && line.length <= 60;
const isTitle = (line: string, titles: readonly string[]): boolean => {
  const plain = plainLabel(line.replace(/[（(][^（）()]*[)）]/g, ' '));
  return titles.some((word) => plain === word || (plain.endsWith(word) && plain.length < word.length + 20));
};
const isHeading = (line: string): boolean =>
  /[:：]|[.。!！?？]$|\bplease\b|\bthank\b/i.test(line) ||
  /^(?:- )?(?:From|To|Date|Subject|Cc):/.test(line) ||
  /^\d|@/.test(line);

function linesOf(markdown: string): string[] {
  return markdown
    .split('\n')
    .flatMap((line) =>
      line
        .replace(/^\s*(?:#+|>)\s*/, '')
        .replaceAll('**', '')
        .split(/\s{3,}|\|/),
    )
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[:-]+$/.test(line));
}

interface Context extends Conventions {
  /** What the document may be called: no name of a firm. */
  readonly titles: readonly string[];
  /** Whether a piece of text labels one of the fields. */
  readonly isLabel: (text: string) => boolean;
}

function extractField(
  field: FieldRule,
  markdown: string,
  pairs: readonly LabelledValue[],
  context: Context,
): FieldValue {
  const { wanted, unwanted } = labelWords(field);
  const words = { wanted: wanted.filter((word) => !word.includes('…')), unwanted };
  let best: { score: number; found: FieldValue } | null = null;
  for (const pair of pairs) {
    const fit = labelFit(pair.label, words);
    // Beside or below a label no other label with its value is meant.
    if (fit < 0.6 || (field.type === 'string' && pair.how !== 'colon' && /[:：]/.test(pair.value))) continue;
    const reading = readValue(field, pair.value, context);
    if (reading === null) continue;
    const score = fit + HOW[pair.how] + Math.min(pair.label.length, 20) / 1000;
    if (best === null || score > best.score) {
      best = { score, found: { ...reading, evidence: pair.evidence, page: null, source: 'rules' } };
    }
  }
  return (
    best?.found ??
    behindLabel(field, markdown, wanted) ??
    inProse(field, markdown, words.wanted, context) ??
    byPlace(field, markdown, context) ??
    NOTHING
  );
}

/** `Agreement No. SA-2026-19`: a number directly behind a label at the beginning of a line. */
function behindLabel(field: FieldRule, markdown: string, words: readonly string[]): FieldValue | null {
  if (field.type !== 'string') return null;
  for (const word of words.filter((one) => one.length > 3 || /\p{Script=Han}{2}/u.test(one))) {
    const label = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '[\\s.]+');
    const match = new RegExp(`^[\\s*#|]*${label}[\\s.#]+([^\\s|*]*\\d[^\\s|*]*)`, 'imu').exec(markdown);
    if (match !== null)
      return { value: match[1]!, raw: match[1]!, evidence: match[0].trim(), page: null, source: 'rules', warnings: [] };
  }
  return null;
}

/** "expires on 31 October 2026", "a fixed price of £7,200.00": dates and amounts behind a word of the label. */
function inProse(field: FieldRule, markdown: string, words: readonly string[], context: Context): FieldValue | null {
  if (field.type !== 'date' && field.type !== 'money') return null;
  const text = markdown.normalize('NFKC').toLowerCase();
  for (const word of words.filter((one) => one.includes('…'))) {
    const [begins, ends] = word.split('…') as [string, string];
    for (let at = markdown.indexOf(begins); at !== -1; at = markdown.indexOf(begins, at + 1)) {
      const gap = markdown.slice(at + begins.length, at + begins.length + PROSE_REACH);
      const inner = gap.slice(0, Math.max(0, gap.indexOf(ends)));
      const reading = readValue(field, inner, context);
      if (reading !== null) return { ...reading, evidence: `${begins}${inner}${ends}`, page: null, source: 'rules' };
    }
  }
  const byLength = words
    .filter((word) => word.length > 3 || /\p{Script=Han}{2}/u.test(word))
    .toSorted((a, b) => b.length - a.length);
  for (const word of byLength) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      const behind = markdown.slice(at, at + word.length + PROSE_REACH).split(/\n\s*\n/)[0]!;
      const reading = readValue(field, behind.slice(word.length), context);
      if (reading !== null && (field.type === 'date' || reading.currency)) {
        return { ...reading, evidence: behind.replace(/\s+/g, ' ').trim(), page: null, source: 'rules' };
      }
    }
  }
  return null;
}

import type { Candidate, ReadingContext } from './candidate.ts';
import { type Cell, type DocumentLine, documentLines } from './document-lines.ts';
import type { DocumentTypeRule, FieldRule } from './document-types.ts';
import { natureOf, readField } from './field-nature.ts';
import type { FieldValue } from './field-value.ts';
import { findParties } from './find-parties.ts';
import { type LabelBook, labelBook, SURE_FIT } from './label-book.ts';
import { labelWords } from './label-words.ts';
import { type LabelledValue, labelledValues } from './labelled-values.ts';
import { letterParts } from './letter-parts.ts';
import { findDates } from './normalise-date.ts';
import { conventionsOf } from './normalise-value.ts';
import { type PageRecord, pageAt } from './page-record.ts';
import { plainLabel } from './plain-label.ts';
import { readByPlace, readParties } from './read-by-place.ts';
import { type Fit, readTotals } from './read-columns.ts';
import { readList } from './read-lists.ts';
import { readCounts, readProse, sentencesOf } from './read-prose.ts';
import { readTick } from './read-tick.ts';
import { grids } from './table-columns.ts';

const NOTHING: FieldValue = { value: null, raw: null, evidence: null, page: null, source: 'rules', warnings: [] };
/** How label and value stand together: the surest first. */
const HOW = { colon: 0.3, after: 0.15, cell: 0.2, below: 0.1 };
/** The first of several values below a label is one of many and hardly the field's. */
const ONE_OF_MANY = { value: 0.6, name: 0.25 };
const MAX_EVIDENCE = 500;

/**
 * Reads the fields of a type without a model: of all values that stand beside, behind or below a fitting label, in a
 * sentence with its words, in a total's row or in the place that the field's description names, the surest that has the
 * form that the field wants. Nothing is guessed: a field of which nothing of this is printed is null.
 * @param pages of the Markdown, for the page that each value stands on
 */
export function extractFields(
  markdown: string,
  type: DocumentTypeRule,
  pages: readonly PageRecord[] = [],
): Record<string, FieldValue> {
  const document = documentLines(markdown);
  const { main } = document;
  const book = labelBook(type);
  const context: ReadingContext = { ...conventionsOf(markdown), markdown };
  const titles = labelWords(type).wanted;
  const isLabel = (text: string) => book.isLabel(plainLabel(text)) || isSureLabel(book, text);
  const isNoName = (text: string) => isTitle(text, titles) || isLabel(text);

  const pairs = labelledValues(markdown, main, book.isLabel).filter(
    ({ value, how }) => !isSureLabel(book, value) && (how === 'colon' || !book.isLabel(plainLabel(value))),
  );
  const columns = grids(main, book.isLabel);
  const sentences = sentencesOf(markdown, main);
  const parts = letterParts(main, context.order, isNoName, (text) => isLabel(text) && !isTitle(text, titles));
  const parties = findParties(markdown.slice(main[0]?.cells[0]?.start ?? 0)).map((party) =>
    shifted(party, main[0]!.cells[0]!.start),
  );

  const found = type.fields.map((field, index) => {
    const fitOf: Fit = (label) => book.fits(label)[index]!;
    if (field.type === 'list') return surest(readList(field, main, pairs, columns, fitOf, context));
    return surest([
      ...readLabelled(field, pairs, fitOf, context),
      ...readTotals(field, columns, fitOf, context),
      ...readProse(field, sentences, context),
      ...readCounts(field, main, context),
      ...readByPlace(field, parts, document, context),
      ...readParties(field, parties, context),
      ...readTick(field, main, context),
    ]);
  });
  const own = book.ownDate === undefined ? -1 : type.fields.indexOf(book.ownDate);
  if (own !== -1 && found[own] === null) found[own] = readOwnDate(type.fields[own]!, main, parts.date, found, context);
  return Object.fromEntries(type.fields.map(({ code }, at) => [code, asValue(found[at]!, markdown, pages)]));
}

/** Of two that are as sure the one that stands first. */
function surest(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const one of candidates)
    if (best === null || one.score > best.score || (one.score === best.score && one.start < best.start)) best = one;
  return best;
}

function asValue(found: Candidate | null, markdown: string, pages: readonly PageRecord[]): FieldValue {
  if (found === null) return NOTHING;
  const { reading, start, end } = found;
  const evidence = markdown.slice(start, Math.min(end, start + MAX_EVIDENCE)).trim();
  return { ...reading, evidence, page: pageAt(pages, start), source: 'rules' };
}

/**
 * Without a label the date that stands by itself, else the only one of all, is that of the paper itself, if it is not that
 * of something else.
 */
function readOwnDate(
  field: FieldRule,
  main: readonly DocumentLine[],
  alone: Cell | null,
  others: readonly (Candidate | null)[],
  context: ReadingContext,
): Candidate | null {
  const all = main.flatMap(({ cells }) => cells.filter(({ text }) => findDates(text, context.order).length > 0));
  const cell = alone ?? all[0];
  const reading = cell === undefined ? null : readField(field, cell.text, context);
  if (reading === null || others.some((other) => other?.reading.value === reading.value)) return null;
  const isOnly = all.every(({ text }) => findDates(text, context.order).every(({ value }) => value === reading.value));
  return alone !== null || isOnly ? { score: 0, reading, start: cell!.start, end: cell!.end } : null;
}

function readLabelled(
  field: FieldRule,
  pairs: readonly LabelledValue[],
  fitOf: Fit,
  context: ReadingContext,
): Candidate[] {
  return pairs.flatMap(({ label, value, how, start, end, isColumn }) => {
    const sure = fitOf(label);
    if (sure === 0) return [];
    // A weak label must stand clearly with its value, and a name needs a sure one.
    if (sure < SURE_FIT && (isColumn || (field.type === 'string' && natureOf(field) !== 'number'))) return [];
    // Beside or below a label no other label with its value is meant.
    if (field.type === 'string' && how !== 'colon' && /[:：]/.test(value)) return [];
    // Behind a word without a colon a small letter goes on with the sentence or the phrase: `Bank charges`.
    if (how === 'after' && field.type === 'string' && /^[a-z]/.test(value)) return [];
    const reading = readField(field, value, context);
    if (reading === null) return [];
    const score = sure + HOW[how] + Math.min(label.length, 20) / 1000 - (isColumn ? oneOfMany(field) : 0);
    return [{ score, reading, start, end }];
  });
}

/** Below the label of a name its address may follow. */
const oneOfMany = (field: FieldRule): number =>
  field.type === 'string' && natureOf(field) === 'name' ? ONE_OF_MANY.name : ONE_OF_MANY.value;

/** A label, perhaps with a remark: `乙方（盖章）`. */
function isSureLabel(book: LabelBook, text: string): boolean {
  const plain = plainLabel(text.replace(/[（(][^（）()]*[)）]/g, ' '));
  return (
    plain.length <= 40 &&
    (/[:：]$/.test(text) || /^[\p{L}\s]+$/u.test(plain)) &&
    book.fits(plain).some((sure) => sure > 0.95)
  );
}

function isTitle(text: string, titles: readonly string[]): boolean {
  const plain = plainLabel(text.replace(/[（(][^（）()]*[)）]/g, ' '));
  return titles.some((word) => plain === word || (plain.endsWith(word) && plain.length < word.length + 20));
}

const shifted = <T extends { readonly start: number; readonly end: number }>(place: T, by: number): T => ({
  ...place,
  start: place.start + by,
  end: place.end + by,
});

import type { FieldValue } from './field-value.ts';
import { type PageRecord, pageAt } from './page-record.ts';
import type { FoundValue } from './read-answer.ts';

const NOTHING: FieldValue = { value: null, raw: null, evidence: null, page: null, source: 'model', warnings: [] };

/** A document whose passages are shown, with its pages. */
interface Shown {
  readonly markdown: string;
  readonly pages: readonly PageRecord[];
}

/**
 * One value from what was found in the parts of a document, in their order: the one whose passage stands first; `conflict`
 * where another part says something else.
 */
export function mergeOne(found: readonly FoundValue[], shown: Shown): FieldValue {
  const full = found.filter(({ value }) => value !== null);
  const first = full.toSorted(byPlace)[0] ?? found[0];
  if (first === undefined) return NOTHING;
  const conflict = full.some((other) => differ(first, other)) ? ['conflict'] : [];
  return { ...fieldValue(first, shown), warnings: distinct([...first.warnings, ...conflict, ...suspicions(found)]) };
}

/** The entries of a list in the order of their passages; what two parts that overlap both say is one entry. */
export function mergeList(parts: readonly (readonly FoundValue[])[], shown: Shown): FieldValue {
  const entries: FoundValue[] = [];
  for (const part of parts) {
    const before = entries.slice();
    // What stands twice in one part are two entries.
    entries.push(...part.filter((one) => !before.some((other) => isSameEntry(one, other))));
  }
  const [first] = entries;
  if (first === undefined) return NOTHING;
  const currencies = new Set(entries.map(({ currency }) => currency));
  return {
    ...fieldValue(entries.find(({ place }) => place !== null) ?? first, shown),
    value: entries.map(({ value }) => value),
    raw: entries.map(({ raw }) => raw ?? '').join('\n'),
    ...(first.currency === undefined ? {} : { currency: currencies.size === 1 ? first.currency : null }),
    warnings: distinct(entries.flatMap(({ warnings }) => warnings)),
  };
}

function fieldValue({ value, raw, currency, place, warnings }: FoundValue, { markdown, pages }: Shown): FieldValue {
  return {
    value,
    raw,
    ...(currency === undefined ? {} : { currency }),
    evidence: place && markdown.slice(place.start, place.end),
    page: place && pageAt(pages, place.start),
    source: 'model',
    warnings,
  };
}

const placeOf = ({ place }: FoundValue): number => place?.start ?? Number.POSITIVE_INFINITY;
const byPlace = (a: FoundValue, b: FoundValue): number => Math.sign(placeOf(a) - placeOf(b)) || 0;

const differ = (one: FoundValue, other: FoundValue): boolean =>
  one.value !== other.value || (one.currency && other.currency ? one.currency !== other.currency : false);

const isSameEntry = (one: FoundValue, other: FoundValue): boolean =>
  one.value === other.value && (one.place === null || one.place.start === other.place?.start);

const suspicions = (found: readonly FoundValue[]): string[] =>
  found.flatMap(({ warnings }) => warnings.filter((warning) => warning === 'suspicious_evidence'));

const distinct = (warnings: readonly string[]): string[] => [...new Set(warnings)];

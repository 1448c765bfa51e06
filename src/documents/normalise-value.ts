import type { FieldRule } from './document-types.ts';
import type { FieldValue } from './field-value.ts';
import { plainLabel } from './label-words.ts';
import { dateOrder, findDates } from './normalise-date.ts';
import { currencyOf, findMoney } from './normalise-money.ts';

/** A printed piece of text in the form that a field wants. */
export interface Reading extends Omit<FieldValue, 'source' | 'evidence' | 'page'> {}

/** How a document writes what can be written in several ways. */
export interface Conventions {
  readonly order: ReturnType<typeof dateOrder>;
  /** The one currency that the document prints; null for none or several. */
  readonly currency: string | null;
}

const MAX_STRING = 120;

export const conventionsOf = (markdown: string): Conventions => ({
  order: dateOrder(markdown),
  currency: onlyCurrency(markdown),
});

/** Reads a printed piece of text as a value of a field, by rules alone; null where it is none. A list is never read so. */
export function readValue(field: FieldRule, printed: string, context: Conventions): Reading | null {
  switch (field.type) {
    case 'date':
      return readDate(field, printed, context);
    case 'money':
      return readMoney(printed, context);
    case 'number':
      return readNumber(printed);
    case 'enum':
      return readEnum(field, printed);
    case 'boolean':
      return readBoolean(printed);
    case 'string':
      return readString(printed);
    case 'list':
      return null;
  }
}

const endsPeriod = /\b(?:to|end|until|through|expir|due)\b|截止|终止|到期|结束|止$/i;

/** Of a period the first day, or the last for a field that is about an end. */
function readDate({ code, name }: FieldRule, printed: string, { order }: Conventions): Reading | null {
  const dates = findDates(printed, order);
  const date = endsPeriod.test(`${code.replaceAll('_', ' ')} ${name}`) ? dates.at(-1) : dates[0];
  if (date === undefined) return null;
  const warnings = date.ambiguous ? ['ambiguous_date'] : [];
  return { value: date.value, raw: printed.slice(date.start, date.end), warnings };
}

function readMoney(printed: string, { currency }: Conventions): Reading | null {
  const amounts = findMoney(printed);
  const found = amounts.find((one) => one.currency !== null) ?? amounts[0];
  if (found === undefined || (found.currency === null && !/^[\s:：]*-?[\d.,' ]+\s*$/.test(printed))) return null;
  return {
    value: found.value,
    raw: printed.slice(found.start, found.end).trim(),
    currency: found.currency ?? currency,
    warnings: [],
  };
}

function readNumber(printed: string): Reading | null {
  const match = /-?\d[\d,]*(?:\.\d+)?/.exec(printed);
  return match === null ? null : { value: Number(match[0].replaceAll(',', '')), raw: match[0], warnings: [] };
}

function readEnum({ values }: FieldRule, printed: string): Reading | null {
  const text = plainLabel(printed);
  for (const one of values ?? []) {
    const said = [...one.examples, one.name, one.code].find((word) => text.includes(plainLabel(word)));
    if (said !== undefined) return { value: one.code, raw: printed.trim(), warnings: [] };
  }
  return null;
}

function readBoolean(printed: string): Reading | null {
  const text = plainLabel(printed);
  if (/^(?:yes|true|是|有|✓|☑)/.test(text)) return { value: true, raw: printed.trim(), warnings: [] };
  if (/^(?:no|false|否|无|☐)/.test(text)) return { value: false, raw: printed.trim(), warnings: [] };
  return null;
}

/** The first line, without what stands in a wide gap behind it and without a full stop at its end. */
function readString(printed: string): Reading | null {
  const line = printed
    .split('\n')[0]!
    .replace(/\s*<[^<>]*@[^<>]*>\s*$/, '')
    .trim()
    .replace(/[。;；,，]+$/, '')
    .trim();
  if (line === '' || line.length > MAX_STRING || /^[_\-–—\s]+$/.test(line)) return null;
  return { value: line, raw: line, warnings: [] };
}

function onlyCurrency(markdown: string): string | null {
  const printed = findMoney(markdown).flatMap(({ currency }) => (currency === null ? [] : [currency]));
  const named = [...markdown.matchAll(/人民币|\b(?:CNY|RMB|USD|EUR|GBP|HKD|CHF|JPY)\b/g)].map(
    ([name]) => currencyOf(name)!,
  );
  const currencies = new Set([...printed, ...named]);
  return currencies.size === 1 ? [...currencies][0]! : null;
}

import type { FieldRule } from './document-types.ts';
import type { FieldValue, Scalar } from './field-value.ts';
import { type DateOrder, dateOrder, findDates } from './normalise-date.ts';
import { currencyOf, findMoney, type LocalSigns, localSigns } from './normalise-money.ts';
import { plainDigits } from './plain-digits.ts';
import { isHan, plainLabel } from './plain-label.ts';

/** A printed piece of text in the form that a field wants. */
export interface Reading extends Omit<FieldValue, 'source' | 'evidence' | 'page'> {
  readonly value: Scalar;
}

/** How a document writes what can be written in several ways. */
export interface Conventions {
  readonly order: DateOrder;
  /** The one currency that the document prints; null for none or several. */
  readonly currency: string | null;
  /** Of the country of its VAT numbers and accounts, where no currency is printed. */
  readonly inferred?: string | null;
  /** What ¥ and $ mean in it, where that is not CNY and USD. */
  readonly signs?: LocalSigns;
}

const MAX_STRING = 160;

export function conventionsOf(markdown: string): Conventions {
  const signs = localSigns(markdown);
  const currencies = currenciesIn(markdown, signs);
  return {
    order: dateOrder(markdown),
    currency: currencies.size === 1 ? [...currencies][0]! : null,
    inferred: currencies.size === 0 ? currencyOfCountry(markdown) : null,
    signs,
  };
}

/** What a field's values are, of a list each of its items. */
export const scalarOf = ({ type, items }: FieldRule): Exclude<FieldRule['type'], 'list'> =>
  type === 'list' ? items! : type;

/** Reads a printed piece of text as a value of a field (of a list: as one item), by rules alone; null where it is none. */
export function readValue(field: FieldRule, printed: string, context: Conventions): Reading | null {
  switch (scalarOf(field)) {
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
  }
}

const ENDS = /\b(?:to|ends?|until|through|expir\w*|due|last)\b|截止|终止|到期|结束|届满|止期|止$/i;

/** Whether a field is about the end of something. */
export const isAboutEnd = ({ code, name }: FieldRule): boolean => ENDS.test(`${code.replaceAll('_', ' ')} ${name}`);

const STARTS = /\b(?:from|start\w*|begins?|beginning|commenc\w*|first|inception)\b|起始|开始|生效|起期|起$/i;

/** Whether a field is about the beginning of something. */
export const isAboutStart = ({ code, name }: FieldRule): boolean => STARTS.test(`${code.replaceAll('_', ' ')} ${name}`);

/** Of a period the first day, or the last for a field that is about an end. */
function readDate(field: FieldRule, printed: string, { order }: Conventions): Reading | null {
  const dates = findDates(printed, order);
  const date = isAboutEnd(field) ? dates.at(-1) : dates[0];
  if (date === undefined) return null;
  const warnings = date.ambiguous ? ['ambiguous_date'] : [];
  return { value: date.value, raw: printed.slice(date.start, date.end), warnings };
}

/** An amount without a currency is one only where nothing else is printed. */
function readMoney(printed: string, { currency, inferred = null, signs }: Conventions): Reading | null {
  const amounts = findMoney(printed, signs);
  const found = amounts.find((one) => one.currency !== null) ?? amounts[0];
  if (found === undefined) return null;
  const rest = `${printed.slice(0, found.start)}${printed.slice(found.end)}`.replace(/\d+(?:[.,]\d+)?\s?%/g, ' ');
  if (found.currency === null && !/^[\s:：()（）]*$/.test(rest)) return null;
  return {
    value: found.value,
    raw: printed.slice(found.start, found.end).trim(),
    currency: found.currency ?? currency ?? inferred,
    warnings: (found.currency ?? currency) === null && inferred !== null ? ['currency_inferred'] : [],
  };
}

const HAN_NUMBERS = '零一二三四五六七八九十';

/** The first number; 十二 also. */
function readNumber(printed: string): Reading | null {
  const match = /(?<![\d.,\p{L}])[-−]?\d[\d,]*(?:\.\d+)?/u.exec(plainDigits(printed));
  if (match !== null) {
    const raw = printed.slice(match.index, match.index + match[0].length);
    const figures = match[0].replace('−', '-');
    // 1,5 is one and a half, 1,500 fifteen hundred.
    const isDecimal = /^-?\d+,(?!\d{3}(?!\d))\d+$/.test(figures);
    return { value: Number(isDecimal ? figures.replace(',', '.') : figures.replaceAll(',', '')), raw, warnings: [] };
  }
  const word = /[一二三四五六七八九]?十[一二三四五六七八九]?|[零一二两三四五六七八九]/.exec(printed)?.[0];
  if (word === undefined) return null;
  const [tens, ones] = word.includes('十') ? word.split('十') : ['零', word];
  const unit = (sign: string, empty: number) =>
    sign === '' ? empty : HAN_NUMBERS.indexOf(sign === '两' ? '二' : sign);
  return { value: unit(tens!, 1) * 10 + unit(ones!, 0), raw: word, warnings: [] };
}

const CHECKED = /[☑☒✓✔√■]|\[[xX√✓]\]/;

/** The value that is named first; of boxes to tick the one that is. */
function readEnum({ values }: FieldRule, printed: string): Reading | null {
  const ticked = tickedOf(printed);
  if (ticked !== null && ticked === '') return null;
  const text = plainLabel(ticked ?? printed);
  let best: { at: number; length: number; code: string } | null = null;
  for (const { code, name, examples } of values ?? []) {
    for (const word of [...examples, name, code].map(plainLabel)) {
      const at = wordAt(text, word);
      if (at === -1) continue;
      if (best === null || at < best.at || (at === best.at && word.length > best.length))
        best = { at, length: word.length, code };
    }
  }
  return best === null ? null : { value: best.code, raw: printed.trim(), warnings: [] };
}

/** What stands beside a ticked box; null where there are no boxes, nothing where none is ticked. */
function tickedOf(printed: string): string | null {
  if (!/[□☐☑☒✓✔√■]|\[[ xX√✓]\]/.test(printed)) return null;
  const parts = printed.split(/(?=[□☐☑☒✓✔√■]|\[[ xX√✓]\])/).map((part) => part.trim());
  return parts.find((part) => CHECKED.test(part) && /\p{L}/u.test(part)) ?? '';
}

function wordAt(text: string, word: string): number {
  if (word === '') return -1;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const isWhole =
      isHan(word) || (!/[a-z0-9]/.test(text[at - 1] ?? ' ') && !/[a-z0-9]/.test(text[at + word.length] ?? ' '));
    if (isWhole) return at;
  }
  return -1;
}

const NO = /^(?:no|n|false|not|rejected|refused|denied|declined|unfit|fail(?:ed)?|否|无|不|未|没有|拒绝|驳回)(?![a-z])/;
const YES =
  /^(?:yes|y|true|approved|granted|accepted|agreed|fit|pass(?:ed)?|是|有|同意|批准|已|合格|通过|准予|可以)(?![a-z])/;

function readBoolean(printed: string): Reading | null {
  const ticked = tickedOf(printed);
  const text = plainLabel((ticked ?? printed).replace(new RegExp(CHECKED, 'g'), ' '));
  const only = printed.trim();
  const value = NO.test(text)
    ? false
    : YES.test(text)
      ? true
      : /^[✓✔√☑]$/.test(only)
        ? true
        : /^[☐□✗✘×]$/.test(only)
          ? false
          : null;
  return value === null ? null : { value, raw: printed.trim(), warnings: [] };
}

/** The first line, without a mail address behind it and without a full stop at its end. */
function readString(printed: string): Reading | null {
  const line = printed
    .split('\n')[0]!
    .replace(/\s*<[^<>]*@[^<>]*>\s*$/, '')
    .trim()
    .replace(/[。;；,，]+$/, '')
    .trim();
  if (line === '' || line.length > MAX_STRING || !/[\p{L}\p{N}]/u.test(line)) return null;
  return { value: line, raw: line, warnings: [] };
}

function currenciesIn(markdown: string, signs: LocalSigns): Set<string> {
  const printed = findMoney(markdown, signs).flatMap(({ currency }) => (currency === null ? [] : [currency]));
  const named = [...markdown.matchAll(/人民币|\b(?:CNY|RMB|USD|EUR|GBP|HKD|CHF|JPY)\b/g)].map(
    ([name]) => currencyOf(name)!,
  );
  return new Set([...printed, ...named]);
}

const EURO = new Set('AT BE CY DE EE ES FI FR GR EL HR IE IT LT LU LV MT NL PT SI SK'.split(' '));
const COUNTRIES: Readonly<Record<string, string>> = {
  GB: 'GBP',
  CH: 'CHF',
  SE: 'SEK',
  DK: 'DKK',
  NO: 'NOK',
  PL: 'PLN',
};

/** VAT numbers and IBANs begin with the country (ISO 3166) of who was registered there; null for none or several. */
function currencyOfCountry(markdown: string): string | null {
  const countries = [
    ...markdown.matchAll(/\b(?:VAT|USt|TVA|BTW|IVA)\b[^\n\d]{0,20}?\b([A-Z]{2})\s?\d/g),
    ...markdown.matchAll(/\bIBAN\b[:\s|]{0,4}([A-Z]{2})\d{2}\b/g),
  ];
  const found = new Set(countries.flatMap(([, code]) => (EURO.has(code!) ? 'EUR' : (COUNTRIES[code!] ?? []))));
  return found.size === 1 ? [...found][0]! : null;
}

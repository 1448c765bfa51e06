import { pick, unit, wholeBetween } from '../random.ts';
import type { SchemaObject } from './json-schema.ts';
import { patternExample } from './pattern-example.ts';
import { patternOf } from './violation.ts';

export interface StringContext {
  readonly seed: string;
  /** The place in the answer, so that two places do not get the same value. */
  readonly place: string;
  /** The property's name, '' where there is none. */
  readonly name: string;
  readonly chinese: boolean;
  /** The text an excerpt is taken from, for properties that ask for one (evidence, quote, …). */
  readonly excerptOf: string;
}

const SENTENCES = {
  en: ['It fits what was asked.', 'The text says so clearly.', 'Nothing speaks against it.', 'It is well supported.'],
  zh: ['内容与要求相符。', '原文表述清楚。', '未发现明显问题。', '依据比较充分。'],
};
const NAMES = { en: ['Northgate', 'Riverside', 'Alder', 'Summit'], zh: ['北桥', '清河', '青山', '远景'] };
const PHRASES = { en: ['clear', 'general', 'usual', 'balanced'], zh: ['清楚', '一般', '常见', '均衡'] };

/**
 * A plausible string for a schema, by its format, its property's name and its bounds.
 *
 * @returns null where no string was found that the pattern and the bounds allow
 */
export function stringValue(schema: SchemaObject, context: StringContext): string | null {
  const fits = (text: string) =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? Infinity) &&
    (schema.pattern === undefined || patternOf(schema.pattern).test(text));
  const formatted = byFormat(schema.format, context);
  const plain = formatted ?? byName(context);
  if (fits(plain)) return plain;
  if (schema.pattern === undefined) return formatted === null ? toLength(plain, schema) : null;
  for (let attempt = 0; attempt < 24; attempt++) {
    const extra = attempt < 4 ? 3 : (schema.minLength ?? 3) + attempt;
    const text = patternExample(schema.pattern, `${context.seed}${context.place}${attempt}`, extra);
    if (text !== null && fits(text)) return text;
    // A pattern that is not anchored at its end may be followed by anything.
    if (text !== null && fits(toLength(text, schema))) return toLength(text, schema);
  }
  return null;
}

function toLength(text: string, { minLength = 0, maxLength = Infinity }: SchemaObject): string {
  const longEnough = text.length < minLength ? (text || 'x').repeat(Math.ceil(minLength / (text.length || 1))) : text;
  return longEnough.slice(0, maxLength);
}

function byFormat(format: string | undefined, { seed, place }: StringContext): string | null {
  const number = (low: number, high: number, what: string) => wholeBetween(low, high, seed, place, what);
  const two = (low: number, high: number, what: string) => String(number(low, high, what)).padStart(2, '0');
  const date = () => `${number(2023, 2026, 'year')}-${two(1, 12, 'month')}-${two(1, 28, 'day')}`;
  const time = () => `${two(0, 23, 'hour')}:${two(0, 59, 'minute')}:${two(0, 59, 'second')}`;
  const hex = (digits: number, what: string) =>
    Math.floor(unit(seed, place, what) * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const forms: Readonly<Record<string, () => string>> = {
    date,
    time,
    'date-time': () => `${date()}T${time()}Z`,
    email: () => `reader${number(1, 999, 'mail')}@example.com`,
    uri: () => `https://example.com/articles/${number(1, 9999, 'page')}`,
    url: () => `https://example.com/articles/${number(1, 9999, 'page')}`,
    uuid: () => `${hex(8, 'a')}-${hex(4, 'b')}-4${hex(3, 'c')}-a${hex(3, 'd')}-${hex(10, 'e')}${hex(2, 'f')}`,
    ipv4: () => `192.0.2.${number(1, 254, 'ip')}`,
    ipv6: () => `2001:db8::${hex(4, 'ip')}`,
    hostname: () => `host${number(1, 99, 'host')}.example.com`,
    duration: () => `PT${number(1, 59, 'duration')}M`,
  };
  return forms[format ?? '']?.() ?? null;
}

function byName(context: StringContext): string {
  const { seed, place, chinese } = context;
  const name = context.name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const language = chinese ? 'zh' : 'en';
  const format = [
    [/(^|_)(url|uri|link|href)$/, 'uri'],
    [/(^|_)e?mail$/, 'email'],
    [/(^|_)(date|day)$|_on$/, 'date'],
    [/_at$|(^|_)timestamp$/, 'date-time'],
    [/(^|_)domain$/, 'hostname'],
  ].find(([form]) => (form as RegExp).test(name))?.[1] as string | undefined;
  if (format !== undefined) return byFormat(format, context) ?? '';
  if (/evidence|quote|excerpt|snippet|surface|(^|_)raw/.test(name)) return excerpt(context);
  if (/(^|_)currency$/.test(name)) return pick(['CNY', 'EUR', 'USD'], seed, place);
  if (/(^|_)lang(uage)?$/.test(name)) return language;
  if (/(^|_)code$/.test(name)) return pick(['ok', 'general', 'other'], seed, place);
  if (/(^|_)(id|no|number|sku)$/.test(name)) return `N-${wholeBetween(1000, 9999, seed, place)}`;
  if (/name|title|author|brand|seller|buyer|company/.test(name)) return pick(NAMES[language], seed, place);
  if (/reason|reply|text|summary|description|comment|answer|explanation|content|note/.test(name)) {
    return pick(SENTENCES[language], seed, place);
  }
  return pick(PHRASES[language], seed, place);
}

// Readers check that evidence stands in the text, so it must be one contiguous piece of it.
function excerpt({ seed, place, excerptOf, chinese }: StringContext): string {
  const lines = excerptOf
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return pick(PHRASES[chinese ? 'zh' : 'en'], seed, place);
  return [...pick(lines, seed, place)].slice(0, 40).join('').trim();
}

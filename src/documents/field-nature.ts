import type { FieldRule } from './document-types.ts';
import { labelWords } from './label-words.ts';
import { bareName } from './names.ts';
import { findDates } from './normalise-date.ts';
import { type Conventions, type Reading, readValue, scalarOf } from './normalise-value.ts';

/** What a text field holds: the number of something, the name of somebody, or any words. */
export type Nature = 'number' | 'name' | 'words';

const NUMBER = /号码|编号|账号|单号|文号|[^称型]号(?!召)|电话|手机|\b(?:no|number|id|iban|ref|reference|phone)\b/iu;
const NAME =
  /(?:姓名|户名|单位|商户|店名|供应商|客户|公司|银行|机构|[方人](?![式数]))|\b(?:name|firm|company|party|customer|client|buyer|seller|supplier|vendor|merchant|bank|sender|recipient|holder|tenant|landlord|applicant|patient|employee|passenger|insurer|payee|payer|author|office)\b/iu;
const natures = new WeakMap<FieldRule, Nature>();

export function natureOf(field: FieldRule): Nature {
  let nature = natures.get(field);
  if (nature === undefined) {
    const { name, description } = field;
    const [first = ''] = description.split(/[。.（(]/);
    nature = NUMBER.test(name)
      ? 'number'
      : NAME.test(name) || (NAME.test(first) && /\b(?:firm|who|whose)\b/i.test(first))
        ? 'name'
        : 'words';
    natures.set(field, nature);
  }
  return nature;
}

/** Reads a printed piece as a value of a field and refuses what such a field does not hold; null where it is none. */
export function readField(field: FieldRule, printed: string, context: Conventions): Reading | null {
  if (scalarOf(field) !== 'string' || field.type === 'list') return readValue(field, printed, context);
  const nature = natureOf(field);
  const text =
    nature === 'number' ? numberIn(printed) : nature === 'name' ? bareName(printed.split('\n')[0]!) : printed;
  const reading = text === null ? null : readValue(field, text, context);
  if (reading === null || typeof reading.value !== 'string') return null;
  return fits(reading.value, nature, field) ? reading : null;
}

const MAX_NUMBER = 40;

function fits(value: string, nature: Nature, field: FieldRule): boolean {
  if (nature === 'number') return value.length <= MAX_NUMBER && !isDateAlone(value);
  // A person's name in capitals with a slash, a firm's with figures in it: only what is plainly no name is refused.
  if (nature === 'name') return /\p{L}{2}|\p{Script=Han}/u.test(value) && !NO_NAME.some((test) => test(value));
  return !labelWords(field).wanted.includes(value);
}

const isDateAlone = (value: string): boolean => {
  const [date] = findDates(value, null);
  return date !== undefined && date.start === 0 && date.end === value.length && /[年月\s]|\p{L}/u.test(value);
};
/** A sentence that goes on behind the word: `Client shall give …`. */
const isClause = (value: string): boolean => /^[a-z]+ .* /.test(value);
const isAmount = (value: string): boolean => /^[\s¥￥$€£]*[\d.,]+(?:元|%)?$/.test(value);

const NO_NAME = [isDateAlone, isAmount, isClause, (value: string) => /[:：]/.test(value)];

/** The number that a piece begins with: `FP-2026-0318-02（补）`, `GB00 EXMP 0000`, `木函〔2026〕7号`. */
function numberIn(printed: string): string | null {
  const [line = ''] = printed.trim().split('\n');
  const [piece = ''] = line.split(/\s{2,}|[,，;；。]|\s(?=\p{Script=Han})|(?<=\d)[（(](?!\d)|\s(?=[a-z]{2,}\b)/u);
  const value = piece.replace(/^(?:no|nr|#)[.:\s]*/i, '').trim();
  return /\p{Nd}/u.test(value) ? value : null;
}

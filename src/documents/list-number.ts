/**
 * Numbers of lists and headings as documents print them, by the names that WordprocessingML has for the forms
 * (ECMA-376 part 1, 17.18.59, ST_NumberFormat). A form that is not known is shown in decimal digits.
 */
export function listNumber(value: number, form: string): string {
  return Object.hasOwn(FORMS, form) && value > 0 ? FORMS[form]!(value) : String(value);
}

const FORMS: Readonly<Record<string, (value: number) => string>> = {
  none: () => '',
  decimalZero: (value) => String(value).padStart(2, '0'),
  lowerLetter: letters,
  upperLetter: (value) => letters(value).toUpperCase(),
  lowerRoman: (value) => roman(value).toLowerCase(),
  upperRoman: roman,
  ordinal: (value) => `${value}${ordinalEnding(value)}`,
  decimalFullWidth: (value) => String(value).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  decimalEnclosedFullstop: (value) => `${value}.`,
  decimalEnclosedParen: (value) => `(${value})`,
  chineseCounting: (value) => counted(value, SMALL),
  chineseCountingThousand: (value) => counted(value, SMALL),
  taiwaneseCounting: (value) => counted(value, SMALL),
  taiwaneseCountingThousand: (value) => counted(value, SMALL),
  japaneseCounting: (value) => counted(value, SMALL),
  chineseLegalSimplified: (value) => counted(value, LEGAL),
  ideographLegalTraditional: (value) => counted(value, LEGAL_TRADITIONAL),
  ideographDigital: (value) => digitwise(value, '〇'),
  taiwaneseDigital: (value) => digitwise(value, '○'),
  ideographTraditional: (value) => cycle(value, '甲乙丙丁戊己庚辛壬癸'),
  ideographZodiac: (value) => cycle(value, '子丑寅卯辰巳午未申酉戌亥'),
};

/** a … z, aa, bb …: Word repeats the letter. */
function letters(value: number): string {
  return String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(Math.ceil(value / 26), 10));
}

const ROMAN = Object.entries({
  M: 1000,
  CM: 900,
  D: 500,
  CD: 400,
  C: 100,
  XC: 90,
  L: 50,
  XL: 40,
  X: 10,
  IX: 9,
  V: 5,
  IV: 4,
  I: 1,
});

function roman(value: number): string {
  if (value >= 4_000) return String(value);
  let left = value;
  return ROMAN.map(([sign, size]) => {
    const times = Math.floor(left / size);
    left -= times * size;
    return sign.repeat(times);
  }).join('');
}

function ordinalEnding(value: number): string {
  const tens = Math.floor(value / 10) % 10;
  return (tens === 1 ? undefined : ['th', 'st', 'nd', 'rd'][value % 10]) ?? 'th';
}

/** Unicode has them to 50, in three places. */
function circled(value: number): string {
  if (value <= 20) return String.fromCharCode(0x2460 + value - 1);
  if (value <= 35) return String.fromCharCode(0x3251 + value - 21);
  return value <= 50 ? String.fromCharCode(0x32b1 + value - 36) : String(value);
}

interface Numerals {
  readonly digits: string;
  readonly units: readonly string[];
  /** 11 is 十一 in counting, and 壹拾壹 where nothing may be added before it. */
  readonly oneTen: boolean;
}

const SMALL: Numerals = { digits: '零一二三四五六七八九', units: ['', '十', '百', '千'], oneTen: false };
const LEGAL: Numerals = { digits: '零壹贰叁肆伍陆柒捌玖', units: ['', '拾', '佰', '仟'], oneTen: true };
const LEGAL_TRADITIONAL: Numerals = { digits: '零壹貳參肆伍陸柒捌玖', units: ['', '拾', '佰', '仟'], oneTen: true };

function counted(value: number, { digits, units, oneTen }: Numerals): string {
  if (value >= 10_000) return String(value);
  const text = [...String(value)]
    .map((digit, at, all) => (digit === '0' ? digits[0] : `${digits[Number(digit)]}${units[all.length - 1 - at]}`))
    .join('')
    .replace(new RegExp(`${digits[0]}+`, 'g'), digits[0]!)
    .replace(new RegExp(`${digits[0]}$`), '');
  return oneTen ? text : text.replace(new RegExp(`^${digits[1]}(?=${units[1]})`), '');
}

const digitwise = (value: number, zero: string): string =>
  [...String(value)].map((digit) => (digit === '0' ? zero : SMALL.digits[Number(digit)])).join('');

const cycle = (value: number, signs: string): string => (value <= signs.length ? signs[value - 1]! : String(value));

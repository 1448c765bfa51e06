import { Converter, type ConverterFunction } from 'opencc-js/t2cn';

let convert: ConverterFunction | undefined;
/** Code unit → its simplified form; 0 = not met yet. */
const table = new Uint16Array(0x10000);

/**
 * The simplified form of a code unit, by OpenCC's table; what is no traditional character comes back as it is.
 * The table is opened at the first Chinese character: that takes 16 ms, which other processes never spend.
 */
export function simplifiedUnit(unit: number): number {
  const known = table[unit]!;
  if (known !== 0) return known;
  const character = String.fromCharCode(unit);
  let simplified = unit;
  if (/\p{Script=Han}/u.test(character)) {
    convert ??= Converter({ from: 't', to: 'cn' });
    const converted = convert(character);
    if (converted.length === 1) simplified = converted.charCodeAt(0);
  }
  table[unit] = simplified;
  return simplified;
}

/**
 * A text with simplified characters, of the same length: character by character, never by phrase, so that a name means
 * the same wherever it stands.
 */
export function toSimplified(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (simplifiedUnit(text.charCodeAt(i)) === text.charCodeAt(i)) continue;
    return Array.from({ length: text.length }, (_, k) => String.fromCharCode(simplifiedUnit(text.charCodeAt(k)))).join(
      '',
    );
  }
  return text;
}

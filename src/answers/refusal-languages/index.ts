import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { japanese } from './japanese.ts';
import { korean } from './korean.ts';
import type { Language } from './language.ts';
import { italian, portuguese, spanish } from './romance.ts';
import { russian } from './russian.ts';

export type { Language, RefusalKind } from './language.ts';

/** Languages of one script; `trigger` and `preamble` are those of any of them. */
export interface Script {
  readonly languages: readonly Language[];
  readonly trigger: RegExp;
  readonly preamble: RegExp;
}

const script = (...languages: Language[]): Script => ({
  languages,
  trigger: anyOf(languages.map((language) => language.trigger)),
  preamble: anyOf(languages.map((language) => language.preamble)),
});

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join('|'));
}

const latin = script(english, german, french, spanish, portuguese, italian);
const [hanOnly, withKana, hangulOnly, cyrillicOnly] = [
  script(chinese),
  script(japanese),
  script(korean),
  script(russian),
];

/** The script of most letters of a text. An ideograph or syllable weighs as much as three letters. */
export function scriptOf(text: string): Script {
  let [han, kana, hangul, cyrillic, letters] = [0, 0, 0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i) | 0x20;
    if (c >= 0x61 && c <= 0x7a) letters++;
    else if (c < 0x400) continue;
    else if (c < 0x530) cyrillic++;
    else if (c >= 0x3040 && c < 0x3100) kana++;
    else if (c >= 0x3400 && c < 0xa000) han++;
    else if (c >= 0xac00 && c < 0xd7b0) hangul++;
  }
  const east = 3 * (han + kana + hangul);
  if (east > 0 && east >= letters && east >= cyrillic) {
    if (hangul > han + kana) return hangulOnly;
    return kana * 4 > han ? withKana : hanOnly;
  }
  return cyrillic > letters ? cyrillicOnly : latin;
}

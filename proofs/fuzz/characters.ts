import type { Chance } from './chance.ts';

/** Signs that structure answers: each begins or ends something in Markdown, HTML, entities, lists or citation marks. */
export const SIGNS = [...'*_~`#>|-+=[]()<>{}!&;\\/:.,"\'@1①第一🥇（）【】「」《》：、，。？ \t\n'];

/** Characters that are seen as nothing, or that change the ones beside them. */
export const INVISIBLE = [
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\ufe0f',
  '\u{e0101}',
  '\u202e',
  '\u202d',
  '\u2066',
  '\u2069',
  '\u200f',
  '\u061c',
  '\u0000',
  '\u0008',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u00a0',
  '\u3000',
];

/** Marks that join the character before: accents, voicing marks, enclosing keycaps, skin tones, vowel signs. */
export const JOINING = [
  '\u0301',
  '\u0308',
  '\u0327',
  '\u3099',
  '\u309a',
  'ﾞ',
  '\u20e3',
  '\u{1f3fd}',
  '\u093e',
  '\u0e31',
];

export const LONE_SURROGATES = ['\ud800', '\udbff', '\udc00', '\udfff', '\ud83e', '\udd47'];

export const ENTITIES = [
  '&amp;',
  '&#38;',
  '&nbsp;',
  '&lt;',
  '&gt;',
  '&quot;',
  '&#x27;',
  '&#',
  '&#x',
  '&amp',
  '&;',
  '&&amp;',
];

/** Letters that grow, shrink or split when they are folded. */
const AWKWARD = [
  'İ',
  'ß',
  'ẞ',
  'ﬃ',
  'ς',
  'ǆ',
  'ŉ',
  '㈱',
  '™',
  'Ⅻ',
  '㍿',
  '｡',
  'ｶﾞ',
  '각',
  '각',
  '👨‍👩‍👧',
  '🇨🇳',
  '𝗞𝗶𝗺𝗶',
  '豈',
];

/** A character of any of the 17 planes, unassigned and private ones included, or one of the awkward kinds above. */
export function anyCharacter(chance: Chance): string {
  const kind = chance.between(0, 9);
  if (kind === 0) return chance.pick(INVISIBLE);
  if (kind === 1) return chance.pick(JOINING);
  if (kind === 2) return chance.pick(LONE_SURROGATES);
  if (kind === 3) return chance.pick(AWKWARD);
  const plane = kind < 7 ? chance.between(0, 2) : chance.between(0, 16);
  return String.fromCodePoint(plane * 0x10000 + chance.between(0, 0xffff));
}

/** The same letter in another dress: full width, styled mathematical letters, the other case. */
export function otherForm(character: string, chance: Chance): string {
  const code = character.charCodeAt(0);
  const form = chance.between(0, 2);
  if (form === 0 && code > 0x20 && code < 0x7f) return String.fromCharCode(code + 0xfee0);
  if (form === 1 && /^[A-Z]$/.test(character)) return String.fromCodePoint(0x1d5d4 + code - 0x41);
  if (form === 1 && /^[a-z]$/.test(character)) return String.fromCodePoint(0x1d5ee + code - 0x61);
  return character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
}

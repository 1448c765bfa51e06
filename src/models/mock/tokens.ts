const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u;

// Tokens of common vocabularies: about one for a Chinese character, one for four other characters.
function weight(character: string): number {
  return CJK.test(character) ? 1 : 0.25;
}

/** Estimates tokens from length: one for a CJK character, a quarter for any other, rounded up. */
export function estimateTokens(text: string): number {
  let sum = 0;
  for (const character of text) sum += weight(character);
  return Math.ceil(sum);
}

/** The longest beginning of `text` that is estimated at no more than `limit` tokens; whole characters only. */
export function firstTokens(text: string, limit: number): string {
  let sum = 0;
  let end = 0;
  for (const character of text) {
    sum += weight(character);
    if (sum > limit) return text.slice(0, end);
    end += character.length;
  }
  return text;
}

/** Cuts `text` into pieces of at most `size` characters, as a model would stream them; no character is split. */
export function pieces(text: string, size: number): string[] {
  const characters = [...text];
  const list: string[] = [];
  for (let i = 0; i < characters.length; i += size) list.push(characters.slice(i, i + size).join(''));
  return list;
}

/** Whether the text has any Chinese in it, so that an answer to it should be Chinese. */
export function looksChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

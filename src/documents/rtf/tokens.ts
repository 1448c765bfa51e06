/** A piece of RTF (specification 1.9.1): where a group begins or ends, a control word, a byte of text, plain text. */
export type Token =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | null }
  | { readonly kind: 'text'; readonly text: string };

const PIECE = /([{}])|\\([a-z]+)(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([^\\{}\r\n]+)|[\r\n]+/giy;

/** RTF to its pieces. Text is in bytes of some code page, one a character. */
export function* rtfTokens(source: string): Generator<Token> {
  const piece = new RegExp(PIECE);
  for (let match = piece.exec(source); match; match = piece.exec(source)) {
    const [, brace, word, value, hex, sign, text] = match;
    if (brace) yield brace === '{' ? { kind: 'open' } : { kind: 'close' };
    else if (word) {
      const number = value === undefined ? null : Number(value);
      yield { kind: 'word', word, value: number };
      // So many bytes follow that are no RTF.
      if (word === 'bin') piece.lastIndex += Math.max(0, number ?? 0);
    } else if (hex) yield { kind: 'text', text: String.fromCharCode(Number.parseInt(hex, 16)) };
    else if (sign) yield ofSign(sign);
    else if (text) yield { kind: 'text', text };
  }
}

function ofSign(sign: string): Token {
  if (sign === '\n' || sign === '\r') return { kind: 'word', word: 'par', value: null };
  if (sign === '\\' || sign === '{' || sign === '}') return { kind: 'text', text: sign };
  return { kind: 'word', word: sign, value: null };
}

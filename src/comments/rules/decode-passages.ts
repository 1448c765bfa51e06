/**
 * Passages of a text that say something only when they are decoded: base64, hexadecimal, escapes of JSON and HTML. A model
 * reads them, a person does not.
 */
export function decodePassages(text: string): string[] {
  return [
    ...(text.match(/[A-Za-z0-9+/_-]{20,}={0,2}/g) ?? []).map((one) => readable(Buffer.from(one, 'base64'))),
    ...(text.match(/(?:[0-9a-f]{2}[ ]?){12,}/gi) ?? []).map((one) =>
      readable(Buffer.from(one.replaceAll(' ', ''), 'hex')),
    ),
    ...(/\\u[0-9a-f]{4}|&#x?[0-9a-f]{1,6};/i.test(text) ? [unescaped(text)] : []),
  ].filter((one) => one !== null);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The bytes as text, if they are one that somebody may have written; null for noise. */
function readable(bytes: Buffer): string | null {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return null;
  }
  const characters = [...text];
  const written = characters.filter((c) => /[\p{L}\p{N}\p{P}\p{Zs}\n]/u.test(c)).length;
  const isProse = /\p{L}[ ,.]|\p{Script=Han}{2}/u.test(text);
  return characters.length >= 4 && written / characters.length > 0.95 && isProse ? text : null;
}

function unescaped(text: string): string {
  const character = (digits: string, radix: number): string => {
    const point = Number.parseInt(digits, radix);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '';
  };
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, digits: string) => character(digits, 16))
    .replace(/&#x([0-9a-f]{1,6});/gi, (_, digits: string) => character(digits, 16))
    .replace(/&#([0-9]{1,7});/g, (_, digits: string) => character(digits, 10));
}

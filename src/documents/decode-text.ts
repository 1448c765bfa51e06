export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252';

/**
 * Bytes to text: by the byte order mark, else UTF-8 where all of it is valid, else UTF-16 by the place of its zero
 * bytes, else GB18030 where high bytes come in pairs, else Windows-1252, in which every byte is something.
 */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } {
  const encoding = encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const byZeros = wideEncoding(bytes.subarray(0, 4096));
  if (byZeros) return byZeros;
  if (isValid('utf-8', bytes)) return 'utf-8';
  return pairedShare(bytes) >= 0.9 && isValid('gb18030', bytes) ? 'gb18030' : 'windows-1252';
}

function isValid(encoding: Encoding, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function wideEncoding(head: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (!byte) zeros[at % 2]! += 1;
  });
  const enough = Math.max(2, head.length / 20);
  if (zeros[1]! >= enough && !zeros[0]) return 'utf-16le';
  if (zeros[0]! >= enough && !zeros[1]) return 'utf-16be';
  return null;
}

/** Which share of the high bytes stands in pairs of two high bytes, as common Chinese characters do in GB encodings. */
function pairedShare(bytes: Uint8Array): number {
  let paired = 0;
  let high = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at]! < 0x80) continue;
    high += 1;
    if (bytes[at]! >= 0xa1 && bytes[at]! <= 0xf7 && bytes[at + 1]! >= 0xa1) {
      high += 1;
      paired += 2;
      at += 1;
    }
  }
  return high ? paired / high : 0;
}

/** Whether bytes are text at all: no control characters beside those of text. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const { text } = decodeText(bytes.subarray(0, 65_536));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
}

export type Encoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'gb18030'
  | 'big5'
  | 'shift_jis'
  | 'iso-8859-15'
  | 'windows-1252';

/**
 * Bytes to text: by the byte order mark, else UTF-8 where nearly all of it is valid, else UTF-16 by the place of its zero
 * bytes, else the encoding of two bytes a character in which most are common ones, else one of the Western encodings, in
 * which every byte is something.
 */
export function decodeText(bytes: Uint8Array): { readonly text: string; readonly encoding: Encoding } {
  const encoding = encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

/** What an encoding other than UTF-8 is said by. */
export const encodingWarning = (encoding: Encoding): string[] =>
  encoding === 'utf-8' ? [] : [`encoding: ${encoding}`];

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const byZeros = wideEncoding(bytes.subarray(0, 4096));
  if (byZeros) return byZeros;
  if (isUtf8(bytes)) return 'utf-8';
  return twoByteEncoding(bytes) ?? westernEncoding(bytes);
}

function isValid(encoding: Encoding, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** A few broken characters, at the end of a file that was cut off above all, do not make it something else. */
function isUtf8(bytes: Uint8Array): boolean {
  if (isValid('utf-8', bytes)) return true;
  const text = new TextDecoder().decode(bytes);
  const beyondAscii = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  return (text.match(/\ufffd/g)?.length ?? 0) * 20 < beyondAscii;
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

interface TwoByte {
  readonly encoding: Encoding;
  isLead(byte: number): boolean;
  /** Whether a pair is a character of everyday texts or punctuation. */
  isCommon(lead: number, trail: number): boolean;
}

const within = (byte: number, from: number, to: number) => byte >= from && byte <= to;

const TWO_BYTE: readonly TwoByte[] = [
  {
    encoding: 'gb18030',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    // Level 1 of GB 2312, its punctuation and its full-width letters.
    isCommon: (lead, trail) => (within(lead, 0xb0, 0xd7) || within(lead, 0xa1, 0xa3)) && within(trail, 0xa1, 0xfe),
  },
  {
    encoding: 'big5',
    isLead: (byte) => within(byte, 0x81, 0xfe),
    isCommon: (lead, trail) => within(lead, 0xa1, 0xc6) && (within(trail, 0x40, 0x7e) || within(trail, 0xa1, 0xfe)),
  },
  {
    encoding: 'shift_jis',
    isLead: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    // Punctuation, kana and level 1 of JIS X 0208.
    isCommon: (lead, trail) => (within(lead, 0x81, 0x83) || within(lead, 0x88, 0x97)) && within(trail, 0x40, 0xfc),
  },
];

const SAMPLE = 100_000;
/** Shares of the characters beyond ASCII. */
const COMMON_ENOUGH = 0.5;
/** Signs such as `°` and `’` before Latin letters look like pairs whose second byte is ASCII. */
const HIGH_TRAILS_ENOUGH = 0.25;

function twoByteEncoding(bytes: Uint8Array): Encoding | null {
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte >= 0x80),
  );
  const sample = bytes.subarray(first, first + SAMPLE);
  const [best] = TWO_BYTE.map((one) => ({ encoding: one.encoding, share: commonShare(sample, one) }))
    .filter(({ share }) => share >= COMMON_ENOUGH)
    .sort((a, b) => b.share - a.share)
    .filter(({ encoding }) => isValid(encoding, bytes));
  return best?.encoding ?? null;
}

function commonShare(bytes: Uint8Array, { isLead, isCommon }: TwoByte): number {
  let characters = 0;
  let common = 0;
  let highTrails = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at]!;
    if (lead < 0x80) continue;
    characters += 1;
    const trail = bytes[at + 1] ?? 0;
    if (!isLead(lead) || trail < 0x40) continue;
    if (isCommon(lead, trail)) common += 1;
    if (trail >= 0x80) highTrails += 1;
    at += 1;
  }
  return highTrails >= characters * HIGH_TRAILS_ENOUGH ? common / characters : 0;
}

/**
 * ISO-8859-15 differs from Windows-1252 in eight places, and has no letters from 80 to 9F. The sign for any currency, now
 * the euro, and the fractions, now letters, tell it.
 */
function westernEncoding(bytes: Uint8Array): Encoding {
  const isLetter = (byte: number | undefined) =>
    byte !== undefined && (within(byte | 0x20, 0x61, 0x7a) || byte >= 0xc0);
  let told = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (within(byte, 0x80, 0x9f)) return 'windows-1252';
    if (byte === 0xa4 || (within(byte, 0xbc, 0xbe) && (isLetter(bytes[at - 1]) || isLetter(bytes[at + 1]))))
      told = true;
  }
  return told ? 'iso-8859-15' : 'windows-1252';
}

/** Whether bytes are text at all: no control characters beside those of text. */
export function looksLikeText(bytes: Uint8Array): boolean {
  const { text } = decodeText(bytes.subarray(0, 65_536));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
}

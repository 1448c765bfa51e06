import type { Encoding } from '../../src/documents/decode-text.ts';

const tables = new Map<Encoding, ReadonlyMap<string, Uint8Array>>();

/** Text to bytes in any of the encodings that are read: the decoder of the platform turned round. */
export function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tables.get(encoding) ?? tableOf(encoding);
  tables.set(encoding, table);
  return Buffer.concat(
    [...text].map((one) => {
      const bytes = table.get(one);
      if (!bytes) throw new Error(`${encoding} has no ${one}`);
      return bytes;
    }),
  );
}

function tableOf(encoding: Encoding): Map<string, Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const table = new Map<string, Uint8Array>();
  const add = (...bytes: number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !table.has(character)) table.set(character, Uint8Array.from(bytes));
    } catch {
      // There is no such character.
    }
  };
  for (let first = 0; first < 256; first += 1) add(first);
  for (let first = 0x81; first < 256; first += 1) for (let second = 0x40; second < 256; second += 1) add(first, second);
  return table;
}

import { crc32, inflateRawSync } from 'node:zlib';
import { broken, locked, type Meter, tooLarge } from './budgets.ts';

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const FULL_16 = 0xffff;
const FULL_32 = 0xffffffff;

/**
 * Offsets and fields after PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.14 to 4.3.16. Sizes are those of the
 * directory: where a local header leaves them to a data descriptor, only the directory has them in front.
 */
interface Entry {
  readonly name: string;
  readonly method: number;
  readonly checksum: number;
  readonly packed: number;
  readonly expanded: number;
  readonly offset: number;
  readonly encrypted: boolean;
}

/** The names in an archive's directory, or null where the bytes hold none. */
export function listZip(bytes: Uint8Array): string[] | null {
  return readDirectory(bytes)?.map(({ name }) => name) ?? null;
}

/** One small file of an archive, as text; null where there is none of that name or it is larger than `most` bytes. */
export function peekZip(bytes: Uint8Array, name: string, most: number): string | null {
  const entry = readDirectory(bytes)?.find((one) => one.name === name);
  if (!entry || entry.expanded > most || entry.encrypted) return null;
  return Buffer.from(unpack(bytes, entry, most, most)).toString('utf8');
}

/**
 * The files of an archive that are wanted, by name; of several with one name the last, as programs that unpack take it.
 * What they expand to is counted while unpacking: the sizes that an archive states may be wrong. Names never become
 * paths.
 * @throws file.too_large, file.invalid, file.password_required
 */
export function readZip(
  bytes: Uint8Array,
  meter: Meter,
  wanted: (name: string) => boolean = () => true,
): Map<string, Uint8Array> {
  const entries = readDirectory(bytes);
  if (!entries) throw broken('the archive has no directory: the file is cut off');
  meter.take('archiveEntries', entries.length);
  const most = Math.min(meter.left('expandedBytes'), Math.max(2 ** 20, bytes.length * meter.budgets.expansionRatio));
  if (entries.reduce((sum, one) => sum + one.expanded, 0) > most) throw bomb(most);
  const last = new Map(entries.filter(({ name }) => wanted(name)).map((one) => [one.name, one]));
  const files = new Map<string, Uint8Array>();
  let left = most;
  for (const [name, entry] of last) {
    meter.checkTime();
    const content = unpack(bytes, entry, left, most);
    left -= content.length;
    files.set(name, content);
  }
  meter.take('expandedBytes', most - left);
  return files;
}

const bomb = (most: number) => tooLarge(`the archive unpacks to more than ${most} bytes`, { budget: 'expandedBytes' });

function readDirectory(bytes: Uint8Array): Entry[] | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findDirectory(view);
  if (!end) return null;
  const entries: Entry[] = [];
  let at = end.offset;
  for (let left = end.count; left > 0; left -= 1) {
    if (at + 46 > view.length || view.readUInt32LE(at) !== ENTRY) return null;
    const nameLength = view.readUInt16LE(at + 28);
    const extraLength = view.readUInt16LE(at + 30);
    const extra = view.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    entries.push({
      // Some programs write the separators of Windows.
      name: view.toString('utf8', at + 46, at + 46 + nameLength).replaceAll('\\', '/'),
      method: view.readUInt16LE(at + 10),
      checksum: view.readUInt32LE(at + 16),
      ...withSizes64(extra, {
        expanded: view.readUInt32LE(at + 24),
        packed: view.readUInt32LE(at + 20),
        offset: view.readUInt32LE(at + 42),
      }),
      encrypted: (view.readUInt16LE(at + 8) & 1) === 1,
    });
    at += 46 + nameLength + extraLength + view.readUInt16LE(at + 32);
  }
  return entries;
}

/** Where the directory begins and how many entries it has; an archive of ZIP64 says so in a record of its own. */
function findDirectory(view: Buffer): { readonly offset: number; readonly count: number } | null {
  let end = view.length - 22;
  for (const lowest = Math.max(0, end - FULL_16); end >= lowest && view.readUInt32LE(end) !== END; ) end -= 1;
  if (end < 0 || view.readUInt32LE(end) !== END) return null;
  const count = view.readUInt16LE(end + 10);
  const offset = view.readUInt32LE(end + 16);
  if (count !== FULL_16 && offset !== FULL_32) return { offset, count };
  const locator = end - 20;
  if (locator < 0 || view.readUInt32LE(locator) !== LOCATOR_64) return { offset, count };
  const record = Number(view.readBigUInt64LE(locator + 8));
  if (record + 56 > view.length || view.readUInt32LE(record) !== END_64) return null;
  return { offset: Number(view.readBigUInt64LE(record + 48)), count: Number(view.readBigUInt64LE(record + 32)) };
}

interface Sizes {
  readonly expanded: number;
  readonly packed: number;
  readonly offset: number;
}

/** The extra field 1 holds, in this order, those of the sizes that do not fit into 32 bits (APPNOTE 4.5.3). */
function withSizes64(extra: Buffer, sizes: Sizes): Sizes {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let value = at + 4;
    const end = Math.min(extra.length, value + extra.readUInt16LE(at + 2));
    const wide = (size: number) => {
      if (size !== FULL_32 || value + 8 > end) return size;
      value += 8;
      return Number(extra.readBigUInt64LE(value - 8));
    };
    return { expanded: wide(sizes.expanded), packed: wide(sizes.packed), offset: wide(sizes.offset) };
  }
  return sizes;
}

function unpack(bytes: Uint8Array, entry: Entry, left: number, most: number): Uint8Array {
  if (entry.encrypted) throw locked('the archive');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > view.length || view.readUInt32LE(entry.offset) !== LOCAL)
    throw broken('the archive has an entry that is not there');
  const start = entry.offset + 30 + view.readUInt16LE(entry.offset + 26) + view.readUInt16LE(entry.offset + 28);
  const packed = view.subarray(start, start + entry.packed);
  const content = inflate(packed, entry.method, left, most);
  if (crc32(content) !== entry.checksum)
    throw broken('the archive has an entry with a wrong checksum: the file is damaged');
  return content;
}

function inflate(packed: Buffer, method: number, left: number, most: number): Buffer {
  if (method !== 0 && method !== 8) throw broken('the archive is packed in a way that is not read');
  if (method === 0) {
    if (packed.length > left) throw bomb(most);
    return packed;
  }
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, left) });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw bomb(most);
    throw broken('the archive cannot be unpacked: the file is damaged', error);
  }
}

/** An archive of these files, nothing packed. */
export function writeZip(files: Iterable<readonly [string, Uint8Array]>): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const bytesOfName = Buffer.from(name);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(bytesOfName.length, 22);
    const entry = Buffer.alloc(20);
    entry.writeUInt32LE(ENTRY, 0);
    entry.writeUInt16LE(20, 4);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    const head = Buffer.alloc(4);
    head.writeUInt32LE(LOCAL, 0);
    parts.push(head, fields, bytesOfName, Buffer.from(content));
    directory.push(entry.subarray(0, 6), fields, tail, bytesOfName);
    offset += 30 + bytesOfName.length + content.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(directory.length / 4, 8);
  end.writeUInt16LE(directory.length / 4, 10);
  end.writeUInt32LE(
    directory.reduce((sum, one) => sum + one.length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

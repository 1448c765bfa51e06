import { crc32, inflateRawSync } from 'node:zlib';
import { broken, locked, type Meter, tooLarge } from './budgets.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;

/** Offsets and fields after PKWARE's APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16. ZIP64 is not read. */
interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly expanded: number;
  readonly offset: number;
  readonly encrypted: boolean;
}

/** The names in an archive's directory, or null where the bytes hold none. */
export function listZip(bytes: Uint8Array): string[] | null {
  return readDirectory(bytes)?.map(({ name }) => name) ?? null;
}

/**
 * All files of an archive by name. What they expand to is counted while unpacking: the sizes that an archive states
 * may be wrong.
 * @throws file.too_large, file.invalid, file.password_required
 */
export function readZip(bytes: Uint8Array, meter: Meter): Map<string, Uint8Array> {
  const entries = readDirectory(bytes);
  if (!entries) throw broken('the archive has no directory: the file is cut off');
  meter.take('archiveEntries', entries.length);
  const { expansionRatio, expandedBytes } = meter.budgets;
  const most = Math.min(expandedBytes, Math.max(2 ** 20, bytes.length * expansionRatio));
  if (entries.reduce((sum, one) => sum + one.expanded, 0) > most) throw bomb(most);
  const files = new Map<string, Uint8Array>();
  let left = most;
  for (const entry of entries) {
    meter.checkTime();
    const content = unpack(bytes, entry, left, most);
    left -= content.length;
    files.set(entry.name, content);
  }
  meter.take('expandedBytes', most - left);
  return files;
}

const bomb = (most: number) => tooLarge(`the archive unpacks to more than ${most} bytes`, { budget: 'expandedBytes' });

function readDirectory(bytes: Uint8Array): Entry[] | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = view.length - 22;
  for (const lowest = Math.max(0, end - 0xffff); end >= lowest && view.readUInt32LE(end) !== END; ) end -= 1;
  if (end < 0 || view.readUInt32LE(end) !== END) return null;
  const entries: Entry[] = [];
  let at = view.readUInt32LE(end + 16);
  for (let count = view.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (at + 46 > view.length || view.readUInt32LE(at) !== ENTRY) return null;
    const nameLength = view.readUInt16LE(at + 28);
    entries.push({
      name: view.toString('utf8', at + 46, at + 46 + nameLength),
      method: view.readUInt16LE(at + 10),
      packed: view.readUInt32LE(at + 20),
      expanded: view.readUInt32LE(at + 24),
      offset: view.readUInt32LE(at + 42),
      encrypted: (view.readUInt16LE(at + 8) & 1) === 1,
    });
    at += 46 + nameLength + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
  return entries;
}

function unpack(bytes: Uint8Array, entry: Entry, left: number, most: number): Uint8Array {
  if (entry.encrypted) throw locked('the archive');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (entry.offset + 30 > view.length || view.readUInt32LE(entry.offset) !== LOCAL)
    throw broken('the archive has an entry that is not there');
  const start = entry.offset + 30 + view.readUInt16LE(entry.offset + 26) + view.readUInt16LE(entry.offset + 28);
  const packed = view.subarray(start, start + entry.packed);
  if (entry.method !== 0 && entry.method !== 8) throw broken('the archive is packed in a way that is not read');
  if (entry.method === 0 && packed.length > left) throw bomb(most);
  if (entry.method === 0) return packed;
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

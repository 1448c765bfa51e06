import { CFB } from '@e965/xlsx';
import { broken } from './budgets.ts';

/** Records with one cell, and with a run of cells of six bytes (or two, where they are empty) each ([MS-XLS] 2.4). */
const ONE_CELL = new Set([
  0x0006, 0x0201, 0x0203, 0x0204, 0x0205, 0x00d6, 0x00fd, 0x027e, 0x0002, 0x0003, 0x0004, 0x0005,
]);
const RUN_OF_NUMBERS = 0x00bd;
const RUN_OF_BLANKS = 0x00be;

/**
 * How many cells an old workbook has, counted over its records without reading what is in them.
 * @throws file.invalid
 */
export function countXlsCells(bytes: Uint8Array): number {
  const stream = workbookStream(bytes);
  let cells = 0;
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
    if (ONE_CELL.has(type)) cells += 1;
    else if (type === RUN_OF_NUMBERS) cells += Math.floor(length / 6);
    else if (type === RUN_OF_BLANKS) cells += Math.floor(length / 2);
  }
  return cells;
}

function workbookStream(bytes: Uint8Array): Buffer {
  try {
    const container = CFB.read(Buffer.from(bytes), { type: 'buffer' });
    const entry = CFB.find(container, 'Workbook') ?? CFB.find(container, 'Book');
    return Buffer.from(entry!.content as Uint8Array);
  } catch (error) {
    throw broken('the workbook cannot be read: the file is damaged', error);
  }
}

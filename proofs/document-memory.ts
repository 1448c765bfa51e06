import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { openTextReader, READER_LIMITS } from '../src/documents/text-reader.ts';
import { makeXlsx } from '../test/harness/make-documents.ts';
import { exampleDocument, makeScannedPdf } from '../test/harness/make-scans.ts';
import type { Proof, ProofStage } from './proof.ts';

const MEBI = 2 ** 20;
/** What the process that asks may grow by while another one reads. */
const PARENT_GROWTH = 150 * MEBI;

export const proof: Proof = {
  claim: `a scan of hundreds of pages, a page of 9,000 × 9,000 pixels and a sheet with one far cell are read in less than ${READER_LIMITS.residentBytes / MEBI} MiB, apart from the process that asks`,
  run: async (stage) => {
    const count = stage.quick ? 40 : 400;
    const pictures = ['d08.jpg', 'd12.jpg', 'd32.jpg'].map(exampleDocument);
    const large = await sharp(pictures[0]).resize(9000, 9000, { fit: 'fill' }).jpeg({ quality: 60 }).toBuffer();
    const rows = [
      await measure(stage, `scan of ${count} pages`, {
        bytes: await makeScannedPdf(Array.from({ length: count }, (_, at) => ({ jpeg: pictures[at % 3]! }))),
        name: 'scan.pdf',
        recognised: count,
        says: ['Holzapfel Werkzeuge GmbH', 'PARKING RECEIPT', 'Invoice'],
      }),
      await measure(stage, '9,000 × 9,000 px in a PDF', {
        bytes: await makeScannedPdf([{ jpeg: large }]),
        name: 'large.pdf',
        recognised: 1,
        says: ['Holzapfel Werkzeuge GmbH'],
      }),
      await measure(stage, '9,000 × 9,000 px, PNG', {
        bytes: await sharp(large).greyscale().png({ compressionLevel: 9 }).toBuffer(),
        name: 'large.png',
        recognised: 1,
        says: ['Holzapfel Werkzeuge GmbH'],
      }),
      await measure(stage, 'a cell at XFD1048576', {
        bytes: makeXlsx({ A1: 'near', XFD1048576: 'far' }),
        name: 'far.xlsx',
        recognised: 0,
        says: ['| near |  |\n| --- | --- |\n|  | far |'],
      }),
    ];
    stage.table(
      'Memory and time',
      ['file', 'kB', 'pages', 'recognised', 'most in a child, MiB', 'children', 'parent grew, MiB', 's'],
      rows,
    );
  },
};

interface Expected {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly recognised: number;
  readonly says: readonly string[];
}

async function measure(
  stage: ProofStage,
  what: string,
  { bytes, name, recognised, says }: Expected,
): Promise<unknown[]> {
  global.gc?.();
  const before = process.memoryUsage.rss();
  let parent = before;
  const peaks = new Map<string, number>();
  const watch = setInterval(() => {
    parent = Math.max(parent, process.memoryUsage.rss());
    for (const pid of childrenOf(process.pid)) peaks.set(pid, Math.max(peaks.get(pid) ?? 0, peakOf(pid)));
  }, 100);
  const reader = openTextReader();
  const began = performance.now();
  try {
    const { pages, markdown } = await reader.read(bytes, name);
    const seconds = (performance.now() - began) / 1000;
    const done = pages.filter(({ method }) => method === 'ocr').length;
    const most = Math.max(...peaks.values());
    stage.equal(done, recognised, `${what}: pages recognised`);
    for (const text of says) stage.check(markdown.includes(text), `${what}: the text lacks ${JSON.stringify(text)}`);
    stage.check(most > 0 && most < READER_LIMITS.residentBytes, `${what}: a child held ${Math.round(most / MEBI)} MiB`);
    stage.check(
      parent - before < PARENT_GROWTH,
      `${what}: the parent grew by ${Math.round((parent - before) / MEBI)} MiB`,
    );
    return [
      what,
      Math.round(bytes.length / 1000),
      pages.length,
      done,
      Math.round(most / MEBI),
      peaks.size,
      Math.round((parent - before) / MEBI),
      seconds.toFixed(1),
    ];
  } finally {
    clearInterval(watch);
    await reader.close();
  }
}

function childrenOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
}

/** The most memory that a process ever held, in bytes; 0 once it is gone. */
function peakOf(pid: string): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

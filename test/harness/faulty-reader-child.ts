import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { PageText } from '../../src/documents/page-record.ts';
import { endWithParent } from '../../src/documents/text-reader/end-with-parent.ts';
import type { ReaderNews, ReadOrder } from '../../src/documents/text-reader/protocol.ts';

// Stands in for the process that reads files: a file is a list of pages, each a word or a fault, and its text says which
// process read it. What begins with a P happens while a picture is recognised, all else while the file is parsed.

const kept: unknown[] = [];
const tell = (news: ReaderNews) => new Promise<void>((resolve) => process.send!(news, () => resolve()));
endWithParent();

process.on('message', async (order: ReadOrder) => {
  const pages: PageText[] = [];
  for (const [at, word] of (JSON.parse(Buffer.from(order.bytes).toString()) as string[]).entries()) {
    pages.push(order.known[at] ?? (await readPage(word, order)));
  }
  const text = pages.map((page) => page.text).join('\n\n');
  const records = pages.map(({ text: own, ...page }, at) => ({
    ...page,
    page: at + 1,
    start: null,
    characters: own.length,
  }));
  await tell({ kind: 'done', document: { type: 'text', markdown: text, pages: records, warnings: [] } });
});

async function readPage(word: string, order: ReadOrder): Promise<PageText> {
  const isPicture = word.startsWith('P');
  const failed: PageText = { text: '', method: 'none', score: null, warnings: ['ocr_failed'] };
  if (isPicture && !order.gaveUp) await tell({ kind: 'recognising' });
  if (!isPicture || !order.gaveUp) await suffer(word.replace(/^P/, ''), order);
  const read: PageText = {
    text: `${word} by ${process.pid}${word === 'what it may' ? ` with ${powers(order.name)}` : ''}`,
    method: isPicture ? 'ocr' : 'text',
    score: 1,
    warnings: [],
  };
  const page = isPicture && order.gaveUp ? failed : read;
  await tell({ kind: 'page', page });
  return page;
}

/** What a program that a file smuggled in would find. */
function powers(file: string): string {
  const tried = [() => writeFileSync(file, ''), () => spawnSync(process.execPath, ['--version'])].map((act) => {
    try {
      act();
      return 'done';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    }
  });
  return [...tried, ...Object.keys(process.env)].join();
}

async function suffer(fault: string, { known }: ReadOrder): Promise<void> {
  const isFirst = !known.length;
  if (fault === 'die' || (fault === 'dieOnce' && isFirst)) process.kill(process.pid, 'SIGKILL');
  const isStuck = fault === 'hang' || fault.startsWith('die') || fault === 'afresh';
  if (isStuck && (isFirst || fault === 'hang' || fault === 'die'))
    await new Promise((resolve) => setInterval(resolve, 2 ** 30));
  while (fault === 'spin');
  while (fault === 'memory') {
    kept.push(Buffer.alloc(2 ** 24, 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (fault === 'heap') kept.push(Array.from({ length: 1e5 }, (_, at) => ({ at })));
  if (fault === 'throw') throw new Error('broken');
}

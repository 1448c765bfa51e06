import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command } from 'commander';
import type { DocumentText, TextReader } from '../documents/index.ts';
import { CodedError } from '../errors/coded-error.ts';
import { EXIT } from './exit-status.ts';
import { complain, printLine, printTable } from './output.ts';
import { refuseUnreadable } from './read-tasks.ts';

export function readCommand(): Command {
  return new Command('read')
    .description('turn files into Markdown, with a record of how each page was read')
    .argument(
      '<file...>',
      'PDF, picture, DOCX, PPTX, XLSX, XLS, ODT, ODS, ODP, RTF, CSV, EML, HTML, Markdown or plain text',
    )
    .option('--json', 'one JSON line a file')
    .action(async (files: string[], options: { json?: boolean }) => {
      for (const file of files) {
        if (file === '-') throw new CodedError('cli.unreadable', 'permanent', '-: name a file, it says what is in it');
        refuseUnreadable(file);
      }
      const { openTextReader } = await import('../documents/index.ts');
      const reader = openTextReader();
      try {
        let failed = 0;
        for (const file of files) failed += (await readOne(file, reader, options.json ?? false)) ? 0 : 1;
        process.exitCode = failed ? EXIT.someFailed : EXIT.done;
      } finally {
        await reader.close();
      }
    });
}

async function readOne(file: string, reader: TextReader, json: boolean): Promise<boolean> {
  const { DEFAULT_BUDGETS } = await import('../documents/index.ts');
  try {
    const document = await reader.read(await bytesOf(file, DEFAULT_BUDGETS.bytes), basename(file));
    if (json) printLine({ file, ...document });
    else show(file, document);
    return true;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (json) printLine({ file, error: { code: error.code, message: error.message } });
    complain(`${file}: ${error.message} (${error.code})`);
    return false;
  }
}

/** One byte more than may be read is enough to know that a file is too large. */
async function bytesOf(file: string, most: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = new Uint8Array(Math.min(size, most + 1));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
      if (!bytesRead) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

function show(file: string, { markdown, pages, warnings, type }: DocumentText): void {
  process.stdout.write(`${markdown}\n`);
  printTable(
    ['page', 'method', 'characters', 'score', 'warnings'],
    pages.map((one) => [one.page, one.method, one.characters, one.score, one.warnings.join(', ')]),
    `${file} (${type})`,
  );
  for (const one of warnings) complain(`${file}: ${one}`);
}

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Command } from 'commander';
import type { DocumentTypeRule, Extraction, TextReader } from '../documents/index.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { AskModel } from '../models/index.ts';
import { EXIT } from './exit-status.ts';
import { openModel } from './open-model.ts';
import { complain, printLine, printTable, wantsJson } from './output.ts';
import { readTypesFile } from './read-types-file.ts';

export function extractCommand(): Command {
  return new Command('extract')
    .description(
      'documents to text, type and fields, one result a file; by the model of the environment, else by rules',
    )
    .argument('<file...>', 'what `read` reads')
    .requiredOption('--types <file>', 'types.yaml: the types of document and their fields')
    .option('--json', 'JSON Lines also on a terminal')
    .action(async (files: string[], options: { types: string; json?: boolean }) => {
      const { types } = await readTypesFile(options.types);
      const { openTextReader } = await import('../documents/index.ts');
      const model = await openModel(process.env);
      const reader = openTextReader();
      try {
        let failed = 0;
        for (const file of files)
          failed += (await extractOne(file, reader, types, model?.ask ?? null, wantsJson(options))) ? 0 : 1;
        process.exitCode = failed ? EXIT.someFailed : EXIT.done;
      } finally {
        await Promise.all([reader.close(), model?.close()]);
      }
    });
}

async function extractOne(
  file: string,
  reader: TextReader,
  types: readonly DocumentTypeRule[],
  ask: AskModel | null,
  json: boolean,
): Promise<boolean> {
  const { DEFAULT_BUDGETS, extract, extractAsking, mediaTypeOf, textMethod, tooLarge } = await import(
    '../documents/index.ts'
  );
  try {
    const { size } = statSync(file);
    if (size > DEFAULT_BUDGETS.bytes) throw tooLarge(`more than ${DEFAULT_BUDGETS.bytes} bytes`, { budget: 'bytes' });
    const bytes = readFileSync(file);
    const document = await reader.read(bytes, basename(file));
    const extraction = ask === null ? extract(document, types) : await extractAsking(document, types, ask);
    const { candidates: _candidates, ...found } = extraction;
    const result = {
      file,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      media_type: mediaTypeOf(document.type),
      pages: document.pages.length,
      text_method: textMethod(document.pages),
      ...found,
      warnings: document.warnings,
      error: null,
    };
    if (json) printLine(result);
    else show(file, extraction);
    return true;
  } catch (error) {
    const code = error instanceof CodedError ? error.code : 'cli.unreadable';
    if (!(error instanceof CodedError) && (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const { message } = error as Error;
    if (json) printLine({ file, type: null, state: 'failed', fields: {}, error: { code, message } });
    complain(`${file}: ${message} (${code})`);
    return false;
  }
}

function show(file: string, { type, confidence, state, review_reasons, fields }: Extraction): void {
  printTable(
    ['field', 'value', 'evidence'],
    Object.entries(fields).map(([code, field]) => [
      code,
      field.currency ? `${field.value} ${field.currency}` : field.value,
      field.evidence,
    ]),
    `${file}: ${type ?? 'none'} (${confidence}), ${state}${review_reasons.length ? `: ${review_reasons.join(', ')}` : ''}`,
  );
}

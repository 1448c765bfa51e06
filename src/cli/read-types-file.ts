import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { DocumentTypeRule } from '../documents/document-types.ts';
import { CodedError } from '../errors/coded-error.ts';

/**
 * Reads types.yaml and checks it, so that whoever wrote it is told the file, the type and the field.
 * Throws `cli.unreadable` and `documents.types_invalid`, both permanent.
 */
export async function readTypesFile(path: string): Promise<{
  /** As they stand in the file. */
  readonly items: unknown[];
  readonly types: DocumentTypeRule[];
}> {
  const { parseTypes, TYPES_INVALID } = await import('../documents/document-types.ts');
  let content: unknown;
  try {
    content = parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const [first] = (cause as Error).message.split('\n');
    const code = (cause as NodeJS.ErrnoException).syscall === undefined ? TYPES_INVALID : 'cli.unreadable';
    throw new CodedError(code, 'permanent', `${path}: ${first}`, { cause });
  }
  try {
    return { types: parseTypes(content), items: (content as { types: unknown[] }).types };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    throw new CodedError(error.code, 'permanent', `${path}: ${error.message}`, { cause: error });
  }
}

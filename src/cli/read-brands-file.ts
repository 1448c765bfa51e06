import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { CodedError } from '../errors/coded-error.ts';

/**
 * Reads brands.yaml and checks it, so that whoever wrote it is told the file, the brand and the field.
 * Throws `cli.unreadable`, `answers.brands_invalid` and what else `parseBrands` throws; all permanent.
 */
export async function readBrandsFile(path: string): Promise<unknown[]> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CodedError('cli.unreadable', 'permanent', `${path}: ${(cause as Error).message}`, { cause });
  }
  let content: unknown;
  try {
    content = parse(text);
  } catch (cause) {
    const [first] = (cause as Error).message.split('\n');
    throw new CodedError('answers.brands_invalid', 'permanent', `${path}: ${first?.replace(/:$/, '')}`, { cause });
  }
  const { brands } = (content ?? {}) as { brands?: unknown };
  if (!Array.isArray(brands)) {
    throw new CodedError('answers.brands_invalid', 'permanent', `${path}: expected a list under 'brands'`);
  }
  const { parseBrands } = await import('../answers/index.ts');
  try {
    parseBrands(content);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, detail } = error;
    throw new CodedError(code, 'permanent', `${path}: ${message}`, { cause: error, detail });
  }
  return brands;
}

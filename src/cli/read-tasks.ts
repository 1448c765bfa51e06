import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { CodedError } from '../errors/coded-error.ts';
import { complain } from './output.ts';

/** One line of a file of JSON objects: cleaning tasks, comments. */
export interface TaskLine {
  readonly line: number;
  readonly task: Record<string, unknown>;
  /** Characters of the line. */
  readonly size: number;
}

const unreadable = (file: string, cause: unknown): CodedError =>
  new CodedError('cli.unreadable', 'permanent', `${file}: ${(cause as Error).message}`, { cause });

/** Throws `cli.unreadable` for a file that is not there, is a folder or may not be read. `-` is standard input. */
export function refuseUnreadable(file: string): void {
  if (file === '-') return;
  try {
    if (statSync(file).isDirectory()) throw new Error('is a folder');
    accessSync(file, constants.R_OK);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

/**
 * Reads the tasks (or whatever they are called) of a file, one JSON object a line. Of a line that is none it says why, with
 * file and line, and goes on. Throws `cli.unreadable` when reading fails.
 */
export async function* readTasks(file: string, onBad: () => void, what = 'a task'): AsyncGenerator<TaskLine> {
  let line = 0;
  for await (const content of readLines(file)) {
    line += 1;
    if (!content.trim()) continue;
    try {
      const task: unknown = JSON.parse(content);
      if (task === null || typeof task !== 'object' || Array.isArray(task)) throw new Error('expected an object');
      yield { line, task: task as Record<string, unknown>, size: content.length };
    } catch (error) {
      complain(`${file}:${line}: not ${what}: ${(error as Error).message}`);
      onBad();
    }
  }
}

/**
 * Lines end with LF and nothing else: Node's readline also breaks them at U+2028 and U+2029, which JSON allows inside
 * strings and answers do hold. The decoder drops a byte order mark; a CR before the LF is white space to JSON.
 */
async function* readLines(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
      const text = decoder.decode(chunk as Uint8Array, { stream: true });
      let from = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        yield rest + text.slice(from, at);
        rest = '';
        from = at + 1;
      }
      rest += text.slice(from);
    }
  } catch (cause) {
    throw unreadable(file, cause);
  }
  rest += decoder.decode();
  if (rest) yield rest;
}

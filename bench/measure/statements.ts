import { createRequire } from 'node:module';
import { printTable } from './report.ts';

/** How often a statement ran, and how long it took from being sent to its last row, in milliseconds. */
export interface StatementTime {
  readonly text: string;
  readonly calls: number;
  readonly ms: number;
}

type Query = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Times every statement of this process by its beginning. It listens where the product's own driver sends them, so
 * the queue's are among them. A statement that waits for the one before it on its connection is timed with the wait.
 */
export function listenToStatements(): { stop(): StatementTime[] } {
  // The product's copy of the driver, not the one installed beside the peers.
  const pg = createRequire(new URL('../../src/storage/postgres.ts', import.meta.url))('pg');
  const prototype = pg.Client.prototype as { query: Query };
  const original = prototype.query;
  const times = new Map<string, { calls: number; ms: number }>();
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const began = performance.now();
    const note = () => {
      const time = times.get(beginning(args[0])) ?? { calls: 0, ms: 0 };
      time.calls += 1;
      time.ms += performance.now() - began;
      times.set(beginning(args[0]), time);
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...results: unknown[]) => {
        note();
        (callback as (...given: unknown[]) => void)(...results);
      };
      return original.apply(this, args);
    }
    const answer = original.apply(this, args);
    if (answer instanceof Promise) answer.then(note, note);
    return answer;
  };
  return {
    stop: () => {
      prototype.query = original;
      return [...times].map(([text, time]) => ({ text, ...time })).sort((a, b) => b.ms - a.ms);
    },
  };
}

function beginning(query: unknown): string {
  const text = typeof query === 'string' ? query : ((query as { text?: string } | null)?.text ?? '');
  return text.replace(/\s+/g, ' ').trim().slice(0, 100);
}

/** Milliseconds of waiting by statement; those of two connections at once overlap. */
export function printStatements(statements: readonly StatementTime[], items: number): void {
  console.log(`\nwaited for, in ms (${items} items):`);
  printTable(
    ['total', 'calls', 'each', 'statement'],
    statements.slice(0, SHOWN).map(({ text, calls, ms }) => [ms, calls, ms / calls, text]),
  );
}

const SHOWN = 16;

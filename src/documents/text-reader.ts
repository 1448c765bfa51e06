import { extname, join } from 'node:path';
import { CodedError } from '../errors/coded-error.ts';
import { type Budgets, DEFAULT_BUDGETS, tooLarge } from './budgets.ts';
import { notRecognised, type PageText } from './page-record.ts';
import type { DocumentText } from './read-text.ts';
import { refuseWithoutText } from './refuse-without-text.ts';
import { openPlaces } from './text-reader/places.ts';
import { type Outcome, type ReaderChild, type ReaderLimits, startReaderChild } from './text-reader/reader-child.ts';

export interface TextReaderOptions {
  /** How many files are read at once, each in a process of its own. */
  readonly children?: number;
  readonly budgets?: Budgets;
  readonly limits?: Partial<ReaderLimits & { readonly idleMilliseconds: number }>;
  /** The program of the children; another one in tests. */
  readonly script?: string;
}

export interface TextReader {
  /**
   * A file to Markdown with a record for each page; pages that are pictures are recognised. A page that cannot be is a
   * failed page of a document that is read all the same.
   * @throws what `readText` throws; file.too_slow, file.too_large (budget `memory`) and file.reader_died where the process
   * had to be ended or died, twice; ocr.unavailable, ocr.failed, text.none where there is no text; all permanent.
   * file.reader_closed, transient. The reason of the signal.
   */
  read(bytes: Uint8Array, name: string, options?: { readonly signal?: AbortSignal }): Promise<DocumentText>;
  /** Ends all reading and waits until no process is left. */
  close(): Promise<void>;
}

export const READER_LIMITS = {
  heapMegabytes: 1024,
  residentBytes: 1.5 * 2 ** 30,
  recycleBytes: 800 * 2 ** 20,
  recyclePages: 100,
  recognitionMilliseconds: 60_000,
  graceMilliseconds: 5_000,
  idleMilliseconds: 30_000,
};
/** A file whose parsing kills a process gets a fresh one once more. */
const TRIES = 2;
/** After so many failed pages in a row nothing more of a file is recognised: each may have taken a minute. */
const FAILED_IN_A_ROW = 3;

const SCRIPT = join(import.meta.dirname, 'text-reader', `child${extname(import.meta.filename)}`);

/**
 * Reads files in processes apart, so that one that takes its process down, or keeps it busy for good, takes nothing else
 * along. They start with the first file, serve one file at a time, and end when there is nothing to do or with their
 * parent.
 */
export function openTextReader(options: TextReaderOptions = {}): TextReader {
  const { children = 1, budgets = DEFAULT_BUDGETS, script = SCRIPT } = options;
  const limits = { ...READER_LIMITS, ...options.limits };
  const places = openPlaces(children);
  const closing = new AbortController();
  const idle = new Map<ReaderChild, NodeJS.Timeout>();
  const alive = new Set<ReaderChild>();

  const start = (): ReaderChild => {
    const child = startReaderChild(script, limits);
    alive.add(child);
    void child.gone.then(() => {
      alive.delete(child);
      unrest(child);
    });
    return child;
  };
  const unrest = (child: ReaderChild) => {
    clearTimeout(idle.get(child));
    idle.delete(child);
  };
  const take = (): ReaderChild => {
    const [waiting] = idle.keys();
    const child = waiting ?? start();
    unrest(child);
    child.hold(true);
    return child;
  };
  const give = (child: ReaderChild): Promise<void> | void => {
    if (child.isWorn() || closing.signal.aborted) return child.end();
    child.hold(false);
    idle.set(child, setTimeout(() => child.end(), limits.idleMilliseconds).unref());
  };

  async function readThrough(bytes: Uint8Array, name: string, signal: AbortSignal): Promise<DocumentText> {
    const known: PageText[] = [];
    let deaths = 0;
    for (;;) {
      const child = take();
      const outcome = await child.run({ bytes, name, budgets, gaveUp: failsOnAndOn(known) }, known, signal);
      await (outcome.kind === 'ended' ? child.end() : give(child));
      signal.throwIfAborted();
      if (outcome.kind === 'done') return outcome.document;
      if (outcome.kind === 'failed') throw outcome.error;
      if (outcome.why === 'recycled') continue;
      if (outcome.atPicture) {
        known.push(notRecognised('ocr_failed'));
        continue;
      }
      if (outcome.why !== 'died') throw overLimit(outcome.why, budgets);
      deaths += 1;
      if (deaths === TRIES)
        throw new CodedError('file.reader_died', 'permanent', 'reading it ended the process that read it, twice');
    }
  }

  return {
    async read(bytes, name, { signal: asked } = {}) {
      if (bytes.length > budgets.bytes) throw tooLarge(`more than ${budgets.bytes} bytes`, { budget: 'bytes' });
      const signal = asked ? AbortSignal.any([asked, closing.signal]) : closing.signal;
      const leave = await places.enter(signal);
      try {
        const document = await readThrough(bytes, name, signal);
        refuseWithoutText(document.pages);
        return document;
      } finally {
        leave();
      }
    },
    async close() {
      closing.abort(new CodedError('file.reader_closed', 'transient', 'the reader of files is closed'));
      await Promise.all([...alive].map((child) => child.end()));
    },
  };
}

const failsOnAndOn = (known: readonly PageText[]): boolean =>
  known.length >= FAILED_IN_A_ROW &&
  known.slice(-FAILED_IN_A_ROW).every(({ warnings }) => warnings.includes('ocr_failed'));

function overLimit(why: Extract<Outcome, { kind: 'ended' }>['why'], budgets: Budgets): CodedError {
  if (why === 'memory') return tooLarge('reading it takes more memory than it may', { budget: 'memory' });
  return new CodedError('file.too_slow', 'permanent', `reading takes longer than ${budgets.milliseconds / 1000} s`);
}

import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { CodedError } from '../../errors/coded-error.ts';
import type { PageText } from '../page-record.ts';
import type { DocumentText } from '../read-text.ts';
import type { ReaderNews, ReadOrder } from './protocol.ts';
import { residentBytes } from './resident-bytes.ts';

export interface ReaderLimits {
  /** Of the JavaScript heap of a child. */
  readonly heapMegabytes: number;
  /** All memory of a child: one that holds more is ended. */
  readonly residentBytes: number;
  /** A child that holds more, or has recognised so many pages, is replaced before its next page. */
  readonly recycleBytes: number;
  readonly recyclePages: number;
  /** One page, from drawing it to its text. */
  readonly recognitionMilliseconds: number;
  /** What a child gets beyond the budget of a file's time, which it watches itself as long as it is able to. */
  readonly graceMilliseconds: number;
}

/** How the work on a file ended: with its text, with a coded error, or with the child. */
export type Outcome =
  | { readonly kind: 'done'; readonly document: DocumentText }
  | { readonly kind: 'failed'; readonly error: CodedError }
  | {
      readonly kind: 'ended';
      readonly why: 'died' | 'slow' | 'memory' | 'recycled' | 'stopped';
      /** Whether it was drawing or recognising a page. */
      readonly atPicture: boolean;
    };

export interface ReaderChild {
  /** Reads one file; what it finds page by page is added to `known`. A child takes one order at a time. */
  run(order: Omit<ReadOrder, 'known'>, known: PageText[], signal: AbortSignal): Promise<Outcome>;
  /** Resolves when the process has ended, by itself or not. */
  readonly gone: Promise<void>;
  /** Whether it has done enough to be replaced. */
  isWorn(): boolean;
  /** Whether the process that started it should stay for it. */
  hold(held: boolean): void;
  /** Ends it at once; resolves when it is gone. */
  end(): Promise<void>;
}

const WATCH_EVERY = 100;
/** Of the environment only what finding fonts, time and temporary files needs: keys and passwords stay here. */
const ENVIRONMENT = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'SystemRoot'];

/** A child may read files, since the libraries load theirs when they need them, and neither write nor start any. */
const CONFINED = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker'];

export function startReaderChild(script: string, limits: ReaderLimits): ReaderChild {
  const child = fork(script, [], {
    execArgv: [`--max-old-space-size=${limits.heapMegabytes}`, ...CONFINED],
    env: Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const gone = goneWith(child);
  let complaints = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString('latin1')).slice(-4000);
  });
  let recognised = 0;
  const hold = (held: boolean) => {
    for (const one of [child, child.channel, child.stderr as Socket]) held ? one?.ref() : one?.unref();
  };
  const isWorn = () => recognised >= limits.recyclePages || (residentBytes(child.pid!) ?? 0) > limits.recycleBytes;
  return {
    gone,
    isWorn,
    hold,
    async end() {
      hold(true);
      child.kill('SIGKILL');
      await gone;
    },
    run: (order, known, signal) =>
      new Promise((resolve) => {
        let why: Extract<Outcome, { kind: 'ended' }>['why'] = 'died';
        let atPicture = false;
        const stop = (reason: typeof why) => {
          why = reason;
          child.kill('SIGKILL');
        };
        const clock = startClock(order.budgets.milliseconds + limits.graceMilliseconds, () => stop('slow'));
        const watch = setInterval(() => {
          if ((residentBytes(child.pid!) ?? 0) > limits.residentBytes) stop('memory');
        }, WATCH_EVERY);
        const onAbort = () => stop('stopped');
        signal.addEventListener('abort', onAbort, { once: true });
        const finish = (outcome: Outcome) => {
          clock.stop();
          clearInterval(watch);
          signal.removeEventListener('abort', onAbort);
          child.off('message', onNews);
          resolve(outcome);
        };
        const onNews = (message: unknown) => {
          const news = message as ReaderNews;
          if (news.kind === 'done') finish({ kind: 'done', document: news.document });
          else if (news.kind === 'failed') finish({ kind: 'failed', error: errorOf(news) });
          else if (news.kind === 'recognising') {
            atPicture = true;
            clock.apart(limits.recognitionMilliseconds);
          } else {
            if (atPicture) recognised += 1;
            atPicture = false;
            clock.goOn();
            known.push(news.page);
            if (isWorn()) stop('recycled');
          }
        };
        child.on('message', onNews);
        gone.then(() => {
          if (why === 'died' && complaints.includes('heap out of memory')) why = 'memory';
          finish({ kind: 'ended', why, atPicture });
        });
        if (signal.aborted) onAbort();
        else child.send({ ...order, known }, (error) => error && child.kill('SIGKILL'));
      }),
  };
}

function errorOf({ code, errorClass, message, detail }: Extract<ReaderNews, { kind: 'failed' }>): CodedError {
  return new CodedError(code, errorClass, message, { detail });
}

/** When it has ended and everything that it told has been heard. */
async function goneWith(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()));
  const heard = new Promise<void>((resolve) =>
    child.connected ? child.once('disconnect', () => resolve()) : resolve(),
  );
  await Promise.all([ended, heard]);
}

/** A time limit on a file, beside which single pages have a limit of their own. */
function startClock(milliseconds: number, over: () => void) {
  let left = milliseconds;
  let since = performance.now();
  let timer = setTimeout(over, left);
  const arm = (time: number) => {
    clearTimeout(timer);
    timer = setTimeout(over, time);
  };
  let isApart = false;
  return {
    apart(limit: number) {
      if (!isApart) left -= performance.now() - since;
      isApart = true;
      arm(limit);
    },
    goOn() {
      if (!isApart) return;
      isApart = false;
      since = performance.now();
      arm(Math.max(0, left));
    },
    stop: () => clearTimeout(timer),
  };
}

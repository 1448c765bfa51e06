import { CodedError } from '../errors/coded-error.ts';

/** What reading one file may take, its attachments included. */
export interface Budgets {
  readonly bytes: number;
  readonly archiveEntries: number;
  readonly expandedBytes: number;
  /** Expanded bytes for each packed byte, of an archive that expands to more than a mebibyte. */
  readonly expansionRatio: number;
  readonly pages: number;
  readonly cells: number;
  /** Elements of XML and HTML. */
  readonly elements: number;
  /** Characters of the text that comes out: a small file may name one long text many times. */
  readonly characters: number;
  readonly milliseconds: number;
  /** Files inside files: an attachment of a mail is at depth 1. */
  readonly depth: number;
  readonly attachments: number;
}

export const DEFAULT_BUDGETS: Budgets = {
  bytes: 20 * 2 ** 20,
  archiveEntries: 10_000,
  expandedBytes: 256 * 2 ** 20,
  expansionRatio: 200,
  pages: 2_000,
  cells: 500_000,
  elements: 2_000_000,
  characters: 32 * 2 ** 20,
  milliseconds: 60_000,
  depth: 3,
  attachments: 100,
};

type Counted = Exclude<keyof Budgets, 'expansionRatio' | 'milliseconds' | 'depth'>;

/** Counts what one file and everything inside it takes together. */
export interface Meter {
  readonly budgets: Budgets;
  /** @throws file.too_large */
  take(what: Counted, amount: number): void;
  /** How much may still be taken. */
  left(what: Counted): number;
  /** To be called between the parts of a long piece of work. @throws file.too_slow */
  checkTime(): void;
}

const NAMES: Readonly<Record<Counted, string>> = {
  bytes: 'bytes',
  archiveEntries: 'files in archives',
  expandedBytes: 'bytes after unpacking',
  pages: 'pages',
  cells: 'cells',
  elements: 'elements',
  characters: 'characters of text',
  attachments: 'attachments',
};

export function startMeter(budgets: Budgets, now: () => number): Meter {
  const start = now();
  const taken = new Map<Counted, number>();
  const left = (what: Counted) => budgets[what] - (taken.get(what) ?? 0);
  return {
    budgets,
    left,
    take(what, amount) {
      taken.set(what, (taken.get(what) ?? 0) + amount);
      if (left(what) < 0) throw tooLarge(`more than ${budgets[what]} ${NAMES[what]}`, { budget: what });
    },
    checkTime() {
      if (now() - start > budgets.milliseconds)
        throw new CodedError(
          'file.too_slow',
          'permanent',
          `reading takes longer than ${budgets.milliseconds / 1000} s`,
        );
    },
  };
}

export function tooLarge(message: string, detail: Record<string, unknown>): CodedError {
  return new CodedError('file.too_large', 'permanent', message, { detail });
}

/** What a reader throws when the bytes are not what their beginning promises. */
export function broken(message: string, cause?: unknown, code = 'file.invalid'): CodedError {
  return new CodedError(code, 'permanent', message, { cause });
}

export function locked(what: string): CodedError {
  return new CodedError('file.password_required', 'permanent', `${what} is locked with a password`);
}

import type { StatementTime } from './statements.ts';

/** What every contender measures, in milliseconds: on the wall, and on the processor in its process and the server's. */
export interface Timing {
  readonly ms: number;
  readonly cpuMs: number;
  /** NaN where it cannot be read. */
  readonly serverCpuMs: number;
}

/** What every contender is told about the server. */
interface Server {
  readonly url: string;
  readonly postmaster: number | null;
}

/** Signalbox on the line of five empty stages; `walk` and `relay` are explained in `line/stages.ts`. */
export interface LineSettings extends Server {
  readonly schema: string;
  readonly shape: 'walk' | 'relay';
  readonly items: number;
  /** Items that go first and are not timed: compilers, caches and connections are warm after them. */
  readonly warmUp: number;
  /** True: the schema holds its tables already. */
  readonly prepared: boolean;
  readonly profile: boolean;
}

export interface LineRun extends Timing {
  /** From the first item posted to the last one posted; the rest is draining. */
  readonly postMs: number;
  readonly statements: readonly StatementTime[];
  /** What stands in the tables afterwards: a figure without its rows would prove nothing. */
  readonly rows: { readonly done: number; readonly journal: number; readonly runs: number };
}

export interface DbosSettings extends Server {
  /** Its system database, created when it does not exist. */
  readonly database: string;
  readonly items: number;
  readonly warmUp: number;
  /** `started`: run directly, so many at once; `queued`: enqueued, and taken from a queue. */
  readonly way: 'started' | 'queued';
}

export interface DbosRun extends Timing {
  readonly rows: { readonly done: number; readonly steps: number };
}

export interface QueueSettings extends Server {
  readonly schema: string;
  readonly items: number;
  readonly warmUp: number;
}

export interface QueueRun extends Timing {
  readonly postMs: number;
  readonly rows: { readonly done: number };
}

/** One of the worker processes of a model-bound stage. */
export interface AskingSettings {
  readonly url: string;
  readonly schema: string;
  readonly modelUrl: string;
  /** Claims at once in this process. */
  readonly claimers: number;
}

export interface AskingNews {
  readonly what: 'ready' | 'claimed' | 'settled';
  readonly items: number;
  readonly atMs: number;
  /** What the process has used of the processor since it began. */
  readonly cpuMs: number;
}

export interface CleaningSettings extends Server {
  readonly schema: string;
  readonly items: number;
  readonly warmUp: number;
  readonly profile: boolean;
}

/** The times are those of cleaning what was stored before. */
export interface CleaningRun extends Timing {
  readonly postMs: number;
  /** Bytes of UTF-8 an answer, on average. */
  readonly bytes: number;
  /** The text work alone, over the same answers. */
  readonly textMs: number;
  readonly statements: readonly StatementTime[];
  /** An answer, on average. */
  readonly hits: number;
  readonly rows: { readonly done: number; readonly results: number };
}

export interface MatchingSettings {
  readonly aliases: number;
  readonly texts: number;
  readonly repetitions: number;
  /** How long each search goes on in each repetition, at least. */
  readonly passMs: number;
}

/** By search, in texts a second; ours comes first. */
export interface MatchingRun {
  readonly rates: readonly Readonly<Record<string, number>>[];
  readonly buildMs: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly hits: number;
}

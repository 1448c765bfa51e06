import type { Actor, Machine } from '../core/machine.ts';
import type { NewEvent } from '../core/outbox.ts';
import type { ModelUse } from '../core/run.ts';
import type { Walk } from '../core/walk.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import type { Lane } from './enqueue.ts';

/** The columns of an item that every stage needs. */
export interface StageItem {
  readonly id: string;
  readonly state: string;
  readonly version: number;
  readonly contentVersion: number;
}

/** What the work on one item is given beside the item. */
export interface Claim<M extends Machine, Context> {
  readonly walk: Walk<M>;
  /** What `prepare` made for the whole batch. */
  readonly context: Context;
  /** `live`, `edit`, or the id of a batch. */
  readonly cause: string;
  /** Aborted when the claim is lost or its time is over: a result can no longer land. */
  readonly signal: AbortSignal;
  /** Adds what a model call cost to the run. */
  spend(use: ModelUse): void;
}

export interface Done<Item, Result> {
  readonly item: Item;
  readonly result: Result;
  readonly run: string;
  readonly cause: string;
  readonly rulebookVersion: number | null;
}

export interface GivenUp<Item> {
  readonly item: Item;
  readonly run: string;
  readonly code: string;
  readonly message: string;
}

/** Work that an accepted result makes necessary. */
export interface FollowUp {
  readonly stage: string;
  readonly item: string;
  readonly contentVersion: number;
  readonly lane?: Lane;
}

/**
 * One stage: what one claim does to one item. A stage starts from the stored state alone: whatever `from` state
 * the item is in, `work` goes on from there.
 */
export interface Stage<M extends Machine, Item extends StageItem, Result, Context> {
  /** Also the name of its queue. */
  readonly name: string;
  readonly machine: M;
  /** The states in which a claim may find its item; in any other the job is over (`skipped`). */
  readonly from: readonly string[];
  /**
   * Given where results may be made anew: the resting states in which a claim of a batch (`isBatch`) may find its item.
   * Such a claim is neutral: its walk takes no step but edges that the machine marks as those of a replay, and when all
   * is tried it moves nothing and leaves no dead letter.
   */
  readonly replayFrom?: readonly string[];
  readonly actor: Extract<Actor, 'ai' | 'system'>;
  /** Jobs a claim: up to 100 for computing, 1 for waiting on a model. */
  readonly batch: number;
  /** Claims at once in one process. */
  readonly concurrency: number;
  /** Longest healthy claim, in seconds. */
  readonly expireSeconds: number;
  readonly retry: RetryPolicy<Item>;
  /** Where an item goes when all is tried. */
  readonly givenUp: string;

  load(on: Queryable, ids: readonly string[]): Promise<Item[]>;
  /**
   * Once a batch, before any item; no transaction is open.
   * @param causes of the claims, in the order of `items`
   */
  prepare(
    on: Queryable,
    items: readonly Item[],
    causes: readonly string[],
  ): Promise<{ context: Context; rulebookVersion: number | null }>;
  /** A code when there is nothing to do with the item after all: its claim ends `skipped` and costs nothing. */
  skip?(item: Item, claim: Pick<Claim<M, Context>, 'context' | 'cause'>): string | null;
  /** No transaction is open. A failure is thrown, best as a CodedError; it concerns this item alone. */
  work(item: Item, claim: Claim<M, Context>): Result | Promise<Result>;
  /** Writes results, in the transaction that moves the items. */
  save(tx: Tx, done: readonly Done<Item, Result>[]): Promise<void>;
  /** Keeps what came too late, beside what stands: somebody acted on these items meanwhile, and nothing of theirs changes. */
  saveLate?(tx: Tx, late: readonly Done<Item, Result>[]): Promise<void>;
  /** What else the result makes necessary, in the same transaction. */
  after?(item: Item, result: Result): { readonly next?: readonly FollowUp[]; readonly events?: readonly NewEvent[] };
  /** Writes what is to be seen of items that were given up, in the same transaction. */
  saveGivenUp?(tx: Tx, items: readonly GivenUp<Item>[]): Promise<void>;
  /** Where the item's input lies, for the dead letter. */
  inputRef(item: Item): string | null;
}

export interface RetryPolicy<Item> {
  /** Transient failures that are tried again. */
  readonly transient: (item: Item) => number;
  readonly baseSeconds: number;
  /** Fixed waits instead of back-off, where the specification names them. */
  readonly delays?: readonly number[];
  /** Claims that may be lost with their worker before the item is given up. */
  readonly lost: number;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of stages of different items
export type AnyStage = Stage<any, any, any, any>;

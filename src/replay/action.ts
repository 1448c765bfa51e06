import type { PgBoss } from 'pg-boss';
import { CodedError } from '../errors/coded-error.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import type { Scope } from './scope.ts';

/** An item to be replayed, as a page names it. */
export interface ReplayItem {
  readonly id: string;
  readonly contentVersion: number;
}

/** What a person is shown before the past is touched. */
export interface Preview {
  readonly items: number;
  /** Items about which a person decided something: their word stands unless the batch includes it. */
  readonly human_decided: number;
  /** Items that are not left alone and in which a person gave single values: these stay unless the batch includes them. */
  readonly human_edited: number;
  /** Items whose result an older version of the rules made. */
  readonly stale: number;
  /** Edge → how many items would take it. */
  readonly moves: Readonly<Record<string, number>>;
  readonly stages: readonly string[];
  readonly model_calls: number;
  readonly tokens: number;
  readonly cost: { readonly low: number; readonly high: number };
  readonly warnings: readonly string[];
}

/** How results would differ, written nowhere. */
export interface Trial {
  readonly tried: number;
  readonly changed_items: number;
  /** Edge → how many of them would take it. */
  readonly moves: Readonly<Record<string, number>>;
  /** Field → how many values would change. */
  readonly by_field: Readonly<Record<string, number>>;
  readonly changes: readonly Change[];
}

export interface Change {
  readonly id: string;
  /** What within the item: a brand, a field. */
  readonly of: string | null;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The rules held against what people decided: how often each agrees with them. */
export interface Measurement {
  readonly fields: Readonly<
    Record<string, { readonly labels: number; readonly before: number; readonly after: number }>
  >;
  /** Labels about which the two disagree. */
  readonly changes: readonly (Change & { readonly label: unknown })[];
}

/** Rules as a draft, in the form in which they are configured; undefined: as they are now. */
export type Draft = Readonly<Record<string, unknown>> | undefined;

/** What a person wants done again, and how. */
export interface Order {
  readonly scope: Scope;
  /** One of the action's modes. */
  readonly mode: string;
  /** Whether what people decided up to now may be set aside. */
  readonly includeHuman: boolean;
  /** Whether the person knows that everything that is made of the results will be made anew. */
  readonly confirmCascade: boolean;
}

/** An order under its number. */
export interface BatchOrder extends Order {
  readonly batch: string;
  readonly startedBy: string;
  readonly startedAt: Date;
  /** The rules as they were when it was started; null for an action without any. */
  readonly rulebookVersion: number | null;
  /** A person ended it: what nobody is at work on stays as it is. */
  readonly cancelled: boolean;
}

/**
 * What a service offers to be done again. `page`, `count` and `preview` share one predicate, so that what was previewed is
 * what is dispatched.
 */
export interface ReplayAction {
  readonly service: string;
  readonly name: string;
  /** Where its jobs go. */
  readonly stage: AnyStage;
  /** Stages in which a batch has work beside: of items that it puts back to the step that they failed in. */
  readonly besides?: readonly AnyStage[];
  /** What may become of the results; the first is what happens unless the person says otherwise. */
  readonly modes: readonly string[];
  /** Throws `replay.scope_unsupported`, what is wrong with a filter, and what else the action asks of an order. */
  check(order: Order): void;
  /** The last id in scope now; null for an empty scope. */
  lastId(on: Queryable, scope: Scope): Promise<string | null>;
  /** Ids in scope behind `after`, up to `upTo`, ascending. */
  page(on: Queryable, scope: Scope, after: string | null, upTo: string, limit: number): Promise<ReplayItem[]>;
  preview(on: Queryable, order: Order): Promise<Preview>;
  rulebookVersion(on: Queryable): Promise<number | null>;
  /** Enqueues a page, in the transaction that moves the cursor: twice adds nothing. */
  enqueue(tx: Tx, boss: PgBoss, page: readonly ReplayItem[], order: BatchOrder): Promise<void>;
  /**
   * For an action with stages besides: items whose jobs there were taken back before anybody claimed them go back to where
   * they were, in the transaction that cancels the batch.
   */
  takeBack?(tx: Tx, items: readonly ReplayItem[]): Promise<void>;
  /** What a scope calls these items. */
  idsOf(on: Queryable, items: readonly string[]): Promise<string[]>;
  /** Tries the rules on the newest `n` items in scope. */
  trial(on: Queryable, scope: Scope, n: number, draft: Draft): Promise<Trial>;
  measure(on: Queryable, draft: Draft): Promise<Measurement>;
}

export const findAction = (actions: readonly ReplayAction[], service: string, name: string): ReplayAction | undefined =>
  actions.find((action) => action.service === service && action.name === name);

export const MODE_UNSUPPORTED = 'replay.mode_unsupported';

/** The mode that was asked for, or the action's first. Throws `replay.mode_unsupported`. */
export function modeOf({ service, name, modes }: ReplayAction, asked: string | undefined): string {
  if (asked === undefined) return modes[0]!;
  if (modes.includes(asked)) return asked;
  const message = `${service} ${name} has no mode '${asked}'; it has: ${modes.join(', ')}`;
  throw new CodedError(MODE_UNSUPPORTED, 'permanent', message, { detail: { field: 'mode' } });
}

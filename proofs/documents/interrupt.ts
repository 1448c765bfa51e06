import { AsyncLocalStorage } from 'node:async_hooks';
import type { AtPoint, Point } from '../../src/jobs/points.ts';
import { type LoggedRequest, type MockClock, systemClock } from '../../src/models/mock/index.ts';
import { sleep } from '../proof.ts';

/** When somebody acts on a document that a batch is about: before its claim, at the points of the claim, behind it. */
export const MOMENTS = [
  'undispatched',
  'queued',
  'claimed',
  'loaded',
  'asking',
  'worked',
  'settle.begun',
  'settle.fenced',
  'settle.moved',
  'settle.saved',
  'settle.enqueued',
  'settled',
] as const;
export type Moment = (typeof MOMENTS)[number];

/** From when on it is certain what the batch's claim meets. */
export const SPOKEN_AT = MOMENTS.slice(1);

/** Before a page is read, and when its jobs are written and nobody sees them yet. */
const OF_DISPATCHER: ReadonlyMap<Point, Moment> = new Map([
  ['claimed', 'undispatched'],
  ['settle.enqueued', 'queued'],
]);

/** Whether the claim has made its result the document's by then, at the latest when the person's lock is granted. */
export const isDecided = (moment: Moment): boolean => MOMENTS.indexOf(moment) >= MOMENTS.indexOf('settle.moved');

/** Acts on documents at planned moments; to be built into a house (`at`) and its model (`clock`, `heard`). */
export interface Interrupter {
  readonly at: AtPoint;
  /** Holds the model's answers while somebody acts on a document that it was asked about. */
  readonly clock: MockClock;
  heard(request: LoggedRequest, what: 'arrived' | 'ended'): void;
  /** Holds every claim until there is a plan: the batch is known only when it has begun. */
  hold(): void;
  plan(batch: string, moments: ReadonlyMap<string, Moment>): void;
  /** Documents that nobody acted on yet. */
  left(): number;
  /** How many acts waited for a claim that held the document. */
  waited(): number;
}

/**
 * @param act what is done to a document; the claim goes on when it is done, or when it waits for the claim itself
 * @param isWaiting whether an act waits for a lock
 */
export function interrupter(act: (document: string) => Promise<void>, isWaiting: () => Promise<boolean>): Interrupter {
  // A person is no part of the worker's transaction.
  const outside = AsyncLocalStorage.snapshot();
  let planned = new Map<string, Moment>();
  let batchOf = '';
  let turn: Promise<void> = Promise.resolve();
  let waits = 0;
  let ready = Promise.withResolvers<void>();
  ready.resolve();
  const asking = new Set<Promise<void>>();

  const interrupt = async (document: string): Promise<void> => {
    planned.delete(document);
    const before = turn;
    const over = Promise.withResolvers<void>();
    turn = over.promise;
    await before;
    const acting = outside(() => act(document)).finally(over.resolve);
    for (let ended = false; !ended; ) {
      ended = await Promise.race([acting.then(() => true), sleep(3).then(() => false)]);
      if (ended || !(await outside(isWaiting))) continue;
      waits += 1;
      return;
    }
  };

  return {
    at: async (point, items) => {
      await ready.promise;
      for (const item of items) {
        if (planned.get(item) === point) await interrupt(item);
      }
      const moment = items[0] === batchOf ? OF_DISPATCHER.get(point) : undefined;
      for (const [document, of] of planned) if (of === moment) await interrupt(document);
    },
    clock: {
      ...systemClock,
      sleep: async (ms, signal) => {
        await systemClock.sleep(ms, signal);
        while (asking.size) await Promise.all(asking);
      },
    },
    heard: ({ key }, what) => {
      const [document = '', cause] = key.split(':');
      if (what !== 'arrived' || cause !== batchOf || planned.get(document) !== 'asking') return;
      const done = interrupt(document).finally(() => asking.delete(done));
      asking.add(done);
    },
    hold: () => {
      ready = Promise.withResolvers();
    },
    plan: (batch, moments) => {
      batchOf = batch;
      planned = new Map(moments);
      ready.resolve();
    },
    left: () => planned.size,
    waited: () => waits,
  };
}

import type { Queryable } from '../storage/database.ts';
import { acquireSlots, pausePool, releaseSlots, renewSlot } from './slots.ts';

/** One slot in use. */
export interface Slot {
  /** Milliseconds of its lease that are left, on this process's monotonic clock. */
  remainingMs(): number;
  /** To be called when the call has ended, not when it was given up. */
  release(): void;
}

export interface SlotHolderOptions {
  readonly database: Queryable;
  readonly pool: string;
  /** Identifies this process's leases. */
  readonly holder: string;
  readonly worker: string;
  /** A call may last this long at most, in milliseconds; a lease lasts longer. */
  readonly callLimitMs: number;
  readonly clockMs?: () => number;
  readonly random?: () => number;
  readonly onError?: (error: unknown) => void;
}

/** Other processes get their turn: no slot is passed on inside one process for longer than this. */
const TENURE_MS = 2_000;
const POLL_MS = 40;
/** While this process has slots, its waiters are served by them; more are asked for less often. */
const POLL_HOLDING_MS = 500;
/** How long a look at the pool (a pause, a smaller cap) holds for this process. */
const LOOK_MS = 200;
const LEASE_MARGIN_MS = 5_000;

/** Whose turn it is among those of one process who wait: fresh work before what a batch does again. */
export type Priority = 'live' | 'batch';

interface Waiter {
  readonly priority: Priority;
  readonly resolve: (slot: Slot) => void;
  readonly reject: (reason: unknown) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * One process's hand in a pool. Waiters of this process share one request to the database, and a slot that a call
 * gives back goes to the next waiter at once while its lease lasts: a call costs no statement of its own. (With one
 * statement an acquisition and one a release, 16 slots of 200 ms calls stood idle for a tenth of the time.)
 */
export class SlotHolder {
  readonly #options: SlotHolderOptions;
  readonly #clockMs: () => number;
  readonly #waiting: Waiter[] = [];
  #asking = false;
  #held = 0;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;
  #releasing: Promise<void> = Promise.resolve();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #rated = false;
  /** What was sent to the database and is not answered yet; closing waits for it. */
  readonly #underway = new Set<Promise<void>>();

  constructor(options: SlotHolderOptions) {
    this.#options = options;
    this.#clockMs = options.clockMs ?? (() => performance.now());
  }

  /**
   * Waits for a slot, with priority `live` before all who wait with `batch`. Rejects with the signal's reason when it is
   * aborted first.
   */
  acquire(signal?: AbortSignal, priority: Priority = 'live'): Promise<Slot> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(this.#over());
    return new Promise<Slot>((resolve, reject) => {
      const waiter: Waiter = { priority, resolve, reject, signal };
      signal?.addEventListener('abort', () => this.#leave(waiter), { once: true });
      const batch = priority === 'batch' ? -1 : this.#waiting.findIndex((other) => other.priority === 'batch');
      this.#waiting.splice(batch < 0 ? this.#waiting.length : batch, 0, waiter);
      this.#ask();
    });
  }

  /** The provider asked for a pause: written for everybody. Slots of this process are not passed on meanwhile. */
  async pause(seconds: number): Promise<void> {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
    await pausePool(this.#options.database, this.#options.pool, seconds);
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  get held(): number {
    return this.#held;
  }

  /** Rejects who still waits, and waits until leases that are on their way were given back. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const waiter of this.#waiting.splice(0)) waiter.reject(this.#over());
    while (this.#underway.size) await Promise.all(this.#underway);
  }

  #over(): Error {
    return new Error(`the slots of ${this.#options.pool} are closed`);
  }

  #track(sent: Promise<void>): void {
    this.#underway.add(sent);
    void sent.finally(() => this.#underway.delete(sent));
  }

  #leave(waiter: Waiter): void {
    const place = this.#waiting.indexOf(waiter);
    if (place < 0) return;
    this.#waiting.splice(place, 1);
    waiter.reject(waiter.signal?.reason);
  }

  #ask(): void {
    if (this.#asking || this.#closed || !this.#waiting.length) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    this.#track(
      this.#request()
        .catch((error) => {
          this.#options.onError?.(error);
          return POLL_MS * 10;
        })
        .then((waitMs) => {
          this.#asking = false;
          if (!this.#waiting.length || this.#closed) return;
          const random = this.#options.random ?? Math.random;
          this.#timer = setTimeout(() => this.#ask(), Math.max(1, waitMs * (0.75 + random() / 2)));
        }),
    );
  }

  /** @returns milliseconds until asking again makes sense */
  async #request(): Promise<number> {
    const { database, pool, holder, worker } = this.#options;
    const wanted = this.#waiting.length;
    // Read before the statement is sent: our idea of the lease ends before the database's.
    const askedAt = this.#clockMs();
    const { leases, retryAfterSeconds, rated } = await acquireSlots(database, {
      pool,
      holder,
      worker,
      wanted,
      leaseSeconds: this.#leaseMs / 1000,
    });
    this.#rated = rated;
    const spare: number[] = [];
    for (const { n } of leases) {
      this.#held += 1;
      if (!this.#hand(n, askedAt, askedAt + this.#leaseMs)) spare.push(n);
    }
    if (spare.length) this.#giveBack(spare);
    if (retryAfterSeconds > 0) return retryAfterSeconds * 1000;
    // All that was asked for was free: those who came meanwhile need not wait.
    if (leases.length === wanted) return 0;
    return this.#held > 0 && leases.length === 0 ? POLL_HOLDING_MS : POLL_MS;
  }

  get #leaseMs(): number {
    return this.#options.callLimitMs + TENURE_MS + LEASE_MARGIN_MS;
  }

  #hand(n: number, since: number, until: number): boolean {
    const waiter = this.#waiting.shift();
    if (!waiter) return false;
    let released = false;
    waiter.resolve({
      remainingMs: () => until - this.#clockMs(),
      release: () => {
        if (released) return;
        released = true;
        this.#passOn(n, since, until);
      },
    });
    return true;
  }

  #passOn(n: number, since: number, until: number): void {
    const now = this.#clockMs();
    const lasts = until - now > this.#options.callLimitMs + LEASE_MARGIN_MS / 2;
    if (this.#waiting.length && lasts && now - since < TENURE_MS) {
      if (!this.#rated && now - this.#lookedAt < LOOK_MS) {
        this.#hand(n, since, until);
        return;
      }
      // One look at the database tells of a pause, a smaller cap or a rate; the slot is idle for that long only.
      this.#track(
        renewSlot(this.#options.database, this.#options.pool, this.#options.holder, n, this.#leaseMs / 1000)
          .catch((error) => {
            this.#options.onError?.(error);
            return false;
          })
          .then((stands) => {
            if (stands) this.#lookedAt = now;
            if (!stands || !this.#hand(n, since, now + this.#leaseMs)) this.#giveBack([n]);
          }),
      );
      return;
    }
    this.#giveBack([n]);
  }

  #giveBack(slots: readonly number[]): void {
    const { database, pool, holder, onError } = this.#options;
    this.#held -= slots.length;
    this.#releasing = this.#releasing
      .then(() => releaseSlots(database, pool, holder, slots))
      // A lease that could not be given back ends by itself.
      .catch((error) => onError?.(error))
      .then(() => this.#ask());
    this.#track(this.#releasing);
  }
}

import type { MockClock } from './clock.ts';
import type { FaultKind } from './fault-kinds.ts';

/** How a request ended: answered well, by a fault, refused as not valid, left by the client, or failed in the server. */
export type Outcome = 'answered' | FaultKind | 'invalid' | 'client_gone' | 'failed';

/** A Retry-After that was sent: from when on another request with the same key is welcome. */
export interface RetryPromise {
  readonly made_monotonic_ms: number;
  /** Milliseconds since the Unix epoch. */
  readonly due_at: number;
  readonly due_monotonic_ms: number;
}

/** One request for a completion, as the log shows it. Times are milliseconds. */
export interface LoggedRequest {
  /** Counts from 1, in order of arrival. */
  readonly n: number;
  /** The header `x-request-key`, else a short SHA-256 of the messages; '' while the body is not read. */
  readonly key: string;
  readonly model: string | null;
  /** Since the Unix epoch. */
  readonly received_at: number;
  readonly received_monotonic_ms: number;
  /** When the last byte was handed to the system or the connection closed; null while in flight. */
  readonly ended_at: number | null;
  readonly ended_monotonic_ms: number | null;
  /** null where no head was sent. */
  readonly status: number | null;
  readonly fault: FaultKind | null;
  readonly outcome: Outcome | null;
  /** Requests in flight at arrival, this one included. */
  readonly in_flight: number;
  readonly stream: boolean;
  /** Bytes of the answer's body that were sent. */
  readonly bytes: number;
  readonly retry_promise: RetryPromise | null;
}

export interface LogStats {
  readonly in_flight: number;
  /** The most at once since the start or the last reset. */
  readonly max_in_flight: number;
  readonly requests: number;
  /** Ended requests by outcome; unlike the entries these are never dropped. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export type LogListener = (request: LoggedRequest, what: 'arrived' | 'ended') => void;
export type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Entries that are kept: the newest; older ones are dropped (some tens of MB at the most). */
export const KEPT_ENTRIES = 100_000;

/** Remembers requests, and who is in flight: from arrival until the answer is finished or the connection closed. */
export class RequestLog {
  readonly #clock: MockClock;
  readonly #kept: number;
  readonly #inFlight = new Set<LoggedRequest>();
  readonly #listeners = new Set<LogListener>();
  #entries = new Map<number, LoggedRequest>();
  #outcomes: Record<string, number> = {};
  #requests = 0;
  #maxInFlight = 0;

  constructor(clock: MockClock, kept = KEPT_ENTRIES) {
    this.#clock = clock;
    this.#kept = kept;
  }

  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** Notes an arrival. The entry is written to by whoever serves the request, until it calls `end`. */
  arrive(key: string): { readonly entry: Writable<LoggedRequest>; readonly end: (outcome: Outcome) => void } {
    const entry: Writable<LoggedRequest> = {
      n: ++this.#requests,
      key,
      model: null,
      received_at: this.#clock.epochMs(),
      received_monotonic_ms: this.#clock.monotonicMs(),
      ended_at: null,
      ended_monotonic_ms: null,
      status: null,
      fault: null,
      outcome: null,
      in_flight: this.#inFlight.size + 1,
      stream: false,
      bytes: 0,
      retry_promise: null,
    };
    this.#inFlight.add(entry);
    this.#maxInFlight = Math.max(this.#maxInFlight, this.#inFlight.size);
    this.#entries.set(entry.n, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#kept && oldest !== undefined) this.#entries.delete(oldest);
    this.#tell(entry, 'arrived');
    const outcomes = this.#outcomes;
    return { entry, end: (outcome) => this.#end(entry, outcome, outcomes) };
  }

  // A request from before a reset counts into the outcomes of its time, which nobody reads any more.
  #end(entry: Writable<LoggedRequest>, outcome: Outcome, outcomes: Record<string, number>): void {
    if (!this.#inFlight.delete(entry)) return;
    entry.ended_at = this.#clock.epochMs();
    entry.ended_monotonic_ms = this.#clock.monotonicMs();
    entry.outcome = outcome;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    this.#tell(entry, 'ended');
  }

  /** The entries that are kept, oldest first; with `after`, those whose number is above it. */
  entries(after = 0): LoggedRequest[] {
    return [...this.#entries.values()].filter((entry) => entry.n > after);
  }

  [Symbol.iterator](): Iterator<LoggedRequest> {
    return this.#entries.values();
  }

  stats(): LogStats {
    return {
      in_flight: this.#inFlight.size,
      max_in_flight: this.#maxInFlight,
      requests: this.#requests,
      outcomes: { ...this.#outcomes },
    };
  }

  /** Forgets everything but what is in flight; numbers start from 1 again. */
  reset(): void {
    this.#entries = new Map();
    this.#outcomes = {};
    this.#requests = 0;
    this.#maxInFlight = this.#inFlight.size;
  }

  /** Calls the listener at each arrival and each end, until the returned function is called. */
  subscribe(listener: LogListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(entry: LoggedRequest, what: 'arrived' | 'ended'): void {
    for (const listener of this.#listeners) listener(entry, what);
  }
}

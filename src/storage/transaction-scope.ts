import { AsyncLocalStorage } from 'node:async_hooks';
import { CodedError } from '../errors/coded-error.ts';

export const OUTSIDE_TRANSACTION = 'storage.outside_transaction';

/** Knows, per database, whether the running code is inside one of its transactions. */
export class TransactionScope {
  readonly #inside = new AsyncLocalStorage<true>();

  run<T>(work: () => Promise<T>): Promise<T> {
    this.refuseInside('a second transaction');
    return this.#inside.run(true, work);
  }

  /** Throws `storage.outside_transaction` when called while a transaction of this database is open here. */
  refuseInside(what: string): void {
    if (!this.#inside.getStore()) return;
    throw new CodedError(
      OUTSIDE_TRANSACTION,
      'permanent',
      `${what} was asked of the database while a transaction is open here: pass the transaction on`,
    );
  }

  /** For work that outlives the transaction that started it (timers, workers). */
  leave<T>(work: () => T): T {
    return this.#inside.exit(work);
  }
}

import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { OUTSIDE_TRANSACTION, TransactionScope } from './transaction-scope.ts';

const ask = (scope: TransactionScope) => scope.refuseInside('a statement');
const refused = expect.objectContaining({ code: OUTSIDE_TRANSACTION, errorClass: 'permanent' });

test('a scope knows its inside across everything that is awaited, and its outside before, beside and after', async () => {
  const scope = new TransactionScope();
  ask(scope);
  const work = scope.run(async () => {
    expect(() => ask(scope)).toThrow(refused);
    await soon();
    expect(() => ask(scope)).toThrow('a statement was asked of the database while a transaction is open here');
    return 'done';
  });
  ask(scope);
  await soon();
  ask(scope);
  expect(await work).toBe('done');
  ask(scope);
});

test('scopes of two databases know nothing of each other', async () => {
  const [one, other] = [new TransactionScope(), new TransactionScope()];
  await one.run(async () => {
    ask(other);
    await other.run(async () => {
      expect(() => ask(one)).toThrow(refused);
      expect(() => ask(other)).toThrow(refused);
    });
    ask(other);
  });
});

test('a second run inside is refused; two beside each other are not', async () => {
  const scope = new TransactionScope();
  await scope.run(async () => {
    expect(() => scope.run(async () => 1)).toThrow(refused);
  });
  expect(await Promise.all([1, 2].map((n) => scope.run(async () => n)))).toEqual([1, 2]);
});

test('what is to outlive the transaction leaves it', async () => {
  const scope = new TransactionScope();
  const later = await scope.run(async () => ({
    left: scope.leave(() => soon().then(() => ask(scope))),
    kept: soon().then(() => ask(scope)),
  }));
  await later.left;
  await expect(later.kept).rejects.toEqual(refused);
});

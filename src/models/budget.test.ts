import { afterEach, expect, test } from 'vitest';
import { type Asking, question, startAsking, VERDICT } from '../../test/harness/asking.ts';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { ask } from './ask.ts';
import type { ScriptInput } from './mock/index.ts';
import type { Model } from './registry.ts';

onBothDatabases("a model's budget", (ground) => {
  const on = () => ground().database;
  const open: Asking[] = [];
  const start = async (changes: Partial<Model>, script?: ScriptInput) => {
    const asking = await startAsking(on(), script, changes);
    open.push(asking);
    return asking;
  };
  afterEach(async () => {
    for (const asking of open.splice(0)) await asking[Symbol.asyncDispose]();
    await moveClock(on(), 0);
  });
  const budgetOf = async ({ model }: Asking) => {
    const { rows } = await on().query(
      `select tokens_spent as tokens, micros_spent as micros,
              (select count(*)::int from budget_reservation r where r.model = b.model) as reserved
         from budget b where model = $1 order by period desc limit 1`,
      [model.id],
    );
    return rows[0];
  };
  const exhausted = { code: 'llm.budget_exhausted', errorClass: 'postponed' };

  test('books what calls really cost, and nothing stays reserved', async () => {
    const asking = await start({
      tokens_per_day: 5_000,
      micros_per_day: 50_000,
      price_in: 3_000_000,
      price_out: 5_000_000,
    });
    const first = await ask(asking.model, question('one'), asking.deps);
    const { prompt_tokens, completion_tokens } = asking.exchanges[0]!.usage!;
    const tokens = prompt_tokens + completion_tokens;
    const micros = prompt_tokens * 3 + completion_tokens * 5;
    expect(first.use.costMicros).toBe(micros);
    expect(await budgetOf(asking)).toEqual({ tokens, micros, reserved: 0 });
    // From the cache it costs nothing.
    await ask(asking.model, question('one'), asking.deps);
    expect(await budgetOf(asking)).toEqual({ tokens, micros, reserved: 0 });
  });

  test('that does not hold a call postpones it to midnight UTC, before any request', async () => {
    const now = new Date();
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    await moveClock(on(), Math.round((midnight - now.getTime()) / 1000) - 600);
    const asking = await start({ tokens_per_day: 1_000, max_output_tokens: 1_000 });
    const error = await ask(asking.model, question('too much'), asking.deps).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ ...exhausted, detail: { model: asking.model.id } });
    const { retryAfterSeconds } = error as { retryAfterSeconds: number };
    expect(retryAfterSeconds).toBeLessThanOrEqual(600);
    expect(retryAfterSeconds).toBeGreaterThan(560);
    expect(asking.requests()).toBe(0);
    await asking.allReleased();
    // Less is held by it.
    await ask(asking.model, question('less', { maxOutputTokens: 900 }), asking.deps);
    expect(asking.requests()).toBe(1);
  });

  test('holds what is reserved by calls at once, so that together they cannot overrun it', async () => {
    // Two calls of some 1,010 tokens do not fit; what they really cost does.
    const asking = await start(
      { tokens_per_day: 1_500, max_output_tokens: 1_000, concurrency: 4 },
      { answers: [{ reply: VERDICT }], latency_ms: 100 },
    );
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((prompt) => ask(asking.model, question(prompt), asking.deps)),
    );
    const refused = outcomes.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => reason)).toEqual([
      expect.objectContaining(exhausted),
      expect.objectContaining(exhausted),
    ]);
    expect(asking.requests()).toBe(1);
    await ask(asking.model, question('d'), asking.deps);
    expect(asking.requests()).toBe(2);
  });

  test('of money is kept like one of tokens', async () => {
    const asking = await start({ micros_per_day: 2_000, price_out: 1_000_000, max_output_tokens: 1_500 });
    await ask(asking.model, question('fits'), asking.deps);
    await on().query('update budget set micros_spent = 600 where model = $1', [asking.model.id]);
    await expect(ask(asking.model, question('fits no more'), asking.deps)).rejects.toMatchObject(exhausted);
    expect(asking.requests()).toBe(1);
  });

  test('begins anew each day', async () => {
    const asking = await start({ tokens_per_day: 1_100, max_output_tokens: 1_000 });
    await ask(asking.model, question('today'), asking.deps);
    await on().query('update budget set tokens_spent = 1000 where model = $1', [asking.model.id]);
    await expect(ask(asking.model, question('more today'), asking.deps)).rejects.toMatchObject(exhausted);
    await moveClock(on(), 86_400);
    await ask(asking.model, question('tomorrow'), asking.deps);
    expect(asking.requests()).toBe(2);
  });

  test('gets back what a failed call had reserved, and pays for an answer of the wrong form', async () => {
    const faults: ScriptInput['faults'] = [
      { kind: 'server_error', first: 1 },
      { kind: 'wrong_schema', first: 1 },
      { kind: 'truncated', first: 1 },
    ];
    const asking = await start({ tokens_per_day: 100_000 }, { answers: [{ reply: VERDICT }], faults });
    const spent: number[] = [];
    for (const prompt of ['500', 'wrong', 'cut']) {
      await ask(asking.model, question(prompt), asking.deps).catch(() => {});
      const budget = (await budgetOf(asking)) as { tokens: number; reserved: number };
      expect(budget.reserved).toBe(0);
      spent.push(budget.tokens);
    }
    const cost = (n: number) =>
      asking.exchanges[n]!.usage!.prompt_tokens + asking.exchanges[n]!.usage!.completion_tokens;
    expect(spent).toEqual([0, cost(1), cost(1) + cost(2)]);
  });

  test('is not held for ever by a worker that died while asking', async () => {
    const asking = await start({ tokens_per_day: 1_500, max_output_tokens: 1_000 }, { faults: [{ kind: 'hang' }] });
    const arrived = new Promise<void>((resolve) => {
      asking.mock.log.subscribe((_, what) => what === 'arrived' && resolve());
    });
    const dead = ask(asking.model, question('never ends'), asking.deps).catch(() => 'cut');
    await arrived;
    await expect(ask(asking.model, question('meanwhile'), asking.deps)).rejects.toMatchObject(exhausted);
    await moveClock(on(), asking.model.timeout_s + 61);
    const other = await start({ id: asking.model.id, tokens_per_day: 1_500, max_output_tokens: 1_000 });
    expect((await ask(other.model, question('later'), other.deps)).value).toEqual(VERDICT);
    await asking.mock.stop();
    expect(await dead).toBe('cut');
  });

  test('there is none for a model without one', async () => {
    const asking = await start({ max_output_tokens: 1_000_000 });
    await ask(asking.model, question('as much as you like'), asking.deps);
    expect(await budgetOf(asking)).toBeUndefined();
  });
});

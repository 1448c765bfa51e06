import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Asking, question, startAsking, VERDICT, type Verdict, verdictSchema } from '../../test/harness/asking.ts';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { uuid7 } from '../core/ids.ts';
import { CodedError } from '../errors/coded-error.ts';
import { acquireSlots, readPools } from '../jobs/slots.ts';
import { forgetAnswers } from './answer-cache.ts';
import { ask } from './ask.ts';
import type { ScriptInput } from './mock/index.ts';
import { costMicros, findModel, listModels, type Model, modelSchema } from './registry.ts';

onBothDatabases('asking a model', (ground) => {
  const on = () => ground().database;
  const open: Asking[] = [];
  const start = async (script?: ScriptInput, changes?: Partial<Model>) => {
    const asking = await startAsking(on(), script, changes);
    open.push(asking);
    return asking;
  };
  afterEach(async () => {
    for (const asking of open.splice(0)) await asking[Symbol.asyncDispose]();
    await moveClock(on(), 0);
  });
  const errorOf = async (asked: Promise<unknown>): Promise<CodedError> => {
    const error = await asked.then(
      (value) => value,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CodedError);
    return error as CodedError;
  };

  test('sends the question once, with key and schema, and gives what it cost', async () => {
    const asking = await start(undefined, { price_in: 2_000_000, price_out: 3_500_000 });
    const { value, use } = await ask(asking.model, question('Is it fine?'), { ...asking.deps, requestKey: 'item-7' });
    expect(value).toEqual(VERDICT);
    const [{ headers, body, usage }] = asking.exchanges as [Asking['exchanges'][0]];
    expect(headers.get('authorization')).toBe('Bearer the-key');
    expect(headers.get('x-request-key')).toBe('item-7');
    expect(body.messages).toEqual([
      { role: 'system', content: 'You audit texts.' },
      { role: 'user', content: 'Is it fine?' },
    ]);
    expect(body).toMatchObject({ model: 'm-1', temperature: 0, max_tokens: 1024 });
    expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { name: 'verdict' } });
    const { prompt_tokens, completion_tokens } = usage!;
    expect(use).toEqual({
      calls: 1,
      cachedCalls: 0,
      tokensIn: prompt_tokens,
      tokensOut: completion_tokens,
      costMicros: prompt_tokens * 2 + Math.ceil(completion_tokens * 3.5),
    });
    expect(prompt_tokens).toBeGreaterThan(0);
    expect(asking.requests()).toBe(1);
    await asking.allReleased();
  });

  test('a server without schemas is told the schema in the prompt', async () => {
    const asking = await start(undefined, { json_schema: false });
    expect((await ask(asking.model, question('x'), asking.deps)).value).toEqual(VERDICT);
    const [{ body }] = asking.exchanges as [Asking['exchanges'][0]];
    expect(body.response_format).toEqual({ type: 'json_object' });
    const system = body.messages
      .filter(({ role }) => role === 'system')
      .map(({ content }) => content)
      .join('\n');
    expect(system).toContain('You audit texts.');
    expect(system).toContain(JSON.stringify(z.toJSONSchema(verdictSchema)));
  });

  test('again, it is answered from the cache and makes no request', async () => {
    const asking = await start(undefined, { price_in: 1_000_000 });
    const first = await ask(asking.model, question('same'), asking.deps);
    const again = await ask(asking.model, question('same'), asking.deps);
    expect(again).toEqual({
      value: first.value,
      model: 'm-1',
      use: { calls: 0, cachedCalls: 1, tokensIn: 0, tokensOut: 0, costMicros: 0 },
    });
    expect(asking.requests()).toBe(1);
    await ask(asking.model, question('same'), { ...asking.deps, useCache: false });
    expect(asking.requests()).toBe(2);
  });

  test('anything else asked is another question', async () => {
    const asking = await start({ answers: [{ reply: { ...VERDICT, more: 1 } }] });
    const wider = verdictSchema.extend({ more: z.number() });
    const asks: [Model, Parameters<typeof question>][] = [
      [asking.model, ['a']],
      [asking.model, ['b']],
      [asking.model, ['a', { system: 'You audit texts strictly.' }]],
      [asking.model, ['a', { schema: wider as unknown as z.ZodType<Verdict> }]],
      [asking.model, ['a', { maxOutputTokens: 500 }]],
      [{ ...asking.model, model: 'm-2' }, ['a']],
      // A name of ours and a price change nothing about the answer.
      [{ ...asking.model, price_in: 9 }, ['a', { schemaName: 'other' }]],
    ];
    for (const [model, args] of asks) await ask(model, question(...args), asking.deps);
    expect(asking.requests()).toBe(6);
  });

  test('what was answered about an item goes with it, and is asked anew', async () => {
    const [item, other] = [uuid7(), uuid7()];
    const asking = await start();
    for (const about of [item, other]) {
      await ask(asking.model, question(`about ${about}`), { ...asking.deps, item: about });
    }
    await on().transaction((tx) => forgetAnswers(tx, item));
    const again = await Promise.all(
      [item, other].map((about) => ask(asking.model, question(`about ${about}`), { ...asking.deps, item: about })),
    );
    expect(again.map(({ use }) => use.cachedCalls)).toEqual([0, 1]);
  });

  test('an answer with characters that no column holds comes through, and from the cache the same', async () => {
    const odd = { decision: 'approve', evidence: 'NUL \0, half \ud83d, "quoted", 🙂' };
    const asking = await start({ answers: [{ reply: odd }] });
    for (const cached of [0, 1]) {
      const { value, use } = await ask(asking.model, question('odd'), asking.deps);
      expect([value, use.cachedCalls]).toEqual([odd, cached]);
    }
  });

  test.each([
    ['server_error', { kind: 'server_error' }, 'llm.unavailable', 'transient'],
    ['502 of a proxy', { kind: 'server_error', status: 502 }, 'llm.unavailable', 'transient'],
    ['503 without a time', { kind: 'server_error', status: 503 }, 'llm.unavailable', 'transient'],
    ['garbage', { kind: 'garbage' }, 'llm.invalid_output', 'transient'],
    ['empty', { kind: 'empty' }, 'llm.invalid_output', 'transient'],
    ['truncated', { kind: 'truncated' }, 'llm.truncated', 'permanent'],
    ['truncated_body', { kind: 'truncated_body' }, 'llm.unavailable', 'transient'],
    ['content_filter', { kind: 'content_filter' }, 'llm.content_filter', 'permanent'],
    ['wrong_schema', { kind: 'wrong_schema' }, 'llm.invalid_output', 'transient'],
    ['fenced', { kind: 'fenced' }, 'llm.invalid_output', 'transient'],
    ['reset', { kind: 'reset' }, 'llm.unavailable', 'transient'],
    ['unauthorized', { kind: 'unauthorized' }, 'llm.unauthorized', 'permanent'],
    ['bad_request', { kind: 'bad_request' }, 'llm.request_refused', 'permanent'],
  ] as const)('%s', async (_what, fault, code, errorClass) => {
    const asking = await start({ answers: [{ reply: VERDICT }], faults: [{ ...fault, first: 1 }] });
    const error = await errorOf(ask(asking.model, question('x'), asking.deps));
    expect([error.code, error.errorClass]).toEqual([code, errorClass]);
    // One place retries, and it is not here.
    expect(asking.requests()).toBe(1);
    await asking.allReleased();
    // What failed is not remembered.
    expect((await ask(asking.model, question('x'), asking.deps)).use).toMatchObject({ calls: 1, cachedCalls: 0 });
    expect(asking.requests()).toBe(2);
  });

  test.each([
    [
      'text/html; charset=utf-8',
      '<html><head><title>Gateway Timeout</title></head><body><h1>Gateway Timeout</h1></body></html>',
    ],
    ['text/plain', '<!DOCTYPE html><style>h1 { color: red }</style><h1>Gateway\nTimeout</h1>'],
  ])('case 32: a page in place of an answer is an outage and not the model’s (%s)', async (type, page) => {
    const asking = await start();
    const fetch = async () => new Response(page, { status: 200, headers: { 'content-type': type } });
    const error = await errorOf(ask(asking.model, question('x'), { ...asking.deps, fetch }));
    expect([error.code, error.errorClass]).toEqual(['llm.unavailable', 'transient']);
    expect(error.message).toMatch(/with a page: (Gateway Timeout ?)+$/);
    await asking.allReleased();
  });

  test('case 26: an answer counts though its server does not say why it ended', async () => {
    const asking = await start();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const told = (await (await globalThis.fetch(input, init)).json()) as { choices: { finish_reason?: string }[] };
      for (const choice of told.choices) delete choice.finish_reason;
      return Response.json(told);
    };
    expect((await ask(asking.model, question('x'), { ...asking.deps, fetch })).value).toEqual(VERDICT);
  });

  test('a model that hangs is left at its time limit, and one that is not there at once', async () => {
    const hanging = await start({ faults: [{ kind: 'hang' }] }, { timeout_s: 0.2 });
    const error = await errorOf(ask(hanging.model, question('x'), hanging.deps));
    expect([error.code, error.errorClass]).toEqual(['llm.timeout', 'transient']);
    expect(hanging.requests()).toBe(1);
    await hanging.allReleased();
    await hanging.mock.stop();
    const gone = await errorOf(ask(hanging.model, question('x'), hanging.deps));
    expect([gone.code, gone.errorClass]).toEqual(['llm.unavailable', 'transient']);
    await hanging.allReleased();
  });

  test('who loses their claim leaves, and the slot is free', async () => {
    const asking = await start({ faults: [{ kind: 'hang' }] });
    const leave = new AbortController();
    asking.mock.log.subscribe((_, what) => what === 'arrived' && leave.abort(new Error('the claim is lost')));
    const error = await errorOf(ask(asking.model, question('x'), { ...asking.deps, signal: leave.signal }));
    expect(error.errorClass).toBe('transient');
    await asking.allReleased();
  });

  test.each([
    ['429', { kind: 'rate_limited', retry_after: 7 }],
    ['503 that names a time', { kind: 'server_error', status: 503, retry_after: 7 }],
    ['429 with a date', { kind: 'rate_limited', retry_after: 7, form: 'http_date' }],
  ] as const)('%s postpones, and the pool pauses for everybody', async (_what, fault) => {
    const asking = await start({ answers: [{ reply: VERDICT }], faults: [{ ...fault, first: 1 }] });
    const { id } = asking.model;
    const error = await errorOf(ask(asking.model, question('x'), asking.deps));
    expect([error.code, error.errorClass]).toEqual(['llm.rate_limited', 'postponed']);
    expect(error.retryAfterSeconds).toBeGreaterThan(5);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(8);
    await asking.allReleased();
    const pool = async () => (await readPools(on())).find(({ name }) => name === id)!;
    expect((await pool()).pausedSeconds).toBeGreaterThan(4);
    const other = { pool: id, holder: crypto.randomUUID(), worker: 'another', wanted: 1, leaseSeconds: 1 };
    expect(await acquireSlots(on(), other)).toMatchObject({ leases: [], retryAfterSeconds: expect.any(Number) });
    expect(asking.requests()).toBe(1);
    await moveClock(on(), 10);
    expect((await pool()).pausedSeconds).toBe(0);
    expect((await ask(asking.model, question('x'), asking.deps)).value).toEqual(VERDICT);
  });

  test('429 that names no time pauses for a moment', async () => {
    const asking = await start({ faults: [{ kind: 'rate_limited', retry_after: null }] });
    const error = await errorOf(ask(asking.model, question('x'), asking.deps));
    expect(error).toMatchObject({ code: 'llm.rate_limited', errorClass: 'postponed', retryAfterSeconds: 5 });
  });

  test('never more at once than the pool allows', async () => {
    const asking = await start({ answers: [{ reply: VERDICT }], latency_ms: 20 }, { concurrency: 3 });
    await Promise.all(Array.from({ length: 12 }, (_, n) => ask(asking.model, question(`no. ${n}`), asking.deps)));
    expect(asking.mock.log.stats()).toMatchObject({ requests: 12 });
    expect(asking.mock.log.stats().max_in_flight).toBeLessThanOrEqual(3);
    await asking.allReleased();
  });
});

describe('the registry', () => {
  const base = { id: 'a', base_url: 'http://127.0.0.1:1/v1', model: 'm' };

  test('has the models of the rulebook and the one of the environment', () => {
    const env = {
      OPENAI_BASE_URL: 'http://127.0.0.1:2/v1',
      OPENAI_API_KEY: 'sk-1',
      SIGNALBOX_MODEL: 'big',
      SIGNALBOX_MODEL_CONCURRENCY: '7',
    };
    const models = listModels({ models: [modelSchema.parse(base)] }, env);
    expect([...models.keys()]).toEqual(['a', 'default']);
    expect(findModel(models, 'default')).toMatchObject({ model: 'big', concurrency: 7, api_key_env: 'OPENAI_API_KEY' });
    expect(() => findModel(models, 'b')).toThrow(expect.objectContaining({ code: 'llm.model_unknown' }));
    expect([...listModels({ models: [] }, { OPENAI_BASE_URL: env.OPENAI_BASE_URL }).keys()]).toEqual([]);
    const own = listModels({ models: [modelSchema.parse({ ...base, id: 'default' })] }, env);
    expect(findModel(own, 'default').model).toBe('m');
    expect(() => listModels({ models: [] }, { ...env, OPENAI_BASE_URL: 'nowhere' })).toThrow(
      expect.objectContaining({ code: 'llm.bad_settings' }),
    );
  });

  test('keeps no key, and no word that it does not know', () => {
    expect(modelSchema.safeParse({ ...base, api_key: 'sk-1' }).success).toBe(false);
    expect(modelSchema.safeParse({ ...base, concurrency: 0 }).success).toBe(false);
    for (const base_url of ['http://me:sk-1@127.0.0.1/v1', 'http://127.0.0.1/v1?key=sk-1', 'file:///etc/passwd'])
      expect(modelSchema.safeParse({ ...base, base_url }).success).toBe(false);
    for (const api_key_env of ['SIGNALBOX_API_KEY', 'SIGNALBOX_SECRET_KEY', 'DATABASE_URL', 'AWS_SECRET_ACCESS_KEY'])
      expect(modelSchema.safeParse({ ...base, api_key_env }).success).toBe(false);
    expect(modelSchema.safeParse({ ...base, api_key_env: 'DEEPSEEK_API_KEY' }).success).toBe(true);
  });

  test('costs are rounded up to the next millionth', () => {
    const prices = { price_in: 150_000, price_out: 600_000 };
    expect(costMicros(prices, 1000, 500)).toBe(450);
    expect(costMicros(prices, 1, 0)).toBe(1);
    expect(costMicros(prices, 0, 0)).toBe(0);
    expect(costMicros({ price_in: 0, price_out: 0 }, 9999, 9999)).toBe(0);
  });
});

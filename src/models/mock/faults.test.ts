import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { earlyRequests } from './early-requests.ts';
import type { Fault } from './fault-kinds.ts';
import type { ScriptInput } from './script.ts';
import { type MockModel, startMockModel } from './server.ts';

type FaultInput = NonNullable<ScriptInput['faults']>[number];

let mock: MockModel | null = null;
afterEach(async () => {
  await mock?.stop();
  mock = null;
});

const schema = z.strictObject({ decision: z.enum(['approve', 'reject']), evidence: z.string() });

async function ask(fault: FaultInput, body: object = {}): Promise<Response> {
  mock ??= await startMockModel();
  const script = { faults: [fault], answers: [{ when: { contains: 'scripted' }, reply: '一二三四五六七八九十' }] };
  await fetch(new URL('/mock/script', mock.url), { method: 'POST', body: JSON.stringify(script) });
  await fetch(new URL('/mock/reset', mock.url), { method: 'POST' });
  return send(body);
}

function send(body: object = {}): Promise<Response> {
  return fetch(`${mock?.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...body }),
  });
}

async function choice(response: Response) {
  const { choices } = (await response.json()) as {
    choices: [{ message: { content: string }; finish_reason: string }];
  };
  return { content: choices[0].message.content, finish: choices[0].finish_reason };
}

const scripted = { messages: [{ role: 'user', content: 'scripted' }] };
const structured = {
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: z.toJSONSchema(schema) } },
};

test('rate_limited: 429 with Retry-After in seconds, and a request before its time is found', async () => {
  const response = await ask({ kind: 'rate_limited', retry_after: 2, first: 1 });
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await response.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  expect((await send()).status).toBe(200);
  expect(earlyRequests(mock?.log ?? [])).toEqual([
    { key: expect.any(String), promised_at: expect.any(Number), arrived_at: expect.any(Number) },
  ]);
});

test('rate_limited: 429 with Retry-After as a date, or without', async () => {
  const before = Date.now();
  const date = await ask({ kind: 'rate_limited', retry_after: 30, form: 'http_date' });
  const due = Date.parse(date.headers.get('retry-after') ?? '');
  expect(due).toBeGreaterThanOrEqual(before + 30_000);
  expect(due).toBeLessThan(Date.now() + 31_001);
  expect(date.headers.get('retry-after')).toMatch(/GMT$/);
  expect(mock?.log.entries()[0]?.retry_promise?.due_at).toBe(due);
  const without = await ask({ kind: 'rate_limited', retry_after: null });
  expect([without.status, without.headers.get('retry-after')]).toEqual([429, null]);
});

test('server_error: 500, 502 as HTML, 503 with Retry-After', async () => {
  const plain = await ask({ kind: 'server_error' });
  expect([plain.status, await plain.json()]).toMatchObject([500, { error: { type: 'server_error' } }]);
  const proxy = await ask({ kind: 'server_error', status: 502 });
  expect([proxy.status, await proxy.text()]).toEqual([502, expect.stringContaining('<html>')]);
  const overloaded = await ask({ kind: 'server_error', status: 503, retry_after: 7 });
  expect([overloaded.status, overloaded.headers.get('retry-after')]).toEqual([503, '7']);
});

test('unauthorized and bad_request', async () => {
  const unauthorized = await ask({ kind: 'unauthorized' });
  expect([unauthorized.status, await unauthorized.json()]).toMatchObject([401, { error: { code: 'invalid_api_key' } }]);
  expect((await ask({ kind: 'bad_request' })).status).toBe(400);
  expect(mock?.log.stats().outcomes).toEqual({ bad_request: 1 });
});

test('garbage: 200, and no JSON', async () => {
  const response = await ask({ kind: 'garbage' });
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(() => JSON.parse(text)).toThrow();
  const streamed = await (await ask({ kind: 'garbage' }, { stream: true })).text();
  expect(streamed).toMatch(/^data: [^\n]+\n\n$/s);
});

test('truncated: the text ends early, with finish_reason length', async () => {
  expect(await choice(await ask({ kind: 'truncated', keep: 0.3 }, scripted))).toEqual({
    content: '一二三',
    finish: 'length',
  });
  expect((await choice(await ask({ kind: 'truncated', keep: 1 }, structured))).content).not.toMatch(/\}$/);
});

test('truncated_body: the connection closes in the middle, streamed or not', async () => {
  for (const stream of [false, true]) {
    const response = await ask({ kind: 'truncated_body' }, { stream });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(mock?.log.entries()[0]).toMatchObject({ fault: 'truncated_body', status: 200 });
  }
  const headOnly = await ask({ kind: 'truncated_body', keep: 0 });
  await expect(headOnly.text()).rejects.toThrow('terminated');
});

test('reset: the connection is cut before an answer', async () => {
  await expect(ask({ kind: 'reset' })).rejects.toThrow('fetch failed');
  expect(mock?.log.entries()[0]).toMatchObject({ fault: 'reset', status: null, bytes: 0 });
});

test('slow_stream: the right answer in many small parts', async () => {
  for (const stream of [false, true]) {
    const response = await ask({ kind: 'slow_stream', interval_ms: 1, chunk_bytes: 40 }, { ...scripted, stream });
    const text = await response.text();
    expect(text).toContain('一二三四');
    expect(mock?.log.entries()[0]).toMatchObject({ outcome: 'slow_stream', bytes: Buffer.byteLength(text) });
  }
});

test('slow_stream: ends when the client leaves', async () => {
  const leave = new AbortController();
  mock = await startMockModel({ script: { faults: [{ kind: 'slow_stream', interval_ms: 600_000 }] } });
  const end = new Promise((resolve) => mock?.log.subscribe((request, what) => what === 'ended' && resolve(request)));
  const response = await fetch(`${mock.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], stream: true }),
    signal: leave.signal,
  });
  const first = await response.body?.getReader().read();
  expect(first?.value).toHaveLength(16);
  leave.abort();
  expect(await end).toMatchObject({ outcome: 'slow_stream', bytes: 16 });
  expect(mock.inFlight()).toBe(0);
});

test('content_filter and empty: no text', async () => {
  expect(await choice(await ask({ kind: 'content_filter' }))).toEqual({ content: '', finish: 'content_filter' });
  expect(await choice(await ask({ kind: 'empty' }))).toEqual({ content: '', finish: 'stop' });
});

test('wrong_schema and fenced: what a strict reader must not take', async () => {
  const wrong = JSON.parse((await choice(await ask({ kind: 'wrong_schema' }, structured))).content);
  expect(schema.safeParse(wrong).success).toBe(false);
  const fenced = (await choice(await ask({ kind: 'fenced' }, structured))).content;
  expect(fenced).toMatch(/^```json\n\{.*\}\n```$/s);
  expect(schema.safeParse(JSON.parse(fenced.slice(8, -4))).success).toBe(true);
});

test('every fault leaves its kind as the outcome', async () => {
  const kinds: Exclude<Fault['kind'], 'hang'>[] = [
    'rate_limited',
    'server_error',
    'slow_stream',
    'garbage',
    'truncated',
    'truncated_body',
    'content_filter',
    'reset',
    'unauthorized',
    'bad_request',
    'wrong_schema',
    'fenced',
    'empty',
  ];
  for (const kind of kinds) {
    await ask(kind === 'slow_stream' ? { kind, interval_ms: 1, chunk_bytes: 400 } : { kind })
      .then((response) => response.text())
      .catch(() => {});
    expect(mock?.log.entries()[0]).toMatchObject({ fault: kind, outcome: kind });
  }
});

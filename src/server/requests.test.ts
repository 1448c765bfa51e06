import { createRoute } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type Reply } from '../../test/harness/site.ts';
import { encodeCursor, endpoint } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import { createApp } from './app.ts';
import { errorAnswer } from './error-answer.ts';
import { mountHealth } from './health-routes.ts';

let site: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  site = await openSite('pglite', { workers: false });
});
afterAll(() => site.close());

const expectError = ({ status, body }: Reply, expected: number, code: string) => {
  expect([status, body]).toEqual([
    expected,
    { error: { code, message: expect.stringMatching(/\w/), detail: expect.any(Object) } },
  ]);
  return (body as { error: { message: string; detail: Record<string, unknown> } }).error;
};

describe('what is wrong with a request is said as {error: {code, message, detail}}', () => {
  test.each([
    ['GET', '/nowhere'],
    ['DELETE', '/answers/brands'],
    ['GET', '/answers/clean-tasks'],
    ['GET', '/api/v2/answers/brands'],
  ])('%s %s is not there, for nobody either', async (method, path) => {
    for (const key of [null, undefined]) {
      const { message } = expectError(
        await site.call(method, path, key === null ? { key } : {}),
        404,
        'route.not_found',
      );
      expect(message).toContain(path);
    }
  });

  test.each(['{', '', '{"items": [}', 'items: []', '\ufeff{'])('the body %j is not JSON', async (raw) => {
    expectError(await site.call('PUT', '/answers/brands', { raw }), 422, 'request.malformed');
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body as %s is not taken for JSON',
    async (type) => {
      expectError(await site.call('POST', '/answers/clean-tasks', { raw: '[]', type }), 415, 'request.unsupported');
    },
  );

  test('JSON with a character set or by a vendor name is JSON', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.api+json']) {
      expect([type, (await site.call('POST', '/answers/clean-tasks', { raw: '[]', type })).status]).toEqual([
        type,
        202,
      ]);
    }
  });

  test.each([
    ['PUT', '/answers/brands', {}, 'items'],
    [
      'PUT',
      '/answers/brands',
      { items: [{ name: 'A' }, { name: 'B', aliases: [{ text: '' }] }] },
      'items.1.aliases.0.text',
    ],
    ['PUT', '/answers/brands', { items: [{ name: 'x'.repeat(101) }] }, 'items.0.name'],
    ['PUT', '/answers/brands', { items: [], note: 'x'.repeat(1001) }, 'note'],
    ['PUT', '/delivery/targets', { items: [{ id: 'Upper', url: 'https://a.example' }] }, 'items.0.id'],
    ['PUT', '/delivery/targets', { items: [{ id: 'a', url: 'ftp://a.example' }] }, 'items.0.url'],
    ['POST', '/dead-letters/redrive', { ids: ['1'] }, 'ids.0'],
    ['POST', '/dead-letters/redrive', { everything: true }, ''],
  ] as const)('%s %s names the field: %j', async (method, path, json, field) => {
    const { message, detail } = expectError(await site.call(method, path, { json }), 422, 'request.invalid');
    expect(detail).toEqual({ field, in: 'json' });
    expect(message).toContain(field);
  });

  test('two brands with one alias are told by name', async () => {
    const items = [
      { name: '豆包', aliases: ['Doubao'] },
      { name: 'Kimi', aliases: ['doubao'] },
    ];
    const error = expectError(
      await site.call('PUT', '/answers/brands', { json: { items } }),
      422,
      'answers.alias_collision',
    );
    expect(error.detail).toEqual({ brand: 'Kimi', field: 'aliases[0]' });
    expect(error.message).toContain('豆包');
    expect((await site.call('GET', '/answers/brands')).body).toMatchObject({ items: [], version: 0 });
  });

  test.each(['/answers/results', '/dead-letters', '/delivery/messages'])(
    '%s takes no cursor but its own',
    async (path) => {
      const foreign = [[], ['abc'], [null], [1.5], [1e300], [1, 2], ['1'], { a: 1 }].map((parts) =>
        encodeCursor(parts as string[]),
      );
      for (const cursor of ['nonsense', '%00', '%F0%9F%99%82', ...foreign]) {
        const error = expectError(await site.call('GET', `${path}?cursor=${cursor}`), 422, 'request.bad_cursor');
        expect(error.detail).toEqual({ field: 'cursor' });
      }
      for (const query of ['limit=0', 'limit=501', 'limit=1.5', 'limit=x']) {
        const error = expectError(await site.call('GET', `${path}?${query}`), 422, 'request.invalid');
        expect(error.detail).toEqual({ field: 'limit', in: 'query' });
      }
      expect((await site.call('GET', `${path}?limit=500`)).body).toEqual({ items: [], next_cursor: null });
    },
  );

  test.each([
    '/answers/results?batch_id=%00',
    '/answers/results?from=0000-01-01T00:00:00Z',
    '/answers/results?to=2026-01-01T00:00:00%2B23:00',
    '/answers/results/a%00b',
    '/answers/samples?clean_task_id=%00',
    '/dead-letters?stage=%00',
    '/trace/%00',
  ])('what the database cannot hold is refused: %s', async (path) => {
    expectError(await site.call('GET', path), 422, 'request.invalid');
    expect(site.reported).toEqual([]);
  });

  test('a body of more than 32 MiB is too large, whether its length is told or not', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    expectError(
      await site.call('POST', '/answers/clean-tasks', { raw: `[${' '.repeat(32 * 1024 * 1024)}]` }),
      413,
      'request.too_large',
    );
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        if (sent <= 33) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const response = await site.house.app.app.request('/api/v1/answers/clean-tasks', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { authorization: 'Bearer the-owners-key-of-a-test-0123456789', 'content-type': 'application/json' },
    } as RequestInit);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      413,
      'request.too_large',
    ]);
  });

  test('what nobody expected keeps its words to itself', async () => {
    const told: unknown[] = [];
    const secret = new Error('password=hunter2 at 10.0.0.1');
    const route = createRoute({ method: 'get', path: '/broken', responses: { 200: { description: '' } } });
    const { app } = createApp([endpoint('public', route, () => Promise.reject(secret))], {
      identify: async () => null,
      onError: (error, where) => told.push([error, where]),
    });
    const response = await app.request('/api/v1/broken');
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toEqual([
      500,
      { error: { code: 'server.unexpected', message: 'something unexpected happened', detail: {} } },
    ]);
    expect(told).toEqual([[secret, 'GET /api/v1/broken']]);
  });

  test.each([
    ['auth.missing', 401],
    ['auth.unknown_key', 401],
    ['auth.forbidden', 403],
    ['trace.unknown', 404],
    ['accounts.key_unknown', 404],
    ['answers.result_unknown', 404],
    ['route.not_found', 404],
    ['comments.gone', 410],
    ['task.conflict', 409],
    ['core.revision_stale', 409],
    ['core.edge_missing', 409],
    ['request.too_large', 413],
    ['file.unsupported', 415],
    ['task.invalid', 422],
    ['answers.alias_collision', 422],
    ['answers.brand_duplicate', 422],
    ['some.thing', 400],
  ])('%s is answered with %i', (code, status) => {
    const answer = errorAnswer(new CodedError(code, 'permanent', 'why', { detail: { a: 1 } }));
    expect(answer).toEqual({ status, body: { error: { code, message: 'why', detail: { a: 1 } } } });
  });

  test('what may pass is answered with 503', () => {
    expect(errorAnswer(new CodedError('some.thing', 'transient', 'why')).status).toBe(503);
  });
});

describe('the description of the API', () => {
  interface Operation {
    readonly 'x-permission'?: string;
    readonly security?: unknown;
    readonly parameters?: readonly { name: string; in: string; required?: boolean }[];
    readonly responses: Record<string, { description: string }>;
  }
  interface Document {
    readonly openapi: string;
    readonly info: { title: string; version: string };
    readonly paths: Record<string, Record<string, Operation>>;
    readonly components: { schemas: object; securitySchemes: Record<string, unknown> };
  }
  const document = async () => (await site.call<Document>('GET', '/openapi.json', { key: null })).body;

  test('has every route with who may call it, its parameters and its answers', async () => {
    const { openapi, info, paths, components } = await document();
    expect(openapi).toMatch(/^3\.1\.\d+$/);
    expect(info).toMatchObject({ title: 'Signalbox', version: expect.stringMatching(/^\d/) });
    expect(components.securitySchemes).toEqual({ bearer: { type: 'http', scheme: 'bearer' } });
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(
      site.house.app.routes.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    for (const { method, path, access } of site.house.app.routes) {
      const operation = paths[path]![method.toLowerCase()]!;
      const isOpen = access === 'public';
      expect([path, operation['x-permission'], operation.security]).toEqual(
        isOpen ? [path, undefined, undefined] : [path, access, [{ bearer: [] }]],
      );
      const statuses = Object.keys(operation.responses);
      expect(statuses).toEqual(expect.arrayContaining(isOpen ? ['422'] : ['401', '403', '422']));
      expect(statuses.some((status) => status.startsWith('2'))).toBe(true);
      for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/\w/);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const told = (operation.parameters ?? [])
        .filter((one) => one.in === 'path' && one.required)
        .map(({ name }) => name);
      expect([path, told]).toEqual([path, inPath]);
    }
  });

  test('refers to nothing that it does not have', async () => {
    const whole = await document();
    const references = [...JSON.stringify(whole).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(references.length).toBeGreaterThan(0);
    for (const ref of references) {
      const [root, ...steps] = ref.split('/');
      let at: unknown = root === '#' ? whole : undefined;
      for (const step of steps) at = (at as Record<string, unknown> | undefined)?.[step];
      expect([ref, typeof at]).toEqual([ref, 'object']);
    }
  });

  test('is a page for people, too', async () => {
    const { status, headers, body } = await site.call<string>('GET', '/docs', { key: null });
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    for (const { path } of site.house.app.routes) expect(body).toContain(path);
  });
});

describe('health', () => {
  beforeAll(async () => {
    const json = { clean_task_id: 'waiting', answer: 'x', brand_name: 'A' };
    expect((await site.call('POST', '/answers/clean-tasks', { json })).body.accepted).toBe(1);
  });

  test('is public, and says what is ready', async () => {
    expect(await site.call('GET', '/healthz', { key: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await site.call('GET', '/readyz', { key: null })).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('is ready no more when the database is gone, and alive all the same', async () => {
    const { app } = createApp([], { identify: async () => null, onError: () => {} });
    const database = { ...site.house.database, query: () => Promise.reject(new Error('the server is gone')) };
    mountHealth(app, { database, machines: [], identify: async () => null });
    const [ready, alive] = [await app.request('/readyz'), await app.request('/healthz')];
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', what: 'database' }]);
    expect(alive.status).toBe(200);
  });

  test('metrics need a key and are lines that Prometheus reads', async () => {
    expectError(await site.call('GET', '/metrics', { key: null }), 401, 'auth.missing');
    expectError(await site.call('GET', '/metrics', { key: 'sbx_wrong' }), 401, 'auth.unknown_key');
    const { status, headers, body } = await site.call<string>('GET', '/metrics');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/plain; version=0\.0\.4/),
    ]);
    expect(body.endsWith('\n')).toBe(true);
    const helped = new Set<string>();
    const typed = new Set<string>();
    const values = new Map<string, number>();
    for (const line of body.trimEnd().split('\n')) {
      const comment = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line);
      if (comment) (comment[1] === 'HELP' ? helped : typed).add(comment[2]!);
      const sample =
        /^([a-z_]+)(\{[a-z_]+="[^"\\\n]*"(?:,[a-z_]+="[^"\\\n]*")*\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line);
      expect([line, comment !== null || sample !== null]).toEqual([line, true]);
      if (!sample) continue;
      expect(typed).toContain(sample[1]);
      expect(values.has(`${sample[1]}${sample[2] ?? ''}`)).toBe(false);
      values.set(`${sample[1]}${sample[2] ?? ''}`, Number(sample[3]));
    }
    expect(typed).toEqual(helped);
    expect(values.get('signalbox_dead_letters')).toBe(0);
    expect(values.get('signalbox_queue_waiting{queue="answers.clean"}')).toBe(1);
    expect(values.get('signalbox_queue_active{queue="answers.clean"}')).toBe(0);
    expect(values.size).toBeGreaterThan(5);
  });

  test('queues and machines count the same work, in names of the API', async () => {
    const { body } = await site.call('GET', '/queues');
    expect(body).toEqual({
      stuck: [],
      queues: [
        { name: 'answers.clean', waiting: 1, delayed: 0, active: 0, silent: 0, oldest_seconds: expect.any(Number) },
      ],
      dead_letters: 0,
      oldest_dead_letter_seconds: null,
      oldest_transaction_seconds: expect.any(Number),
      pools: [],
    });
    const { items } = (await site.call('GET', '/machines')).body;
    const sample = items.find((machine: { name: string }) => machine.name === 'answers.sample');
    expect(sample.states.filter((one: { items: number }) => one.items)).toEqual([
      { state: 'pending', items: 1, stuck_after_s: 1800 },
    ]);
    expect(sample.edges).toContainEqual({ from: 'extracted', to: 'completed', who: ['system'], replay: false });
    expect(sample.edges).not.toContainEqual(expect.objectContaining({ from: 'completed' }));
  });
});

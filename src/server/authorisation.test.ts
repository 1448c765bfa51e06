import { createRoute, z } from '@hono/zod-openapi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite } from '../../test/harness/site.ts';
import { createApiKey } from '../accounts/api-keys.ts';
import { PERMISSIONS, ROLES, type Role } from '../accounts/roles.ts';
import { uuid7 } from '../core/ids.ts';
import type { Permission } from '../core/permission.ts';
import { endpoint, jsonBody } from '../core/route.ts';
import { createApp } from './app.ts';

/** Who may call each route. A route that is not here, or not as it is here, fails: nothing is opened by accident. */
const RULES: Readonly<Record<string, Permission | 'public'>> = {
  'POST /answers/clean-tasks': 'submit',
  'GET /answers/samples': 'read',
  'GET /answers/results': 'read',
  'GET /answers/results/{clean_task_id}': 'read',
  'POST /answers/results/{clean_task_id}/decision': 'decide',
  'GET /answers/results/{clean_task_id}/versions': 'read',
  'GET /answers/labels': 'analyse',
  'GET /answers/brands': 'read',
  'PUT /answers/brands': 'configure',
  'GET /answers/reports/success-rate': 'read',
  'GET /answers/reports/mention-rate': 'read',
  'GET /comments/sites': 'read',
  'PUT /comments/sites': 'configure',
  'DELETE /comments/sites/{site}': 'configure',
  'GET /comments/policies': 'read',
  'PUT /comments/policies': 'configure',
  'PUT /comments/articles': 'submit',
  'OPTIONS /comments': 'public',
  'OPTIONS /comments/{id}': 'public',
  'GET /comments': 'public',
  'GET /comments/counts': 'public',
  'GET /comments/{id}/replies': 'public',
  'GET /comments/{id}/locate': 'public',
  'POST /comments': 'public',
  'GET /comments/status/{status_token}': 'public',
  'GET /comments/status/{status_token}/stream': 'public',
  'PATCH /comments/{id}': 'public',
  'DELETE /comments/{id}': 'public',
  'GET /comments/queue': 'decide',
  'GET /comments/{id}': 'decide',
  'GET /comments/reports/agreement': 'read',
  'POST /comments/decisions': 'decide',
  'POST /comments/{id}/decision': 'decide',
  'POST /comments/{id}/undo': 'decide',
  'POST /comments/{id}/retry-reply': 'decide',
  'POST /comments/{id}/pin': 'decide',
  'POST /comments/{id}/claim': 'decide',
  'POST /comments/{id}/release': 'decide',
  'POST /documents': 'submit',
  'GET /documents': 'read',
  'GET /documents/types': 'read',
  'PUT /documents/types': 'configure',
  'GET /documents/settings': 'read',
  'PUT /documents/settings': 'configure',
  'POST /documents/review/next': 'decide',
  'GET /documents/{id}': 'read',
  'DELETE /documents/{id}': 'decide',
  'GET /documents/{id}/file': 'analyse',
  'GET /documents/{id}/text': 'analyse',
  'GET /documents/{id}/runs': 'read',
  'GET /documents/{id}/versions': 'read',
  'POST /documents/{id}/confirm': 'decide',
  'PATCH /documents/{id}/fields': 'decide',
  'POST /documents/{id}/reject': 'decide',
  'POST /documents/{id}/recover': 'decide',
  'POST /documents/{id}/review': 'decide',
  'POST /documents/{id}/again': 'decide',
  'POST /documents/{id}/restore': 'decide',
  'POST /documents/{id}/suggestion': 'decide',
  'POST /documents/{id}/claim': 'decide',
  'POST /documents/{id}/release': 'decide',
  'POST /replay/preview': 'analyse',
  'POST /replay/trial': 'analyse',
  'POST /replay/measure': 'analyse',
  'POST /replay': 'replay',
  'GET /replay/{batch}': 'read',
  'POST /replay/{batch}/pause': 'replay',
  'POST /replay/{batch}/resume': 'replay',
  'POST /replay/{batch}/cancel': 'replay',
  'POST /replay/{batch}/retry-failed': 'replay',
  'GET /delivery/targets': 'read',
  'PUT /delivery/targets': 'configure',
  'PUT /models': 'own',
  'GET /delivery/messages': 'read',
  'GET /accounts/keys': 'own',
  'POST /accounts/keys': 'own',
  'DELETE /accounts/keys/{id}': 'own',
  'GET /trace/{id}': 'read',
  'GET /machines': 'read',
  'GET /models': 'read',
  'GET /queues': 'read',
  'GET /dead-letters': 'read',
  'POST /dead-letters/preview': 'operate',
  'POST /dead-letters/redrive': 'operate',
};
/** Everything else that answers: pages without a rule of their own, `/metrics` for whoever may read. */
const BESIDE = ['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /api/v1/openapi.json', 'GET /api/v1/docs'];

/** What is asked of one thing is said by its path, and files do not come as JSON. */
const WITHOUT_BODY =
  /^\/replay\/\{batch\}\/|^\/(comments|documents)\/\{id\}\/(claim|release)$|^\/documents(\/review\/next)?$/;

const FROM_ENVIRONMENT = 'a-key-from-the-environment-0123456789';
const SOMEBODY = '01900000-0000-7000-8000-000000000000';
const callers = [...ROLES, 'nobody', 'a wrong key', 'a revoked key'] as const;

describe('who may call what', () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  const keys = new Map<string, string | null>();
  beforeAll(async () => {
    site = await openSite('pglite', { workers: false, env: { SIGNALBOX_API_KEY: FROM_ENVIRONMENT } });
    const { database } = site.house;
    for (const role of [...ROLES, 'revoked'] as const) {
      const wanted = { id: uuid7(), name: role, role: role === 'revoked' ? 'owner' : role, by: 'test' } as const;
      const { key } = await createApiKey(database, wanted);
      keys.set(role === 'revoked' ? 'a revoked key' : role, key);
      if (role === 'revoked') await site.call('DELETE', `/accounts/keys/${wanted.id}`);
    }
    keys.set('nobody', null).set('a wrong key', `sbx_${'x'.repeat(43)}`);
  });
  afterAll(() => site.close());

  const mounted = () =>
    site.house.app.routes.map(
      ({ method, path, access }) => [`${method} ${path.slice('/api/v1'.length)}`, access] as const,
    );

  test('every route has its rule, and nothing is mounted beside the routes', () => {
    expect(Object.fromEntries(mounted())).toEqual(RULES);
    const answering = site.house.app.app.routes.filter(({ method }) => method !== 'ALL');
    const named = new Set(answering.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`));
    const expected = [...BESIDE, ...Object.keys(RULES).map((route) => route.replace(' ', ' /api/v1'))];
    expect([...named].toSorted()).toEqual(expected.toSorted());
  });

  test.each(callers)('%s is let in by the rules, before anything of the request is read', async (caller) => {
    const wrong: unknown[] = [];
    for (const [route, access] of mounted()) {
      const [method, path] = route.split(' ') as [string, string];
      const hasBody = method === 'PUT' || (method === 'POST' && !WITHOUT_BODY.test(path));
      // The body is broken: who may call is told so, who may not is told that and nothing more.
      const reply = await site.call(method, path.replace(/\{\w+\}/, SOMEBODY), {
        key: keys.get(caller)!,
        ...(hasBody ? { raw: '{"broken' } : {}),
      });
      const found = [reply.status, reply.body.error?.code ?? null];
      const asExpected = expectedOf(caller, access);
      if (asExpected === 'in' ? !isIn(reply.status, hasBody) : found.join() !== asExpected.join()) {
        wrong.push({ route, access, found, asExpected });
      }
      if (asExpected !== 'in' && found[0] === 403) expect(reply.body.error.detail).toEqual({ needs: access });
    }
    expect(wrong).toEqual([]);
    expect(mounted().length).toBeGreaterThan(15);
  });

  test.each(callers)('%s at /metrics', async (caller) => {
    const { status } = await site.call('GET', '/metrics', { key: keys.get(caller)! });
    expect(status).toBe(ROLES.includes(caller as Role) ? 200 : 401);
  });

  test.each(['Basic', 'bearer', 'BEARER', ''])('the scheme %j', async (scheme) => {
    const response = await fetch(`${site.address}/api/v1/machines`, {
      headers: { authorization: `${scheme} ${keys.get('viewer')}` },
    });
    expect(response.status).toBe(/bearer/i.test(scheme) ? 200 : 401);
  });

  test('a key is made once, opens its role, and is closed through the API', async () => {
    const made = await site.call('POST', '/accounts/keys', {
      json: { name: 'robot', role: 'analyst', expires_in_days: 1 },
    });
    expect(made.status).toBe(201);
    const { id, key, prefix } = made.body;
    expect((await site.call('GET', '/machines', { key })).status).toBe(200);
    expect((await site.call('POST', '/answers/clean-tasks', { key, json: [] })).status).toBe(403);
    const { body } = await site.call('GET', '/accounts/keys');
    const listed = body.items.find((one: { id: string }) => one.id === id);
    expect(listed).toMatchObject({ name: 'robot', role: 'analyst', prefix, created_by: 'master', revoked_at: null });
    expect(JSON.stringify(body)).not.toContain(key);
    expect(JSON.stringify(body)).not.toContain('hash');
    expect((await site.call('DELETE', `/accounts/keys/${id}`)).status).toBe(204);
    expect(await site.call('GET', '/machines', { key })).toMatchObject({
      status: 401,
      body: { error: { code: 'auth.unknown_key' } },
    });
    expect(await site.call('DELETE', `/accounts/keys/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'accounts.key_unknown' } },
    });
  });

  test.each([
    [{ name: 'x', role: 'king' }, 'role'],
    [{ name: '', role: 'viewer' }, 'name'],
    [{ name: 'a\0b', role: 'viewer' }, 'name'],
    [{ name: 'x', role: 'viewer', expires_in_days: 0 }, 'expires_in_days'],
  ])('a key as %j is refused', async (json, field) => {
    expect(await site.call('POST', '/accounts/keys', { json })).toMatchObject({
      status: 422,
      body: { error: { code: 'request.invalid', detail: { field } } },
    });
  });

  test('the owner by the environment does not need a key of the list', async () => {
    expect((await site.call('GET', '/accounts/keys', { key: FROM_ENVIRONMENT })).status).toBe(200);
    expect((await site.call('GET', '/accounts/keys', { key: `${FROM_ENVIRONMENT}!` })).status).toBe(401);
  });
});

function expectedOf(caller: (typeof callers)[number], access: Permission | 'public'): 'in' | readonly [number, string] {
  if (access === 'public') return 'in';
  if (caller === 'nobody') return [401, 'auth.missing'];
  if (caller === 'a wrong key' || caller === 'a revoked key') return [401, 'auth.unknown_key'];
  return (PERMISSIONS[access] as readonly Role[]).includes(caller) ? 'in' : [403, 'auth.forbidden'];
}

const isIn = (status: number, hasBody: boolean): boolean =>
  hasBody ? status === 422 : status !== 401 && status !== 403 && status < 500;

test('a body is not even begun to be read for who may not call', async () => {
  let read = false;
  const route = createRoute({
    method: 'post',
    path: '/secret',
    request: { body: jsonBody(z.object({})) },
    responses: { 200: { description: '' } },
  });
  const { app } = createApp([endpoint('own', route, (c) => c.json({}, 200))], {
    identify: async () => ({ id: 'key:1', name: 'v', role: 'viewer' }),
    onError: () => {},
  });
  const body = new ReadableStream(
    {
      pull: (controller) => {
        read = true;
        controller.enqueue(new TextEncoder().encode('{}'));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const send = (authorization?: string) =>
    app.request('/api/v1/secret', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
    } as RequestInit);
  expect((await send()).status).toBe(401);
  expect((await send('Bearer any')).status).toBe(403);
  expect(read).toBe(false);
});

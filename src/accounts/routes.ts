import { createRoute, z } from '@hono/zod-openapi';
import type { NewId } from '../core/ids.ts';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database } from '../storage/database.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';
import { ROLES } from './roles.ts';

const keyView = ({ createdAt, createdBy, lastUsedAt, expiresAt, revokedAt, ...key }: ApiKey) => ({
  ...key,
  created_at: createdAt,
  created_by: createdBy,
  last_used_at: lastUsedAt,
  expires_at: expiresAt,
  revoked_at: revokedAt,
});

/** Keys for programs: shown once, scoped by role, revocable. */
export function accountRoutes(database: Database, newId: NewId): Endpoint[] {
  return [
    endpoint(
      'own',
      createRoute({
        method: 'get',
        path: '/accounts/keys',
        responses: { 200: jsonAnswer(z.record(z.string(), z.unknown()), 'All keys, without what they are') },
      }),
      async (c) => c.json({ items: (await listApiKeys(database)).map(keyView), next_cursor: null }, 200),
    ),
    endpoint(
      'own',
      createRoute({
        method: 'post',
        path: '/accounts/keys',
        request: {
          body: jsonBody(
            z.object({
              name: z.string().trim().min(1).max(100).refine(isStorable, NOT_STORABLE),
              role: z.enum(ROLES),
              expires_in_days: z.int().min(1).max(3650).nullish(),
            }),
          ),
        },
        responses: {
          201: jsonAnswer(
            z.object({ id: z.string(), key: z.string(), prefix: z.string() }),
            'The key: shown this once',
          ),
        },
      }),
      async (c) => {
        const { name, role, expires_in_days } = c.req.valid('json');
        const made = { id: newId(), name, role, by: c.get('caller').id, expiresInDays: expires_in_days ?? null };
        return c.json(await createApiKey(database, made), 201);
      },
    ),
    endpoint(
      'own',
      createRoute({
        method: 'delete',
        path: '/accounts/keys/{id}',
        request: { params: z.object({ id: z.uuid() }) },
        responses: {
          204: { description: 'Revoked: it opens nothing from now on' },
          404: jsonAnswer(errorSchema, 'No such key'),
        },
      }),
      async (c) => {
        if (await revokeApiKey(database, c.req.valid('param').id)) return c.body(null, 204);
        throw new CodedError('accounts.key_unknown', 'permanent', 'there is no such key, or it was revoked before');
      },
    ),
  ];
}

import { createRoute, z } from '@hono/zod-openapi';
import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { followRulebook, publish, readRulebook } from '../core/rulebook.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Duty } from '../jobs/duties.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { HttpClient } from '../net/index.ts';
import type { Database } from '../storage/database.ts';
import { fanOut } from './fan-out.ts';
import { listDeliveries } from './list-messages.ts';
import { messageMachine } from './machine.ts';
import { sendStage } from './send.ts';
import { parseTargets, TARGETS_SECTION, type TargetsContent, targetSchema } from './targets.ts';

export { listDeliveries } from './list-messages.ts';

const EMPTY: TargetsContent = { targets: [] };
const RULEBOOK_AGE_MS = 2_000;

export interface DeliveryService {
  readonly machines: readonly (typeof messageMachine)[];
  readonly stages: readonly AnyStage[];
  duties(boss: PgBoss): Duty[];
  endpoints(): Endpoint[];
}

/** Outbound events: the outbox is read, each event becomes a message for each target that wants it. */
export function openDelivery(deps: {
  readonly database: Database;
  readonly newId: NewId;
  readonly secrets: Secrets;
  readonly client: HttpClient;
}): DeliveryService {
  const { database, newId, secrets, client } = deps;
  const targets = followRulebook({
    section: TARGETS_SECTION,
    empty: EMPTY,
    compile: (content) => new Map(parseTargets(content).targets.map((target) => [target.id, target])),
    maxAgeMs: RULEBOOK_AGE_MS,
  });
  const clockMs = () => performance.now();
  return {
    machines: [messageMachine],
    stages: [sendStage({ client, secrets, targets, nowMs: Date.now, clockMs })],
    duties: (boss) => [
      {
        name: 'delivery.fan-out',
        everySeconds: 1,
        // The reader's row is held by one process at a time; the others pass.
        everywhere: true,
        run: async () => {
          const { compiled } = await targets(database);
          while ((await fanOut(database, boss, [...compiled.values()], newId)).more);
        },
      },
    ],
    endpoints: () => endpointsOf(database, secrets),
  };
}

const withSecret = targetSchema.omit({ secret: true }).extend({
  /** `whsec_…`; written once, kept encrypted, never shown again. Left out: the one that is there stays. */
  secret: z.string().startsWith('whsec_').optional(),
});

function endpointsOf(database: Database, secrets: Secrets): Endpoint[] {
  return [
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/delivery/targets',
        responses: { 200: jsonAnswer(z.record(z.string(), z.unknown()), 'The targets, without their secrets') },
      }),
      async (c) => {
        const { version, content } = await readRulebook(database, TARGETS_SECTION, EMPTY);
        return c.json({ items: content.targets.map(({ secret: _name, ...target }) => target), version }, 200);
      },
    ),
    endpoint(
      'configure',
      createRoute({
        method: 'put',
        path: '/delivery/targets',
        request: { body: jsonBody(z.object({ items: z.array(withSecret), note: z.string().max(1000).optional() })) },
        responses: {
          200: jsonAnswer(z.object({ version: z.int() }), 'The new version'),
          422: jsonAnswer(errorSchema, 'What was wrong'),
        },
      }),
      async (c) => {
        const { items, note } = c.req.valid('json');
        const named = items.map(({ secret: _value, ...target }) => ({ ...target, secret: `delivery.${target.id}` }));
        const content = parseTargets({ targets: named });
        const version = await database.transaction(async (tx) => {
          for (const { id, secret } of items) if (secret) await secrets.put(tx, `delivery.${id}`, secret);
          return publish(tx, { section: TARGETS_SECTION, content, author: c.get('caller').id, note: note ?? null });
        });
        return c.json({ version }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/delivery/messages',
        request: {
          query: z.object({ item: z.uuid().optional(), limit: z.coerce.number().int().min(1).max(500).default(50) }),
        },
        responses: { 200: jsonAnswer(z.record(z.string(), z.unknown()), 'The newest messages with every attempt') },
      }),
      async (c) => {
        const { item, limit } = c.req.valid('query');
        return c.json({ items: await listDeliveries(database, item ?? null, limit), next_cursor: null }, 200);
      },
    ),
  ];
}

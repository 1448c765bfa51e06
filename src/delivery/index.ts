import { createRoute, z } from '@hono/zod-openapi';
import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import {
  decodeCursor,
  type Endpoint,
  encodeCursor,
  endpoint,
  errorSchema,
  jsonAnswer,
  jsonBody,
  pageOf,
  pageQuery,
} from '../core/route.ts';
import { followRulebook, publish, readRulebook } from '../core/rulebook.ts';
import type { Secrets } from '../core/secrets.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Duty } from '../jobs/duties.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { HttpClient } from '../net/index.ts';
import type { Database, Queryable } from '../storage/database.ts';
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
  const follow = () =>
    followRulebook({
      section: TARGETS_SECTION,
      empty: EMPTY,
      compile: (content) => new Map(parseTargets(content).targets.map((target) => [target.id, target])),
      maxAgeMs: RULEBOOK_AGE_MS,
    });
  let followed = follow();
  const targets = (on: Queryable) => followed(on);
  // What happens after an edit here goes to the new targets: this process does not wait to notice.
  const edited = () => {
    followed = follow();
  };
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
    endpoints: () => endpointsOf(database, secrets, edited),
  };
}

const withSecret = targetSchema.omit({ secret: true }).extend({
  /** `whsec_…`; written once, kept encrypted, never shown again. Left out: the one that is there stays. */
  secret: z.string().refine(isSigningSecret, '`whsec_` and 24 to 64 bytes in base64').optional(),
});

const cursorParts = z.tuple([z.uuid()]);

/** Of Standard Webhooks. With any other, each message would end as a dead letter when it is to be signed. */
function isSigningSecret(secret: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  const bytes = base64 === undefined ? 0 : Buffer.from(base64, 'base64').length;
  return bytes >= 24 && bytes <= 64;
}

async function refuseWithoutSecret(on: Queryable, secrets: Secrets, id: string): Promise<void> {
  try {
    await secrets.get(on, `delivery.${id}`);
  } catch (cause) {
    const message = `target '${id}', secret: ${(cause as Error).message}`;
    throw new CodedError('delivery.targets_invalid', 'permanent', message, {
      cause,
      detail: { target: id, field: 'secret' },
    });
  }
}

function endpointsOf(database: Database, secrets: Secrets, edited: () => void): Endpoint[] {
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
          for (const { id, secret } of items) {
            if (secret) await secrets.put(tx, `delivery.${id}`, secret);
            else await refuseWithoutSecret(tx, secrets, id);
          }
          return publish(tx, { section: TARGETS_SECTION, content, author: c.get('caller').id, note: note ?? null });
        });
        edited();
        return c.json({ version }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/delivery/messages',
        request: {
          query: pageQuery.extend({ item: z.uuid().optional() }),
        },
        responses: {
          200: jsonAnswer(pageOf(z.record(z.string(), z.unknown())), 'Messages, newest first, with every attempt'),
        },
      }),
      async (c) => {
        const { item, limit, cursor } = c.req.valid('query');
        const before = decodeCursor(cursor, cursorParts)?.[0] ?? null;
        const messages = await listDeliveries(database, item ?? null, limit, before);
        const last = messages.length === limit ? messages.at(-1) : undefined;
        const items = messages.map((message) => ({ ...message }));
        return c.json({ items, next_cursor: last ? encodeCursor([last.message]) : null }, 200);
      },
    ),
  ];
}

import { createRoute, z } from '@hono/zod-openapi';
import type { PgBoss } from 'pg-boss';
import type { Machine } from '../core/machine.ts';
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
import { trace } from '../core/trace.ts';
import { listDeliveries } from '../delivery/list-messages.ts';
import { CodedError } from '../errors/coded-error.ts';
import { listDeadLetters, previewRedrive } from '../jobs/dead-letter.ts';
import { redrive } from '../jobs/redrive.ts';
import { readPools } from '../jobs/slots.ts';
import type { AnyStage } from '../jobs/stage.ts';
import { readHealth } from '../jobs/watchdog.ts';
import type { Database } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import { snakeNames } from './snake-names.ts';

export interface OperationDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly machines: readonly Machine[];
  readonly stages: readonly AnyStage[];
  /** Finds an item by what people call it (a clean_task_id, …); null when no service knows it. */
  readonly findItem: (id: string) => Promise<string | null>;
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const anything = z.record(z.string(), z.unknown());
const cursorParts = z.tuple([z.uuid()]);
/** Strict: a misspelt condition would put everything back. */
const filter = z.strictObject({
  ids: z.array(z.uuid()).optional(),
  stage: z.string().optional(),
  code: z.string().optional(),
});
const failures = {
  404: jsonAnswer(errorSchema, 'There is no such thing'),
};

/** Where things are and what is wrong: the same for all services. */
export function operationRoutes(deps: OperationDeps): Endpoint[] {
  const { database } = deps;
  return [
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/trace/{id}',
        request: { params: z.object({ id: z.string() }) },
        responses: {
          200: jsonAnswer(anything, 'States, runs, errors, model calls, deliveries of one item'),
          ...failures,
        },
      }),
      async (c) => c.json(await traceOf(deps, c.req.valid('param').id), 200),
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/machines',
        responses: { 200: jsonAnswer(anything, 'Every machine with the number of items in each state') },
      }),
      async (c) =>
        c.json({ items: await Promise.all(deps.machines.map((machine) => describe(database, machine))) }, 200),
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/queues',
        responses: { 200: jsonAnswer(anything, 'Queues, limits, what is stuck') },
      }),
      async (c) => {
        const health = await readHealth(database, deps.machines);
        return c.json(snakeNames({ ...health, pools: await readPools(database) }), 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/dead-letters',
        request: { query: pageQuery.extend({ stage: z.string().optional(), code: z.string().optional() }) },
        responses: { 200: jsonAnswer(pageOf(anything), 'Open dead letters, oldest first'), ...failures },
      }),
      async (c) => {
        const { limit, cursor, ...only } = c.req.valid('query');
        const letters = await listDeadLetters(database, only, limit, decodeCursor(cursor, cursorParts)?.[0]);
        const last = letters.length === limit ? letters.at(-1) : undefined;
        return c.json({ items: snakeNames(letters), next_cursor: last ? encodeCursor([last.id]) : null }, 200);
      },
    ),
    endpoint(
      'operate',
      createRoute({
        method: 'post',
        path: '/dead-letters/preview',
        request: { body: jsonBody(filter) },
        responses: { 200: jsonAnswer(anything, 'What a redrive would touch'), ...failures },
      }),
      async (c) => c.json({ items: await previewRedrive(database, c.req.valid('json')) }, 200),
    ),
    endpoint(
      'operate',
      createRoute({
        method: 'post',
        path: '/dead-letters/redrive',
        request: { body: jsonBody(filter) },
        responses: {
          200: jsonAnswer(
            z.object({ redriven: z.int(), left: z.int() }),
            'How many went back to the stage they reached',
          ),
          ...failures,
        },
      }),
      async (c) => {
        const { id } = c.get('caller');
        return c.json(await redrive(database, deps.boss, deps.stages, c.req.valid('json'), id), 200);
      },
    ),
  ];
}

/** A name that a service knows goes first: what people call their items may well look like one of our ids. */
async function traceOf(deps: OperationDeps, id: string): Promise<Record<string, unknown>> {
  const item = (await deps.findItem(id)) ?? (UUID.test(id) ? id : null);
  const found = item === null ? null : await trace(deps.database, item);
  if (!found) throw new CodedError('trace.unknown', 'permanent', `nothing is known about '${id}'`);
  const journal = found.journal.map(({ seq: _seq, machine: _machine, item: _item, ...entry }) => entry);
  return { ...snakeNames({ ...found, journal }), deliveries: await listDeliveries(deps.database, found.item) };
}

async function describe(database: Database, machine: Machine): Promise<Record<string, unknown>> {
  const { rows } = await database.query<{ state: string; n: number }>(
    `select state, count(*)::int as n from ${quoteIdentifier(machine.table)} group by state`,
  );
  const counts = new Map(rows.map(({ state, n }) => [state, n]));
  const { name, states, initial, resting, edges, stuckAfterSeconds } = machine;
  return {
    name,
    initial,
    resting,
    states: states.map((state) => ({
      state,
      items: counts.get(state) ?? 0,
      stuck_after_s: stuckAfterSeconds[state] ?? null,
    })),
    edges: states.flatMap((from) =>
      Object.entries(edges[from] ?? {}).map(([to, who]) => {
        const replay = machine.replay?.some(([a, b]) => a === from && b === to) ?? false;
        return { from, to, who, replay };
      }),
    ),
  };
}

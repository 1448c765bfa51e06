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
import { publish, readRulebook } from '../core/rulebook.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { acceptTasks } from './accept.ts';
import { brandSchema, parseBrands } from './brands.ts';
import { BRANDS_SECTION, type BrandsVersion } from './pipeline.ts';
import { mentionRate, withInterval } from './reports/mention-rate.ts';
import { successRate } from './reports/success-rate.ts';
import { listResults, type ResultLine, resultDetails } from './results.ts';
import { whereSamplesAre } from './sample.ts';

export interface AnswerRoutesDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly brands: (on: Queryable) => Promise<BrandsVersion>;
  /** Called when a new version of the brands stands in the rulebook. */
  readonly brandsEdited: () => void;
}

const line = z.record(z.string(), z.unknown()).openapi('CleanResult');
const failures = {
  404: jsonAnswer(errorSchema, 'There is no such thing'),
};
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const oneOrMore = z.union([z.string().transform((id) => [id]), z.array(z.string()).max(500)]);
const filters = z.object({
  /** May stand several times. */
  clean_task_id: oneOrMore.optional(),
  batch_id: z.string().optional(),
  brand_name: z.string().optional(),
  platform: z.string().optional(),
  scene_type: z.string().optional(),
  query_text: z.string().optional(),
  is_valid: flag.optional(),
  stale: flag.optional(),
  /** With every hit and the history. */
  details: flag.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
});

const EMPTY_BRANDS = { brands: [] };
const cursorParts = z.tuple([z.int()]);

export function answerRoutes(deps: AnswerRoutesDeps): Endpoint[] {
  const { database } = deps;
  return [
    endpoint(
      'submit',
      createRoute({
        method: 'post',
        path: '/answers/clean-tasks',
        request: { body: jsonBody(z.union([z.array(z.unknown()).max(10_000), z.record(z.string(), z.unknown())])) },
        responses: {
          202: jsonAnswer(
            z.object({
              accepted: z.int(),
              duplicates: z.int(),
              rejected: z.array(z.object({ index: z.int(), error: errorSchema.shape.error })),
            }),
            'What was taken in; a task that was known with the same content is a duplicate and a success',
          ),
          ...failures,
        },
      }),
      async (c) => {
        const body = c.req.valid('json');
        const { compiled } = await deps.brands(database);
        const done = await acceptTasks(Array.isArray(body) ? body : [body], { ...deps, brands: compiled });
        const rejected = done.rejected.map(({ index, error: { code, message, detail } }) => ({
          index,
          error: { code, message, detail },
        }));
        return c.json({ accepted: done.accepted.length, duplicates: done.duplicates.length, rejected }, 202);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/samples',
        request: { query: z.object({ clean_task_id: oneOrMore }) },
        responses: {
          200: jsonAnswer(z.object({ items: z.array(line) }), 'Where samples are, and whether that is final'),
        },
      }),
      async (c) => c.json({ items: await whereSamplesAre(database, c.req.valid('query').clean_task_id) }, 200),
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/results',
        request: { query: pageQuery.extend(filters.shape) },
        responses: { 200: jsonAnswer(pageOf(line), 'Completed and failed results, oldest first'), ...failures },
      }),
      async (c) => {
        const { limit, cursor, details, clean_task_id: clean_task_ids, ...only } = c.req.valid('query');
        const after = decodeCursor(cursor, cursorParts)?.[0] ?? 0;
        const { version } = await deps.brands(database);
        const lines = await listResults(database, { ...only, clean_task_ids, version }, limit, after);
        const last = lines.length === limit ? lines.at(-1) : undefined;
        const full = details ? await resultDetails(database, lines) : lines;
        return c.json({ items: withStale(full, version), next_cursor: last ? encodeCursor([last.id]) : null }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/results/{clean_task_id}',
        request: { params: z.object({ clean_task_id: z.string() }) },
        responses: {
          200: jsonAnswer(z.object({ items: z.array(line) }), 'One result a brand, with hits and history'),
          ...failures,
        },
      }),
      async (c) => {
        const { clean_task_id } = c.req.valid('param');
        const lines = await listResults(database, { clean_task_id }, 500);
        if (!lines.length) {
          throw new CodedError('answers.result_unknown', 'permanent', `there is no result of '${clean_task_id}' (yet)`);
        }
        const { version } = await deps.brands(database);
        return c.json({ items: withStale(await resultDetails(database, lines), version) }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/brands',
        responses: {
          200: jsonAnswer(z.record(z.string(), z.unknown()), 'The brands as they are now, with their version'),
        },
      }),
      async (c) => {
        const { version, at, author, note, content } = await readRulebook(database, BRANDS_SECTION, EMPTY_BRANDS);
        return c.json({ items: content.brands, version, at, author, note }, 200);
      },
    ),
    endpoint(
      'configure',
      createRoute({
        method: 'put',
        path: '/answers/brands',
        request: { body: jsonBody(z.object({ items: z.array(brandSchema), note: z.string().max(1000).optional() })) },
        responses: { 200: jsonAnswer(z.object({ version: z.int() }), 'The new version'), ...failures },
      }),
      async (c) => {
        const { items, note } = c.req.valid('json');
        parseBrands({ brands: items });
        const edit = {
          section: BRANDS_SECTION,
          content: { brands: items },
          author: c.get('caller').id,
          note: note ?? null,
        };
        const version = await database.transaction((tx) => publish(tx, edit));
        deps.brandsEdited();
        return c.json({ version }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/reports/success-rate',
        responses: {
          200: jsonAnswer(
            z.object({ items: z.array(z.record(z.string(), z.unknown())) }),
            'Cleaning by hour, the last 24',
          ),
        },
      }),
      async (c) => {
        const items = (await successRate(database)).map((row) => ({
          ...row,
          numerator: row.completed,
          denominator: row.total,
          rate: row.total === 0 ? null : row.completed / row.total,
        }));
        return c.json({ items }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/reports/mention-rate',
        request: { query: z.object({ from: z.iso.datetime({ offset: true }).default('1970-01-01T00:00:00Z') }) },
        responses: {
          200: jsonAnswer(
            z.object({ items: z.array(z.record(z.string(), z.unknown())) }),
            'Mentions of each brand in valid answers',
          ),
        },
      }),
      async (c) => c.json({ items: (await mentionRate(database, c.req.valid('query').from)).map(withInterval) }, 200),
    ),
  ];
}

/** Says of each whether an older version of the brands than the one that holds now made it. Failed ones: none did. */
const withStale = (lines: readonly ResultLine[], now: number): (ResultLine & { stale: boolean })[] =>
  lines.map((one) => ({ ...one, stale: typeof one.rulebook_version === 'number' && one.rulebook_version < now }));

import { createRoute, z } from '@hono/zod-openapi';
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
import { CodedError } from '../errors/coded-error.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
import { agreement } from './agreement.ts';
import { claimComment, releaseComment } from './claim-comment.ts';
import { type DecideDeps, decideComment } from './decide-comment.ts';
import { commentMachine } from './machine.ts';
import { pinComment } from './pin-comment.ts';
import { retryReply } from './retry-reply.ts';
import { listForReview } from './review-queue.ts';
import { undoDecision } from './undo-decision.ts';
import { wholeComment } from './whole-comment.ts';

const anything = z.record(z.string(), z.unknown());
const params = z.object({ id: z.uuid() });
const cursorParts = z.tuple([z.uuid()]);
const reason = z.string().trim().max(500).refine(isStorable, NOT_STORABLE).nullable().default(null);
const decision = z.strictObject({
  decision: z.enum(['approve', 'reject', 'restore', 'reaudit']),
  expected_revision: z.int().min(1),
  reason,
});
const seen = z.strictObject({ expected_revision: z.int().min(1) });
const decided = z.object({ id: z.string(), state: z.string(), revision: z.int() });
const failures = {
  404: jsonAnswer(errorSchema, 'There is no such comment'),
  409: jsonAnswer(errorSchema, 'It is no longer as it was seen, or its state does not allow it'),
  410: jsonAnswer(errorSchema, 'It was deleted'),
};

/** What people who watch over comments do. */
export function moderationRoutes(deps: DecideDeps): Endpoint[] {
  const { database } = deps;
  return [
    endpoint(
      'decide',
      createRoute({
        method: 'get',
        path: '/comments/queue',
        request: {
          query: pageQuery.extend({
            site: z.string().optional(),
            article_id: z.string().optional(),
            state: z.enum(commentMachine.states as unknown as [string, ...string[]]).optional(),
            reason: z.string().optional(),
          }),
        },
        responses: {
          200: jsonAnswer(pageOf(anything), 'What waits for a person, oldest first, with reasons and context'),
        },
      }),
      async (c) => {
        const { limit, cursor, article_id: articleId, ...only } = c.req.valid('query');
        const after = decodeCursor(cursor, cursorParts)?.[0] ?? null;
        const items = await listForReview(database, { ...only, articleId }, limit, after);
        const last = items.length === limit ? items.at(-1) : undefined;
        return c.json(
          { items: items.map((one) => ({ ...one })), next_cursor: last ? encodeCursor([last.id]) : null },
          200,
        );
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/comments/reports/agreement',
        request: {
          query: z.object({
            site: z.string().optional(),
            from: z.iso.datetime({ offset: true }).optional(),
            to: z.iso.datetime({ offset: true }).optional(),
          }),
        },
        responses: {
          200: jsonAnswer(z.object({ items: z.array(anything) }), 'Machines against people, by rule and model'),
        },
      }),
      async (c) => {
        const items = await agreement(database, c.req.valid('query'));
        return c.json({ items: items.map((one) => ({ ...one })) }, 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/decisions',
        request: {
          body: jsonBody(
            z.strictObject({
              /** Given: comments of other sites are not there. */
              site: z.string().optional(),
              items: z
                .array(decision.extend({ id: z.uuid() }))
                .min(1)
                .max(500),
            }),
          ),
        },
        responses: { 200: jsonAnswer(z.object({ items: z.array(anything) }), 'What came of each, in the same order') },
      }),
      async (c) => {
        const { site, items } = c.req.valid('json');
        const actorId = c.get('caller').id;
        const results: Record<string, unknown>[] = [];
        for (const { id, decision: kind, expected_revision, reason: why } of items) {
          const wanted = { id, decision: kind, expectedRevision: expected_revision, reason: why, actorId, site };
          results.push(await resultOf(id, () => decideComment(deps, wanted)));
        }
        return c.json({ items: results }, 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/{id}/decision',
        request: { params, body: jsonBody(decision) },
        responses: { 200: jsonAnswer(decided, 'Decided'), ...failures },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { decision: kind, expected_revision: expectedRevision, reason: why } = c.req.valid('json');
        const actorId = c.get('caller').id;
        return c.json(await decideComment(deps, { id, decision: kind, expectedRevision, reason: why, actorId }), 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/{id}/undo',
        request: { params, body: jsonBody(seen) },
        responses: { 200: jsonAnswer(decided, 'The newest decision is taken back'), ...failures },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { expected_revision: expectedRevision } = c.req.valid('json');
        return c.json(await undoDecision(deps, { id, expectedRevision, actorId: c.get('caller').id }), 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/{id}/retry-reply',
        request: { params, body: jsonBody(seen) },
        responses: { 200: jsonAnswer(decided, 'AI tries the reply that failed once more'), ...failures },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { expected_revision: expectedRevision } = c.req.valid('json');
        return c.json(await retryReply(deps, { id, expectedRevision, actorId: c.get('caller').id }), 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/{id}/pin',
        request: { params, body: jsonBody(z.strictObject({ pinned: z.boolean() })) },
        responses: {
          200: jsonAnswer(z.object({ pinned: z.boolean() }), 'Before all other threads, or among them'),
          ...failures,
        },
      }),
      async (c) => {
        const { pinned } = c.req.valid('json');
        await pinComment(deps, c.req.valid('param').id, pinned);
        return c.json({ pinned }, 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/{id}/claim',
        request: { params },
        responses: { 200: jsonAnswer(anything, 'Nobody else decides about it for a while'), ...failures },
      }),
      async (c) => {
        const { until } = await claimComment(database, c.req.valid('param').id, c.get('caller').id);
        return c.json({ until: until.toISOString() }, 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/comments/{id}/release',
        request: { params },
        responses: { 204: { description: 'One’s own claim is given back' } },
      }),
      async (c) => {
        await releaseComment(database, c.req.valid('param').id, c.get('caller').id);
        return c.body(null, 204);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'get',
        path: '/comments/{id}',
        request: { params },
        responses: { 200: jsonAnswer(anything, 'All that is known of a comment'), ...failures },
      }),
      async (c) => c.json({ ...(await wholeComment(database, c.req.valid('param').id)) }, 200),
    ),
  ];
}

/** One that cannot be decided does not keep the others from it. */
async function resultOf(id: string, decide: () => Promise<object>): Promise<Record<string, unknown>> {
  try {
    return { ...(await decide()), error: null };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const { code, message, detail } = error;
    return { id, error: { code, message, detail } };
  }
}

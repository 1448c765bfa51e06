import { createRoute, z } from '@hono/zod-openapi';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import { findAction, modeOf, type Order, type ReplayAction } from './action.ts';
import { type BatchDeps, readBatch, type Steering, startBatch, steerBatch } from './batches.ts';
import { retryFailed } from './retry-failed.ts';
import { type Scope, scopeSchema } from './scope.ts';

export const ACTION_UNKNOWN = 'replay.action_unknown';

const which = { service: z.string().max(30), action: z.string().max(30) };
const scoped = z.strictObject({
  ...which,
  scope: scopeSchema,
  mode: z.string().max(30).optional(),
  include_human: z.boolean().default(false),
});
const drafted = z.record(z.string(), z.unknown()).optional();
const anything = z.record(z.string(), z.unknown());
const params = z.object({ batch: z.uuid() });
const failures = {
  404: jsonAnswer(errorSchema, 'There is no such action or batch'),
  409: jsonAnswer(errorSchema, 'It runs already, or its state does not allow it'),
};

/** Changing the past with open eyes: see what would change, try it, measure it, start it, hold it, end it. */
export function replayRoutes(deps: BatchDeps & { readonly actions: readonly ReplayAction[] }): Endpoint[] {
  const { database, actions } = deps;
  const actionOf = ({ service, action }: { service: string; action: string }): ReplayAction => {
    const found = findAction(actions, service, action);
    if (found) return found;
    const known = actions.map((one) => `${one.service} ${one.name}`).join(', ');
    throw new CodedError(ACTION_UNKNOWN, 'permanent', `there is no action ${service} ${action}; there are: ${known}`);
  };
  const orderOf = (
    action: ReplayAction,
    body: { scope: Scope; mode?: string | undefined; include_human: boolean; confirm_cascade?: boolean },
  ): Order => ({
    scope: body.scope,
    mode: modeOf(action, body.mode),
    includeHuman: body.include_human,
    confirmCascade: body.confirm_cascade ?? false,
  });
  const steer = (steering: Steering, description: string): Endpoint =>
    endpoint(
      'replay',
      createRoute({
        method: 'post',
        path: `/replay/{batch}/${steering}`,
        request: { params },
        responses: { 200: jsonAnswer(z.object({ batch: z.string(), state: z.string() }), description), ...failures },
      }),
      async (c) => c.json(await steerBatch(deps, c.req.valid('param').batch, steering, c.get('caller').id), 200),
    );
  return [
    endpoint(
      'analyse',
      createRoute({
        method: 'post',
        path: '/replay/preview',
        request: { body: jsonBody(scoped) },
        responses: { 200: jsonAnswer(anything, 'What a replay would touch and cost'), ...failures },
      }),
      async (c) => {
        const body = c.req.valid('json');
        const action = actionOf(body);
        // Looking costs nothing, so it is not asked for what a start is.
        const order = { ...orderOf(action, body), confirmCascade: true };
        action.check(order);
        return c.json({ ...(await action.preview(database, order)) }, 200);
      },
    ),
    endpoint(
      'analyse',
      createRoute({
        method: 'post',
        path: '/replay/trial',
        request: {
          body: jsonBody(scoped.extend({ n: z.int().min(1).max(500).default(50), rules: drafted })),
        },
        responses: { 200: jsonAnswer(anything, 'How results would differ; written nowhere'), ...failures },
      }),
      async (c) => {
        const { n, rules, ...body } = c.req.valid('json');
        const action = actionOf(body);
        action.check({ ...orderOf(action, body), confirmCascade: true });
        return c.json({ ...(await action.trial(database, body.scope, n, rules)) }, 200);
      },
    ),
    endpoint(
      'analyse',
      createRoute({
        method: 'post',
        path: '/replay/measure',
        request: { body: jsonBody(z.strictObject({ ...which, rules: drafted })) },
        responses: { 200: jsonAnswer(anything, 'The rules against what people decided'), ...failures },
      }),
      async (c) => {
        const body = c.req.valid('json');
        return c.json({ ...(await actionOf(body).measure(database, body.rules)) }, 200);
      },
    ),
    endpoint(
      'replay',
      createRoute({
        method: 'post',
        path: '/replay',
        request: {
          body: jsonBody(
            scoped.extend({ confirm_cascade: z.boolean().default(false), force: z.boolean().default(false) }),
          ),
        },
        responses: {
          202: jsonAnswer(z.object({ batch: z.uuid(), preview: anything }), 'Started; nothing was touched yet'),
          ...failures,
        },
      }),
      async (c) => {
        const body = c.req.valid('json');
        const action = actionOf(body);
        const order = { ...orderOf(action, body), action, force: body.force, startedBy: c.get('caller').id };
        const { batch, preview } = await startBatch(deps, order);
        return c.json({ batch, preview: { ...preview } }, 202);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/replay/{batch}',
        request: { params },
        responses: { 200: jsonAnswer(anything, 'Where it is'), ...failures },
      }),
      async (c) => c.json({ ...(await readBatch(database, c.req.valid('param').batch)) }, 200),
    ),
    endpoint(
      'replay',
      createRoute({
        method: 'post',
        path: '/replay/{batch}/retry-failed',
        request: { params },
        responses: {
          202: jsonAnswer(z.object({ batch: z.uuid(), preview: anything }), 'A new batch over those that failed'),
          ...failures,
        },
      }),
      async (c) => {
        const { batch, preview } = await retryFailed(deps, actionOf, c.req.valid('param').batch, c.get('caller').id);
        return c.json({ batch, preview: { ...preview } }, 202);
      },
    ),
    steer('pause', 'Held: what is outstanding ends, nothing is added'),
    steer('resume', 'Going on where it was'),
    steer('cancel', 'Ended: what waited was taken back, what is done stays'),
  ];
}

import { createRoute, z } from '@hono/zod-openapi';
import { stream } from 'hono/streaming';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import { decideFinding } from './decide-finding.ts';
import { decisionSchema } from './finding.ts';
import { readLabels } from './labels.ts';
import type { CleanDeps } from './pipeline.ts';
import { listVersions } from './result-versions.ts';
import { listResults, resultDetails } from './results.ts';
import type { AnswerRoutesDeps } from './routes.ts';

export interface FindingRoutesDeps extends AnswerRoutesDeps, Pick<CleanDeps, 'readRaw'> {}

const anything = z.record(z.string(), z.unknown());
const params = z.object({ clean_task_id: z.string() });

/** What people decide about findings, and what it is worth as labels. */
export function findingRoutes(deps: FindingRoutesDeps): Endpoint[] {
  const { database } = deps;
  return [
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/answers/results/{clean_task_id}/decision',
        request: { params, body: jsonBody(decisionSchema) },
        responses: {
          200: jsonAnswer(
            z.object({ clean_task_id: z.string(), revision: z.int(), items: z.array(anything) }),
            'Taken: the results since, one a brand, with hits; the same request again answers the same',
          ),
          404: jsonAnswer(errorSchema, 'There is no such task, brand, hit or decision'),
          409: jsonAnswer(errorSchema, 'Somebody decided since (the detail has their word), or it is not completed'),
        },
      }),
      async (c) => {
        const { clean_task_id } = c.req.valid('param');
        const decision = c.req.valid('json');
        const { revision } = await decideFinding(deps, clean_task_id, decision, c.get('caller').id);
        const items = await resultDetails(database, await listResults(database, { clean_task_id }, 500));
        return c.json({ clean_task_id, revision, items }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/answers/results/{clean_task_id}/versions',
        request: { params },
        responses: {
          200: jsonAnswer(z.object({ items: z.array(anything) }), 'What the machine found, by each run that was kept'),
          404: jsonAnswer(errorSchema, 'There is no such task'),
        },
      }),
      async (c) => {
        const { clean_task_id } = c.req.valid('param');
        const { rows } = await database.query<{ id: string }>(
          'select id from answers_sample where clean_task_id = $1',
          [clean_task_id],
        );
        if (!rows[0]) {
          throw new CodedError('answers.sample_unknown', 'permanent', `there is no clean_task_id '${clean_task_id}'`);
        }
        return c.json({ items: await listVersions(database, rows[0].id) }, 200);
      },
    ),
    endpoint(
      'analyse',
      createRoute({
        method: 'get',
        path: '/answers/labels',
        responses: {
          200: {
            description: "People's decisions about findings as JSON Lines, with what the machine said",
            content: { 'application/x-ndjson': { schema: z.string() } },
          },
        },
      }),
      (c) => {
        c.header('content-type', 'application/x-ndjson; charset=utf-8');
        return stream(c, async (out) => {
          for await (const page of readLabels(database)) {
            if (out.aborted) return;
            if (page.length) await out.write(page.map((label) => `${JSON.stringify(label)}\n`).join(''));
          }
        });
      },
    ),
  ];
}

import { createRoute, z } from '@hono/zod-openapi';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import { claimDocument, claimNext, releaseDocument } from './claim-review.ts';
import { type Asked, decideDocument, type Verdict } from './decide-document.ts';
import { accept, askReview, confirm, editFields, recover, reject, restore, sendBack } from './decisions.ts';
import type { Document } from './document.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { readDocument, readSuggestion, readVersion } from './read-document.ts';
import { anything, type DocumentRoutesDeps, failures, params } from './routes.ts';

const expected_revision = z.int().min(1);
const reason = z.string().max(2_000).optional();
const fields = z.record(z.string(), z.unknown());
const refusals = {
  ...failures,
  409: jsonAnswer(errorSchema, 'Somebody decided since, somebody else has it, or its state does not allow it'),
};

type Body = { expected_revision: number; reason?: string | undefined };
type Judge<B> = (
  document: Document,
  body: B,
  types: readonly DocumentTypeRule[],
  by: { actorId: string; now: Date },
) => Verdict;

/** What people do about documents. Each answers with the document as it is since. */
export function reviewRoutes(deps: DocumentRoutesDeps): Endpoint[] {
  const { database, configured } = deps;

  const take = async (
    asked: Asked,
    judge: (document: Document, now: Date, types: readonly DocumentTypeRule[]) => Verdict,
  ) => {
    const { version, types } = await configured.types(database);
    await decideDocument({ ...deps, types }, asked, (document, now) => judge(document, now, types));
    return { ...(await readDocument(database, asked.id, version)) };
  };

  function decision<S extends z.ZodType<Body>>(
    method: 'post' | 'patch',
    path: string,
    schema: S,
    description: string,
    judge: Judge<z.infer<S>>,
  ): Endpoint {
    return endpoint(
      'decide',
      createRoute({
        method,
        path: `/documents/{id}/${path}`,
        request: { params, body: jsonBody(schema) },
        responses: { 200: jsonAnswer(anything, description), ...refusals },
      }),
      async (c) => {
        // The path is put together here, so its types are not known to the framework.
        const { id } = c.req.valid('param' as never) as { id: string };
        const body = c.req.valid('json' as never) as z.infer<S>;
        const actorId = c.get('caller').id;
        const asked = { id, expectedRevision: body.expected_revision, actorId, remark: body.reason ?? null };
        return c.json(await take(asked, (document, now, types) => judge(document, body, types, { actorId, now })), 200);
      },
    );
  }

  const claim = (path: string, description: string, act: (id: string, actorId: string) => Promise<object>): Endpoint =>
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: `/documents/{id}/${path}`,
        request: { params },
        responses: { 200: jsonAnswer(anything, description), ...refusals },
      }),
      async (c) => c.json({ ...(await act(c.req.valid('param').id, c.get('caller').id)) }, 200),
    );

  return [
    decision(
      'post',
      'confirm',
      z.strictObject({ expected_revision, reason, type: z.string().optional(), fields: fields.optional() }),
      'The type is a person’s word; with another type its fields are read anew',
      (document, body, types, giver) => confirm(document, types, body, giver),
    ),
    decision(
      'patch',
      'fields',
      z.strictObject({ expected_revision, reason, fields }),
      'The values are a person’s word; null says that the document has none',
      (document, body, types, giver) => editFields(document, types, body.fields, giver),
    ),
    decision(
      'post',
      'reject',
      z.strictObject({ expected_revision, reason: z.string().trim().min(1).max(2_000) }),
      'Put aside; recover brings it back',
      (document) => reject(document),
    ),
    decision('post', 'recover', z.strictObject({ expected_revision, reason }), 'In review again', recover),
    decision('post', 'review', z.strictObject({ expected_revision, reason }), 'Somebody is to look at it', askReview),
    decision(
      'post',
      'again',
      z.strictObject({ expected_revision, reason, step: z.enum(['text', 'type', 'fields']) }),
      'Sent back to a step, from which it goes on by itself',
      (document, body) => sendBack(document, body.step),
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/documents/{id}/restore',
        request: { params, body: jsonBody(z.strictObject({ expected_revision, reason, version: z.int().min(1) })) },
        responses: { 200: jsonAnswer(anything, 'What was shown at that version is shown again'), ...refusals },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { version, ...body } = c.req.valid('json');
        const old = await readVersion(database, id, version);
        if (!old) throw new CodedError('documents.version_unknown', 'permanent', `it has no version ${version}`);
        return c.json(await take(askedOf(id, body, c.get('caller').id), (document) => restore(document, old)), 200);
      },
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/documents/{id}/suggestion',
        request: {
          params,
          body: jsonBody(z.strictObject({ expected_revision, reason, decision: z.enum(['accept', 'dismiss']) })),
        },
        responses: { 200: jsonAnswer(anything, 'What was proposed is shown, or forgotten'), ...refusals },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const { decision: said, ...body } = c.req.valid('json');
        const proposed = await readSuggestion(database, id);
        if (!proposed) throw new CodedError('documents.suggestion_unknown', 'permanent', 'nothing is proposed for it');
        const asked = askedOf(id, body, c.get('caller').id);
        if (said === 'accept') await take(asked, (document, _now, types) => accept(document, types, proposed));
        await database.query('delete from documents_suggestion where document = $1', [id]);
        const { version } = await configured.types(database);
        return c.json({ ...(await readDocument(database, id, version)) }, 200);
      },
    ),
    claim('claim', 'Nobody else decides about it until the time is over', (id, by) => claimDocument(database, id, by)),
    claim('release', 'Free for others', async (id, by) => {
      await releaseDocument(database, id, by);
      return { id };
    }),
    endpoint(
      'decide',
      createRoute({
        method: 'post',
        path: '/documents/review/next',
        responses: {
          200: jsonAnswer(
            z.object({ item: anything.nullable() }),
            'The one that has waited longest, claimed; null: none',
          ),
        },
      }),
      async (c) => {
        const claimed = await claimNext(database, c.get('caller').id);
        if (!claimed) return c.json({ item: null }, 200);
        const { version } = await configured.types(database);
        return c.json({ item: { ...(await readDocument(database, claimed.id, version)) } }, 200);
      },
    ),
  ];
}

const askedOf = (id: string, body: Body, actorId: string): Asked => ({
  id,
  expectedRevision: body.expected_revision,
  actorId,
  remark: body.reason ?? null,
});

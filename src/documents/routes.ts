import { createRoute, z } from '@hono/zod-openapi';
import {
  decodeCursor,
  type Endpoint,
  encodeCursor,
  endpoint,
  errorSchema,
  jsonAnswer,
  pageOf,
  pageQuery,
} from '../core/route.ts';
import { readRuns } from '../core/run.ts';
import { CodedError } from '../errors/coded-error.ts';
import { DEFAULT_BUDGETS } from './budgets.ts';
import type { Configuring } from './configure.ts';
import { goneDocument, unknownDocument } from './decide-document.ts';
import { deleteDocument } from './delete-document.ts';
import { blobKeyOf, loadDocuments, loadTexts } from './document.ts';
import { listDocuments, listFilter } from './list-documents.ts';
import { listVersions, readDocument } from './read-document.ts';
import { mediaTypeOf } from './sniff-type.ts';
import { type TakeInDeps, type TakenIn, takeIn } from './take-in.ts';

export interface DocumentRoutesDeps extends TakeInDeps {
  readonly configured: Configuring;
}

export const anything = z.record(z.string(), z.unknown());
export const params = z.object({ id: z.uuid() });
export const failures = {
  404: jsonAnswer(errorSchema, 'There is no such document'),
  410: jsonAnswer(errorSchema, 'It was deleted'),
};

/** Files of one upload: as many large ones as a person drops at once. */
const MAX_FILES = 100;
const MAX_UPLOAD = 6 * DEFAULT_BUDGETS.bytes;
/** As generated clients and the page of the API read it; what the parts are called does not matter. */
const uploadSchema = z
  .looseObject({ file: z.any().optional() })
  .openapi({ type: 'object', properties: { file: { type: 'array', items: { type: 'string', format: 'binary' } } } });
const cursorParts = z.tuple([z.uuid()]);

/** Documents in, and what there is about each. */
export function documentRoutes(deps: DocumentRoutesDeps): Endpoint[] {
  const { database, blobs, configured } = deps;
  const known = async (id: string) => {
    const [document] = await loadDocuments(database, [id]);
    if (!document) throw unknownDocument(id);
    if (document.state === 'deleted') throw goneDocument(id);
    return document;
  };
  return [
    endpoint(
      'submit',
      createRoute({
        method: 'post',
        path: '/documents',
        request: {
          body: {
            required: true,
            content: { 'multipart/form-data': { schema: uploadSchema } },
          },
        },
        responses: {
          201: jsonAnswer(
            z.object({ items: z.array(anything) }),
            'One result a file, in order; at least one was stored',
          ),
          400: jsonAnswer(
            z.object({ items: z.array(anything) }),
            'None was stored: those that are not known are refused',
          ),
          409: jsonAnswer(z.object({ items: z.array(anything) }), 'None was stored: all are known'),
        },
      }),
      async (c) => {
        const files = await filesOf(c.req);
        const by = { source: 'api' as const, actorId: c.get('caller').id };
        const taken = await takeIn(deps, files, by);
        return c.json({ items: taken.map(toldOf) }, statusOf(taken) as 201);
      },
      { maxBytes: MAX_UPLOAD },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/documents',
        request: { query: pageQuery.extend(listFilter.shape) },
        responses: { 200: jsonAnswer(pageOf(anything), 'Documents that are not deleted, oldest first') },
      }),
      async (c) => {
        const { limit, cursor, ...filter } = c.req.valid('query');
        const after = decodeCursor(cursor, cursorParts)?.[0] ?? null;
        const { version } = await configured.types(database);
        const lines = await listDocuments(database, filter, version, limit, after);
        const last = lines.length === limit ? lines.at(-1) : undefined;
        const items = lines.map((line) => ({ ...line }));
        return c.json({ items, next_cursor: last ? encodeCursor([last.id]) : null }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/documents/{id}',
        request: { params },
        responses: { 200: jsonAnswer(anything, 'With fields, pages, suggestion and history'), ...failures },
      }),
      async (c) => {
        const { version } = await configured.types(database);
        return c.json({ ...(await readDocument(database, c.req.valid('param').id, version)) }, 200);
      },
    ),
    endpoint(
      'analyse',
      createRoute({
        method: 'get',
        path: '/documents/{id}/file',
        request: { params },
        responses: {
          200: { description: 'The file as it came', content: { 'application/octet-stream': { schema: z.string() } } },
          ...failures,
        },
      }),
      async (c) => {
        const { id, fileName, kind } = await known(c.req.valid('param').id);
        const bytes = await blobs.get(blobKeyOf(id));
        // Whatever is in it, a browser saves it and runs nothing.
        const name = encodeURIComponent(fileName).replaceAll("'", '%27');
        return c.body(Buffer.from(bytes), 200, {
          'content-type': mediaTypeOf(kind),
          'content-disposition': `attachment; filename*=UTF-8''${name}`,
          'content-security-policy': "default-src 'none'; sandbox",
        });
      },
    ),
    endpoint(
      'analyse',
      createRoute({
        method: 'get',
        path: '/documents/{id}/text',
        request: { params },
        responses: {
          200: jsonAnswer(anything, 'The newest text as Markdown, with a record of each page'),
          ...failures,
        },
      }),
      async (c) => {
        const { id } = await known(c.req.valid('param').id);
        const text = (await loadTexts(database, [id])).get(id);
        if (!text) throw new CodedError('documents.text_unknown', 'permanent', 'it has no text (yet)');
        return c.json({ ...text }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/documents/{id}/runs',
        request: { params },
        responses: {
          200: jsonAnswer(z.object({ items: z.array(anything) }), 'Every attempt at every step'),
          ...failures,
        },
      }),
      async (c) => {
        const { id } = await known(c.req.valid('param').id);
        const runs = (await readRuns(database, [id])).get(id) ?? [];
        return c.json({ items: runs.map(runLine) }, 200);
      },
    ),
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/documents/{id}/versions',
        request: { params },
        responses: {
          200: jsonAnswer(z.object({ items: z.array(anything) }), 'What was shown of it, newest first'),
          ...failures,
        },
      }),
      async (c) => c.json({ items: await listVersions(database, (await known(c.req.valid('param').id)).id) }, 200),
    ),
    endpoint(
      'decide',
      createRoute({
        method: 'delete',
        path: '/documents/{id}',
        request: { params, query: z.object({ expected_revision: z.coerce.number().int().optional() }) },
        responses: {
          200: jsonAnswer(z.object({ id: z.string(), state: z.literal('deleted') }), 'File, texts and values are gone'),
          ...failures,
        },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const expectedRevision = c.req.valid('query').expected_revision ?? null;
        await deleteDocument(deps, { id, expectedRevision, actorId: c.get('caller').id });
        return c.json({ id, state: 'deleted' as const }, 200);
      },
    ),
  ];
}

/** The parts of an upload that are files, in order, whatever they are called. */
async function filesOf(request: {
  header(name: string): string | undefined;
  formData(): Promise<FormData>;
}): Promise<{ name: string; bytes: Uint8Array }[]> {
  if (!request.header('content-type')?.startsWith('multipart/form-data')) {
    throw new CodedError('request.unsupported', 'permanent', 'files are sent as multipart/form-data');
  }
  const form = await request.formData();
  const files = [...form.values()].filter((part) => typeof part !== 'string');
  if (!files.length || files.length > MAX_FILES) {
    throw new CodedError('request.invalid', 'permanent', `an upload has 1 to ${MAX_FILES} files`, {
      detail: { field: 'file' },
    });
  }
  return Promise.all(files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })));
}

function statusOf(taken: readonly TakenIn[]): 201 | 400 | 409 {
  if (taken.some(({ outcome }) => outcome === 'stored')) return 201;
  return taken.every(({ outcome }) => outcome === 'known') ? 409 : 400;
}

const toldOf = ({ file, outcome, id, error }: TakenIn) => ({
  file,
  outcome,
  id,
  error: error ? { code: error.code, message: error.message, detail: error.detail } : null,
});

const runLine = (run: NonNullable<ReturnType<Awaited<ReturnType<typeof readRuns>>['get']>>[number]) => ({
  id: run.id,
  stage: run.stage,
  content_version: run.contentVersion,
  rulebook_version: run.rulebookVersion,
  cause: run.cause,
  attempt: run.attempt,
  worker: run.worker,
  started_at: run.startedAt,
  ended_at: run.endedAt,
  outcome: run.outcome,
  error: run.errorCode ? { code: run.errorCode, class: run.errorClass, message: run.errorMessage } : null,
  calls: run.calls,
  cached_calls: run.cachedCalls,
  tokens_in: run.tokensIn,
  tokens_out: run.tokensOut,
  cost_micros: run.costMicros,
});

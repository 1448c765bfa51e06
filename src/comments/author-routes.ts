import { getConnInfo } from '@hono/node-server/conninfo';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database } from '../storage/database.ts';
import { hasReplyModel } from './audit-stage.ts';
import { deleteOwnComment, editComment } from './author-edit.ts';
import { addressHash, clientAddress, type TrustedProxies } from './client-address.ts';
import { goneComment, holdComment, loadComments, unknownComment } from './comment.ts';
import type { Configured } from './configure.ts';
import { deleteComment } from './delete-comment.ts';
import { letRead, letWrite } from './origins.ts';
import { postComment } from './post-comment.ts';
import { findSite, type Site } from './site.ts';
import { readStatus } from './status.ts';
import { STREAM_HEADERS, type StatusStreams } from './stream-status.ts';
import { editSchema, submissionSchema } from './submission.ts';

export interface AuthorDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly configured: Configured;
  readonly streams: StatusStreams;
  /** Whose key this is, of somebody who may decide about comments; null for everybody else. */
  readonly moderator: (key: string) => Promise<string | null>;
  readonly proxies: TrustedProxies;
  /** Addresses are kept as hashes with this key. */
  readonly addressKey: string;
}

/** Nothing that an author sends is longer, in bytes; more is not read. */
const MAX_BODY = 64 * 1024;

const anything = z.record(z.string(), z.unknown());
const params = z.object({ id: z.uuid() });
const token = z.string().min(1).max(200);
const idempotencyKey = z.object({ 'idempotency-key': z.string().min(1).max(200).optional() });
const posted = z.object({ id: z.uuid(), status_token: z.string(), state: z.string() });
const failures = {
  403: jsonAnswer(errorSchema, 'Not from this origin, or no longer'),
  404: jsonAnswer(errorSchema, 'There is no such site or comment, or it is not this token’s'),
  410: jsonAnswer(errorSchema, 'It was deleted'),
};

const bearer = (c: Context): string | null =>
  /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? null;

/** What the author of a comment does: post, follow, change and delete it. */
export function authorRoutes(deps: AuthorDeps): Endpoint[] {
  const { database, configured, streams, moderator } = deps;
  const sitesNow = () => configured.sites(database);
  const replies = (site: Site | undefined) => hasReplyModel(configured, site);
  const statusOf = async (statusToken: string) => readStatus(database, statusToken, await sitesNow(), replies);

  return [
    endpoint(
      'public',
      createRoute({
        method: 'post',
        path: '/comments',
        request: { headers: idempotencyKey, body: jsonBody(submissionSchema) },
        responses: {
          200: jsonAnswer(posted, 'The same as before: this Idempotency-Key was answered already'),
          201: jsonAnswer(posted, 'Taken in'),
          409: jsonAnswer(errorSchema, 'What it replies to is no longer shown'),
          ...failures,
        },
      }),
      async (c) => {
        const submission = c.req.valid('json');
        const site = findSite(await sitesNow(), submission.site);
        letWrite(c, site);
        c.header('cache-control', 'no-store');
        const key = c.req.valid('header')['idempotency-key'] ?? null;
        const poster = { ownerId: await ownerId(c, site, submission.author.email), addressHash: hashOf(c) };
        const { answer, isNew } = await postComment(deps, submission, key, poster);
        return c.json(answer, isNew ? 201 : 200);
      },
      { maxBytes: MAX_BODY },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'get',
        path: '/comments/status/{status_token}',
        request: { params: z.object({ status_token: token }) },
        responses: { 200: jsonAnswer(anything, 'Where the comment is, for its author'), ...failures },
      }),
      async (c) => {
        const status = await statusOf(c.req.valid('param').status_token);
        await letReadStatus(c, status.site);
        c.header('cache-control', 'private, no-store');
        return c.json({ ...status }, 200);
      },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'get',
        path: '/comments/status/{status_token}/stream',
        request: { params: z.object({ status_token: token }) },
        responses: {
          200: { description: 'Server-sent events `status`', content: { 'text/event-stream': { schema: z.string() } } },
          204: { description: 'Nothing more will come' },
          ...failures,
        },
      }),
      async (c) => {
        const statusToken = c.req.valid('param').status_token;
        const { site } = await statusOf(statusToken);
        await letReadStatus(c, site);
        const stream = await streams.open(() => statusOf(statusToken), c.req.header('last-event-id') ?? null);
        if (stream === null) return c.body(null, 204);
        return c.body(stream, 200, STREAM_HEADERS);
      },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'patch',
        path: '/comments/{id}',
        request: { params, query: z.object({ status_token: token.optional() }), body: jsonBody(editSchema) },
        responses: { 200: jsonAnswer(anything, 'Changed; it is audited again'), ...failures },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const edit = c.req.valid('json');
        const statusToken = edit.status_token ?? c.req.valid('query').status_token ?? bearer(c) ?? '';
        const sites = await letWriteOn(c, id);
        return c.json({ ...(await editComment(deps, { id, token: statusToken, sites }, edit)) }, 200);
      },
      { maxBytes: MAX_BODY },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'delete',
        path: '/comments/{id}',
        request: {
          params,
          query: z.object({
            status_token: token.optional(),
            /** Of a moderator, who shows a key. */
            expected_revision: z.coerce.number().int().min(1).optional(),
          }),
        },
        responses: {
          204: { description: 'Deleted' },
          409: jsonAnswer(errorSchema, 'It is no longer as the moderator saw it'),
          ...failures,
        },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const query = c.req.valid('query');
        const sites = await letWriteOn(c, id);
        const key = bearer(c);
        const moderatorId = query.status_token === undefined && key !== null ? await moderator(key) : null;
        if (moderatorId !== null) await deleteAsModerator(id, moderatorId, query.expected_revision);
        else await deleteOwnComment(deps, { id, token: query.status_token ?? key ?? '', sites });
        return c.body(null, 204);
      },
    ),
  ];

  /** The owner is who says so and shows a key: an address alone, anybody may write into a form. */
  async function ownerId(c: Context, site: Site, email: string | undefined): Promise<string | null> {
    const key = bearer(c);
    if (key === null || email === undefined) return null;
    if (!site.owner_emails.some((one) => one.toLowerCase() === email)) return null;
    return moderator(key);
  }

  function hashOf(c: Context): string | null {
    // A request that came through no socket has no address.
    const connection = c.env?.incoming ? getConnInfo(c).remote.address : undefined;
    const address = clientAddress(connection, c.req.header('x-forwarded-for'), deps.proxies);
    return address === null ? null : addressHash(address, deps.addressKey);
  }

  async function letReadStatus(c: Context, siteId: string): Promise<void> {
    const site = (await sitesNow()).get(siteId);
    if (site) letRead(c, site);
  }

  async function letWriteOn(c: Context, id: string): Promise<ReadonlyMap<string, Site>> {
    const [comment] = await loadComments(database, [id]);
    if (!comment) throw unknownComment();
    const sites = await sitesNow();
    const site = sites.get(comment.site);
    if (site) letWrite(c, site);
    return sites;
  }

  async function deleteAsModerator(id: string, actorId: string, expectedRevision: number | undefined): Promise<void> {
    if (expectedRevision === undefined) {
      const detail = { field: 'expected_revision', in: 'query' };
      throw new CodedError('request.invalid', 'permanent', 'expected_revision: what was seen when it was decided', {
        detail,
      });
    }
    const refused = await database.transaction(async (tx) => {
      const comment = await holdComment(tx, id);
      if (!comment) throw unknownComment();
      if (comment.state === 'DELETED') throw goneComment();
      return deleteComment(tx, comment, { actor: 'human', actorId, expectedRevision });
    });
    if (refused) throw refused;
  }
}

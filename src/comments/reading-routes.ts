import { createRoute, z } from '@hono/zod-openapi';
import { decodeCursor, type Endpoint, encodeCursor, endpoint, errorSchema, jsonAnswer } from '../core/route.ts';
import type { Database } from '../storage/database.ts';
import { unknownComment } from './comment.ts';
import type { Configured } from './configure.ts';
import { articleVersion, countComments, listReplies, listThreads } from './list-comments.ts';
import { locate } from './locate.ts';
import { letRead, preflight } from './origins.ts';
import { findSite } from './site.ts';
import { idSchema } from './submission.ts';

export interface ReadingDeps {
  readonly database: Database;
  readonly configured: Configured;
}

/** Replies that are shown with a thread, and a page of them, unless somebody asks for another number. */
const REPLY_SIZE = 10;

const size = z.coerce.number().int().min(1).max(100);
const order = z.enum(['oldest', 'newest']);
const page = z.coerce.number().int().min(1).max(1_000_000);
const anything = z.record(z.string(), z.unknown());
const failures = { 404: jsonAnswer(errorSchema, 'There is no such site or comment') };
const cursorParts = z.tuple([z.uuid()]);
const listQuery = z.object({
  site: z.string(),
  article_id: idSchema,
  order: order.optional(),
  /** Threads a page; the site's own number unless given. */
  size: size.optional(),
  /** The same by the name that it has in every list. */
  limit: size.optional(),
  reply_size: size.default(REPLY_SIZE),
  page: page.optional(),
  cursor: z.string().optional(),
  /** The page on which this comment stands. */
  around: z.uuid().optional(),
});

/** What everybody may read: the comments of an article, their number, the place of one. */
export function readingRoutes({ database, configured }: ReadingDeps): Endpoint[] {
  const siteOf = async (id: string) => findSite(await configured.sites(database), id);
  return [
    ...['/comments', '/comments/{id}'].map((path) =>
      endpoint(
        'public',
        createRoute({
          method: 'options',
          path,
          request: path.includes('{id}') ? { params: z.object({ id: z.string() }) } : {},
          responses: { 204: { description: 'Who may ask from where' } },
        }),
        async (c) => preflight(c, await configured.sites(database)),
      ),
    ),
    endpoint(
      'public',
      createRoute({
        method: 'get',
        path: '/comments',
        request: { query: listQuery },
        responses: {
          200: jsonAnswer(anything, 'Threads of an article, each with its first replies'),
          304: { description: 'Nothing changed since' },
          ...failures,
        },
      }),
      async (c) => {
        const query = c.req.valid('query');
        const site = await siteOf(query.site);
        letRead(c, site);
        const article = { site: site.id, articleId: query.article_id };
        const { count, list_version } = await articleVersion(database, article);
        const etag = `"${list_version}"`;
        c.header('etag', etag);
        c.header('cache-control', 'public, no-cache');
        if (c.req.header('if-none-match') === etag) return c.body(null, 304);
        const how = {
          order: query.order ?? site.order,
          size: query.size ?? query.limit ?? site.page_size,
          replySize: query.reply_size,
        };
        const after = decodeCursor(query.cursor, cursorParts)?.[0];
        const around = query.around === undefined ? null : await pageAround(query.around, article, how);
        const from = after === undefined ? { page: around ?? query.page ?? 1 } : { after };
        const listed = await listThreads(database, article, { ...how, from });
        const next_cursor = listed.next_cursor === null ? null : encodeCursor([listed.next_cursor]);
        return c.json({ ...listed, next_cursor, count, list_version }, 200);
      },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'get',
        path: '/comments/counts',
        request: {
          query: z.object({
            site: z.string(),
            /** Comma separated, or several times. */
            article_ids: z.union([z.string().transform((ids) => ids.split(',')), z.array(z.string())]),
          }),
        },
        responses: {
          200: jsonAnswer(
            z.object({ items: z.array(z.object({ article_id: z.string(), count: z.int() })) }),
            'Visible comments by article',
          ),
          ...failures,
        },
      }),
      async (c) => {
        const query = c.req.valid('query');
        const site = await siteOf(query.site);
        letRead(c, site);
        c.header('cache-control', 'public, no-cache');
        const ids = [...new Set(query.article_ids.map((id) => id.trim()))].filter(Boolean).slice(0, 200);
        return c.json({ items: await countComments(database, site.id, ids) }, 200);
      },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'get',
        path: '/comments/{id}/replies',
        request: {
          params: z.object({ id: z.uuid() }),
          query: z.object({ page: page.default(1), size: size.default(REPLY_SIZE) }),
        },
        responses: { 200: jsonAnswer(anything, 'Replies of a thread, oldest first'), ...failures },
      }),
      async (c) => {
        const { id } = c.req.valid('param');
        const query = c.req.valid('query');
        // A thread that nobody sees has no replies that anybody sees.
        const place = await placeOf(id, null, null, query.size);
        if (place.thread_id !== id) throw unknownComment();
        letRead(c, await siteOf(place.site));
        return c.json({ ...(await listReplies(database, id, query.page, query.size)) }, 200);
      },
    ),
    endpoint(
      'public',
      createRoute({
        method: 'get',
        path: '/comments/{id}/locate',
        request: {
          params: z.object({ id: z.uuid() }),
          query: z.object({ size: size.optional(), order: order.optional(), reply_size: size.default(REPLY_SIZE) }),
        },
        responses: { 200: jsonAnswer(anything, 'Where in its list a comment stands'), ...failures },
      }),
      async (c) => {
        const query = c.req.valid('query');
        const found = await placeOf(c.req.valid('param').id, query.order ?? null, query.size ?? null, query.reply_size);
        letRead(c, await siteOf(found.site));
        c.header('cache-control', 'no-store');
        const { site: _site, ...place } = found;
        return c.json(place, 200);
      },
    ),
  ];

  async function placeOf(
    id: string,
    wanted: z.infer<typeof order> | null,
    sizeWanted: number | null,
    replySize: number,
  ) {
    const sites = await configured.sites(database);
    return locate(database, id, { order: wanted, size: sizeWanted, replySize }, (siteId) => {
      const { order: usual, page_size } = findSite(sites, siteId);
      return { order: usual, size: page_size };
    });
  }

  async function pageAround(
    id: string,
    { site, articleId }: { site: string; articleId: string },
    how: { order: z.infer<typeof order>; size: number; replySize: number },
  ): Promise<number> {
    const place = await placeOf(id, how.order, how.size, how.replySize);
    // A comment of another article is none of this one's business.
    if (place.site !== site || place.article_id !== articleId) throw unknownComment();
    return place.page;
  }
}

import type { Queryable } from '../storage/database.ts';
import { inOrder, type Order, standsBefore } from './order.ts';
import { isListed, isVisible } from './visible.ts';

/** A comment as everybody sees it; of one that only keeps its place for the replies below it, no more than that. */
export interface PublicComment {
  readonly id: string;
  readonly parent_id: string | null;
  readonly thread_id: string;
  readonly author: { readonly name: string; readonly url: string | null; readonly kind: string } | null;
  readonly content: string | null;
  readonly tombstone: boolean;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly pinned: boolean;
}

export interface ReplyPage {
  readonly items: readonly PublicComment[];
  readonly page: number;
  readonly pages: number;
  readonly total: number;
}

export interface Thread extends PublicComment {
  readonly replies: ReplyPage;
}

export interface ThreadPage {
  readonly items: readonly Thread[];
  readonly next_cursor: string | null;
  readonly page: number | null;
  readonly pages: number;
  /** Threads of the article. */
  readonly total: number;
  /** Visible comments of the article, replies included. */
  readonly count: number;
  readonly list_version: string;
}

export interface Article {
  readonly site: string;
  readonly articleId: string;
}

/** What a page is asked by: its number, or the last root of the page before. */
export type From = { readonly page: number } | { readonly after: string };

const PUBLIC = (c: string): string => `${c}.id, ${c}.parent_id, ${c}.thread_id,
  case when ${isVisible(c)} then jsonb_build_object('name', ${c}.author_name, 'url', ${c}.author_url, 'kind', ${c}.author_kind) end as author,
  case when ${isVisible(c)} then ${c}.content end as content, not ${isVisible(c)} as tombstone, ${c}.created_at,
  case when ${isVisible(c)} then ${c}.edited_at end as edited_at, ${c}.pinned`;

/** Threads of an article, in their order, each with the first page of its replies (oldest first). */
export async function listThreads(
  on: Queryable,
  { site, articleId }: Article,
  how: { readonly order: Order; readonly size: number; readonly replySize: number; readonly from: From },
): Promise<Omit<ThreadPage, 'count' | 'list_version'>> {
  const { order, size, replySize, from } = how;
  const after = 'after' in from ? from.after : null;
  const { rows: counted } = await on.query<{ total: number }>(
    `select count(*)::int as total from comments_comment c
      where c.site = $1 and c.article_id = $2 and c.parent_id is null and ${isListed('c')}`,
    [site, articleId],
  );
  const total = counted[0]!.total;
  const { rows } = await on.query<PublicComment>(
    `select ${PUBLIC('c')} from comments_comment c
      where c.site = $1 and c.article_id = $2 and c.parent_id is null and ${isListed('c')}
        and ($3::uuid is null or exists (
          select from comments_comment t where t.id = $3 and ${standsBefore('t', 'c', order)}))
      order by ${inOrder('c', order)} limit $4 offset $5`,
    [site, articleId, after, size + 1, 'page' in from ? (from.page - 1) * size : 0],
  );
  const roots = rows.slice(0, size);
  const replies = await firstReplies(
    on,
    roots.map(({ id }) => id),
    replySize,
  );
  const none: ReplyPage = { items: [], page: 1, pages: 0, total: 0 };
  return {
    items: roots.map((root) => ({ ...root, replies: replies.get(root.id) ?? none })),
    next_cursor: rows.length > size ? roots.at(-1)!.id : null,
    page: 'page' in from ? from.page : null,
    pages: Math.ceil(total / size),
    total,
  };
}

async function firstReplies(on: Queryable, roots: readonly string[], size: number): Promise<Map<string, ReplyPage>> {
  if (!roots.length) return new Map();
  const { rows } = await on.query<PublicComment & { total: number }>(
    `select r.* from unnest($1::uuid[]) as root(id)
       cross join lateral (
         select ${PUBLIC('c')}, (count(*) over ())::int as total from comments_comment c
          where c.thread_id = root.id and c.parent_id is not null and ${isListed('c')}
          order by c.created_at, c.id limit $2) r`,
    [roots, size],
  );
  const threads = Map.groupBy(rows, (row) => row.thread_id);
  return new Map(
    [...threads].map(([id, found]) => {
      const total = found[0]!.total;
      const items = found.map(({ total: _total, ...reply }) => reply);
      return [id, { items, page: 1, pages: Math.ceil(total / size), total }];
    }),
  );
}

/** One page of a thread's replies, oldest first. */
export async function listReplies(on: Queryable, threadId: string, page: number, size: number): Promise<ReplyPage> {
  const { rows } = await on.query<PublicComment>(
    `select ${PUBLIC('c')} from comments_comment c
      where c.thread_id = $1 and c.parent_id is not null and ${isListed('c')}
      order by c.created_at, c.id limit $2 offset $3`,
    [threadId, size, (page - 1) * size],
  );
  const { rows: counted } = await on.query<{ total: number }>(
    `select count(*)::int as total from comments_comment c
      where c.thread_id = $1 and c.parent_id is not null and ${isListed('c')}`,
    [threadId],
  );
  const total = counted[0]!.total;
  return { items: rows, page, pages: Math.ceil(total / size), total };
}

/** How many comments of an article are visible, and a mark that differs when anything about its list may differ. */
export async function articleVersion(
  on: Queryable,
  { site, articleId }: Article,
): Promise<{ readonly count: number; readonly list_version: string }> {
  const { rows } = await on.query<{ count: number; list_version: string }>(
    `select (count(*) filter (where ${isVisible('c')}))::int as count,
            md5(count(*) || '.' || coalesce(sum(c.version), 0)) as list_version
       from comments_comment c where c.site = $1 and c.article_id = $2`,
    [site, articleId],
  );
  return rows[0]!;
}

/** Visible comments by article; an article without any is among them. */
export async function countComments(
  on: Queryable,
  site: string,
  articleIds: readonly string[],
): Promise<{ readonly article_id: string; readonly count: number }[]> {
  const { rows } = await on.query<{ article_id: string; count: number }>(
    `select i.article_id, n.count from unnest($2::text[]) with ordinality as i(article_id, place)
       cross join lateral (
         select count(*)::int as count from comments_comment c
          where c.site = $1 and c.article_id = i.article_id and ${isVisible('c')}) n
      order by i.place`,
    [site, articleIds],
  );
  return rows;
}

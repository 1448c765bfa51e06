import type { Queryable } from '../storage/database.ts';
import { unknownComment } from './comment.ts';
import { articleVersion } from './list-comments.ts';
import { type Order, standsBefore } from './order.ts';
import { isListed } from './visible.ts';

/** Where a comment stands: pages from 1, `index` on the page of threads (a root) or of replies (a reply) from 0. */
export interface Place {
  readonly site: string;
  readonly article_id: string;
  readonly thread_id: string;
  readonly page: number;
  readonly index: number;
  /** Null for a root. */
  readonly reply_page: number | null;
  /** That of the list it was computed on: with another one, the list may have moved. */
  readonly list_version: string;
}

/**
 * Computes the place of a listed comment by the list's own predicate and order.
 * @throws CodedError `comments.comment_unknown` for one that nobody sees
 */
export async function locate(
  on: Queryable,
  id: string,
  how: { readonly order: Order | null; readonly size: number | null; readonly replySize: number },
  settingsOf: (site: string) => { readonly order: Order; readonly size: number },
): Promise<Place> {
  const { rows } = await on.query<{ site: string; article: string; thread: string; isReply: boolean }>(
    `select c.site, c.article_id as article, c.thread_id as thread, c.parent_id is not null as "isReply"
       from comments_comment c where c.id = $1 and ${isListed('c')}`,
    [id],
  );
  const found = rows[0];
  if (!found) throw unknownComment();
  const { site, article, thread, isReply } = found;
  const order = how.order ?? settingsOf(site).order;
  const size = how.size ?? settingsOf(site).size;
  const rank = await rankOfThread(on, thread, order);
  const replyRank = isReply ? await rankOfReply(on, id) : null;
  const { list_version } = await articleVersion(on, { site, articleId: article });
  return {
    ...{ site, article_id: article, thread_id: thread, page: Math.floor(rank / size) + 1 },
    index: replyRank === null ? rank % size : replyRank % how.replySize,
    reply_page: replyRank === null ? null : Math.floor(replyRank / how.replySize) + 1,
    list_version,
  };
}

/** How many listed threads of its article stand before it. */
async function rankOfThread(on: Queryable, id: string, order: Order): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    `select count(*)::int as n from comments_comment t
       join comments_comment c on c.site = t.site and c.article_id = t.article_id and c.parent_id is null
      where t.id = $1 and ${isListed('c')} and ${standsBefore('c', 't', order)}`,
    [id],
  );
  return rows[0]!.n;
}

async function rankOfReply(on: Queryable, id: string): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    `select count(*)::int as n from comments_comment t
       join comments_comment c on c.thread_id = t.thread_id and c.parent_id is not null
      where t.id = $1 and ${isListed('c')} and (c.created_at, c.id) < (t.created_at, t.id)`,
    [id],
  );
  return rows[0]!.n;
}

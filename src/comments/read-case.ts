import type { Queryable } from '../storage/database.ts';
import type { Context } from './ask-verdict.ts';
import type { Case } from './audit.ts';
import type { Comment } from './comment.ts';
import type { Policy } from './policy.ts';
import type { Facts } from './rules/index.ts';
import type { Site } from './site.ts';
import { isVisible } from './visible.ts';

/** Everything that an audit of a stored comment goes by. Of other comments, only what was there before it counts. */
export async function readCase(on: Queryable, comment: Comment, policy: Policy, site: Site | undefined): Promise<Case> {
  return {
    subject: subjectOf(comment),
    context: await readContext(on, comment),
    facts: await readFacts(on, comment, policy),
    replyName: site?.auto_reply ? site.reply_name : null,
  };
}

export const subjectOf = ({ content, authorName, authorUrl }: Comment): Case['subject'] => ({
  content,
  authorName,
  authorUrl,
});

/** The article as the owner described it, and what the comment replies to, if that is shown. */
export async function readContext(on: Queryable, { site, articleId, parentId }: Comment): Promise<Context> {
  const { rows } = await on.query<Context>(
    `select a.title as "articleTitle", a.summary as "articleSummary", p.content as "parentContent"
       from (values (1)) one(n)
       left join comments_article a on a.site = $1 and a.article_id = $2
       left join comments_comment p on p.id = $3 and ${isVisible('p')}`,
    [site, articleId, parentId],
  );
  return rows[0]!;
}

/** The same e-mail address; where one of the two has none, the same name. From one address many people may write. */
const SAME_AUTHOR = `(case when c.author_email is not null and t.author_email is not null
  then c.author_email = t.author_email else c.author_name = t.author_name end)`;
const SAME_ADDRESS = 'coalesce(c.address_hash = t.address_hash, false)';

async function readFacts(on: Queryable, { id }: Comment, { duplicate_hours }: Policy): Promise<Facts> {
  const { rows } = await on.query<Facts>(
    `select same.here as "sameByAuthorHere", same.own as "sameByAuthor", same.others as "sameByOthers",
            recent.n as "recentByAuthor"
       from comments_comment t
       cross join lateral (
         select (count(*) filter (where ${SAME_AUTHOR} and c.article_id = t.article_id))::int as here,
                (count(*) filter (where ${SAME_AUTHOR} or ${SAME_ADDRESS}))::int as own,
                (count(*) filter (where not ${SAME_AUTHOR} and not ${SAME_ADDRESS}))::int as others
           from comments_comment c
          where c.site = t.site and c.content_key = t.content_key and c.author_kind = 'visitor' and c.state <> 'DELETED'
            and c.created_at >= t.created_at - $2 * interval '1 hour' and (c.created_at, c.id) < (t.created_at, t.id)) same
       cross join lateral (
         select count(*)::int as n from comments_comment c
          where c.site = t.site and (c.address_hash = t.address_hash or c.author_email = t.author_email)
            and c.created_at >= t.created_at - interval '10 minutes' and (c.created_at, c.id) < (t.created_at, t.id)) recent
      where t.id = $1`,
    [id, duplicate_hours],
  );
  return rows[0]!;
}

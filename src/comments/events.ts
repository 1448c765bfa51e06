import type { NewEvent } from '../core/outbox.ts';
import type { Comment } from './comment.ts';

type Told = Pick<
  Comment,
  | 'id'
  | 'site'
  | 'articleId'
  | 'parentId'
  | 'threadId'
  | 'authorKind'
  | 'authorName'
  | 'authorUrl'
  | 'content'
  | 'publishedAt'
>;
type Origin = NewEvent['origin'];

/** What everybody may read of a comment; never an e-mail address. */
const publicData = (comment: Told) => ({
  id: comment.id,
  site: comment.site,
  article_id: comment.articleId,
  parent_id: comment.parentId,
  thread_id: comment.threadId,
  author: { name: comment.authorName, url: comment.authorUrl, kind: comment.authorKind },
  content: comment.content,
});

/** It can be seen. `first` is for whoever sends notices: a comment that comes back has been told of before. */
export const publishedEvent = (comment: Told, origin: Origin): NewEvent => ({
  type: 'comments.comment.published',
  item: comment.id,
  origin,
  data: { ...publicData(comment), first: comment.publishedAt === null },
});

/** It can no longer be seen. */
export const withdrawnEvent = (
  { id, site, articleId, parentId, threadId }: Pick<Told, 'id' | 'site' | 'articleId' | 'parentId' | 'threadId'>,
  origin: Origin,
): NewEvent => ({
  type: 'comments.comment.withdrawn',
  item: id,
  origin,
  data: { id, site, article_id: articleId, parent_id: parentId, thread_id: threadId },
});

/** AI answered it. */
export const repliedEvent = (
  parent: Told,
  reply: { readonly id: string; readonly content: string; readonly model: string },
): NewEvent => ({
  type: 'comments.comment.replied',
  item: parent.id,
  origin: 'live',
  data: { ...publicData(parent), reply },
});

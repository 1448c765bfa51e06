import { auditStage } from '../../src/comments/audit-stage.ts';
import { deleteOwnComment, editComment } from '../../src/comments/author-edit.ts';
import { REPLY_STAGE } from '../../src/comments/begin-reply.ts';
import type { Comment } from '../../src/comments/comment.ts';
import { loadComments } from '../../src/comments/comment.ts';
import type { Configured } from '../../src/comments/configure.ts';
import { type CommentDecision, decideComment } from '../../src/comments/decide-comment.ts';
import { commentMachine } from '../../src/comments/machine.ts';
import { pinComment } from '../../src/comments/pin-comment.ts';
import { type Policy, parsePolicy } from '../../src/comments/policy.ts';
import { AUDIT_STAGE, type Posted, postComment } from '../../src/comments/post-comment.ts';
import { replyStage } from '../../src/comments/reply-stage.ts';
import { type Site, siteSchema } from '../../src/comments/site.ts';
import { submissionSchema } from '../../src/comments/submission.ts';
import { undoDecision } from '../../src/comments/undo-decision.ts';
import { uuid7 } from '../../src/core/ids.ts';
import type { Machine } from '../../src/core/machine.ts';
import { NO_MODEL_USE } from '../../src/core/run.ts';
import { retryQueue } from '../../src/jobs/disposition.ts';
import type { AtPoint } from '../../src/jobs/points.ts';
import { claimed, createQueues, workOn } from '../../src/jobs/worker.ts';
import type { AskModel, Model } from '../../src/models/index.ts';
import type { Ground } from './databases.ts';
import { findBreaches } from './invariants.ts';
import { workerDeps } from './worker.ts';

/** What a test answers in a model's place. */
export type Answering = (asked: { readonly system: string; readonly prompt: string }) => unknown;

/** Comments by hand: nothing is audited or answered before a test says so. */
export interface CommentDesk {
  /** May be replaced by a test. */
  answer: Answering;
  /** False: there is no model. */
  hasModel: boolean;
  putSite(changes?: Record<string, unknown>): Site;
  putPolicy(changes?: Record<string, unknown>): Policy;
  post(content: string, changes?: Record<string, unknown>): Promise<Posted>;
  /** Claims what waits in a stage's queue (or its retries), works on it and settles; gives the number of jobs. */
  work(stage: 'audit' | 'reply', how?: { readonly at?: AtPoint; readonly retries?: boolean }): Promise<number>;
  decide(
    id: string,
    decision: CommentDecision['decision'],
    changes?: Partial<CommentDecision>,
  ): Promise<{ state: string; revision: number }>;
  undo(id: string): Promise<{ state: string; revision: number }>;
  pin(id: string, pinned: boolean): Promise<void>;
  edit(posted: Posted, content: string): ReturnType<typeof editComment>;
  remove(posted: Posted): Promise<void>;
  comment(id: string): Promise<Comment>;
  state(id: string): Promise<string>;
  outcomes(id: string): Promise<string[]>;
  events(id: string): Promise<string[]>;
  /** AI replies below a comment that are current. */
  replies(id: string): Promise<{ id: string; content: string }[]>;
  breaches(): Promise<string[]>;
}

const MODEL = { id: 'test', price_in: 0, price_out: 0 } as Model;

export async function openCommentDesk({ database, queue }: Ground): Promise<CommentDesk> {
  const { boss } = queue;
  let site = siteSchema.parse({ id: 's', origins: [] });
  let policy = parsePolicy({});
  const ask: AskModel = async (question) => {
    const value = question.schema.parse(await desk.answer(question));
    return { value, model: 'test-1', use: { ...NO_MODEL_USE, calls: 1 } };
  };
  const configured: Configured = {
    sites: async () => new Map([[site.id, site]]),
    policies: async () => ({ version: 1, policies: new Map([[policy.id, policy]]) }),
    hand: async () => (desk.hasModel ? { ask, model: MODEL } : null),
    edited: () => {},
  };
  const deps = { database, boss, newId: () => uuid7(), configured };
  const stages = { audit: auditStage(deps), reply: replyStage(deps) };
  for (const stage of Object.values(stages)) await createQueues(queue, stage);
  const sites = () => new Map([[site.id, site]]);
  const comment = async (id: string) => (await loadComments(database, [id]))[0]!;

  const desk: CommentDesk = {
    answer: () => ({ decision: 'approve', reason_code: 'ok', evidence: '' }),
    hasModel: true,
    putSite: (changes = {}) => {
      site = siteSchema.parse({ id: 's', origins: [], ...changes });
      return site;
    },
    putPolicy: (changes = {}) => {
      policy = parsePolicy(changes);
      return policy;
    },
    post: async (content, changes = {}) => {
      const author = { name: 'reader', email: `${uuid7()}@example.org` };
      const submission = submissionSchema.parse({ site: 's', article_id: 'a', author, content, ...changes });
      return (await postComment(deps, submission, null, { ownerId: null, addressHash: null })).answer;
    },
    work: async (which, { at, retries = false } = {}) => {
      const stage = stages[which];
      const name = retries ? retryQueue(stage.name) : stage.name;
      const jobs = await boss.fetch(name, { includeMetadata: true, batchSize: 100 });
      const { signal } = new AbortController();
      const worker = workerDeps({ database, queue }, at ? { at } : {});
      for (const job of jobs) await workOn(stage, name, [claimed({ ...job, signal } as never)], worker);
      return jobs.length;
    },
    decide: async (id, decision, changes = {}) => {
      const expectedRevision = changes.expectedRevision ?? (await comment(id)).revision;
      return decideComment(deps, { id, decision, reason: null, actorId: 'moderator', ...changes, expectedRevision });
    },
    undo: async (id) => {
      const { revision: expectedRevision } = await comment(id);
      return undoDecision(deps, { id, expectedRevision, actorId: 'moderator' });
    },
    pin: (id, pinned) => pinComment(deps, id, pinned),
    edit: (posted, content) =>
      editComment(deps, { id: posted.id, token: posted.status_token, sites: sites() }, { content }),
    remove: (posted) => deleteOwnComment(deps, { id: posted.id, token: posted.status_token, sites: sites() }),
    comment,
    state: async (id) => (await comment(id)).state,
    outcomes: async (id) => {
      const { rows } = await database.query<{ told: string }>(
        `select stage || ' ' || outcome as told from run where item = $1 order by started_at, attempt`,
        [id],
      );
      return rows.map(({ told }) => told.replace('comments.', ''));
    },
    events: async (id) => {
      const { rows } = await database.query<{ type: string }>(
        'select type from outbox where item = $1 order by item_seq',
        [id],
      );
      return rows.map(({ type }) => type.replace('comments.comment.', ''));
    },
    replies: async (id) => {
      const { rows } = await database.query<{ id: string; content: string }>(
        `select id, content from comments_comment where parent_id = $1 and author_kind = 'ai' and withdrawn_at is null
          and state = 'APPROVED'`,
        [id],
      );
      return rows;
    },
    breaches: () => findBreaches(database, commentMachine as unknown as Machine, [AUDIT_STAGE, REPLY_STAGE]),
  };
  return desk;
}

export const REPLY_ASKED = /You answer one comment/;

/** Approves everything and answers with a reply. */
export const approving: Answering = ({ system }) =>
  REPLY_ASKED.test(system) ? { reply: 'A good question.' } : { decision: 'approve', reason_code: 'ok', evidence: '' };

import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { recordBirths } from '../core/journal.ts';
import type { Machine } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Done, Stage } from '../jobs/stage.ts';
import { type AskModel, BUDGET_EXHAUSTED } from '../models/index.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import { hostOf } from '../text/registrable-domain.ts';
import { replyQuestion, type ThreadEntry } from './ask-reply.ts';
import type { Context } from './ask-verdict.ts';
import { type NoReply, REPLY_STAGE } from './begin-reply.ts';
import { cleanReply } from './clean-reply.ts';
import { type Comment, loadComments } from './comment.ts';
import type { Configured } from './configure.ts';
import { countedAsk } from './counted-ask.ts';
import { publishedEvent, repliedEvent } from './events.ts';
import { commentMachine } from './machine.ts';
import { findPolicy, type Policy } from './policy.ts';
import { readContext } from './read-case.ts';
import { speaksToModel } from './rules/index.ts';
import type { Site } from './site.ts';
import { contentKey } from './submission.ts';
import { isVisible } from './visible.ts';

interface ReplyContext {
  readonly site: Site | undefined;
  readonly ask: AskModel | null;
  readonly policy: Policy;
  readonly context: Context;
  readonly thread: readonly ThreadEntry[];
}

/** What became of a wish for a reply. */
type Outcome =
  | { readonly id: string; readonly content: string; readonly model: string; readonly name: string }
  | { readonly unwanted: NoReply | 'budget' | 'speaks_to_model' };

const machine = commentMachine as unknown as Machine;

/**
 * The AI's reply to a comment that was approved. The reply's row and the state of what it answers are one transaction; where
 * no reply is wanted any more, the comment goes back to rest without one.
 */
export function replyStage(deps: {
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly configured: Configured;
}): Stage<typeof commentMachine, Comment, Outcome, ReplyContext> {
  return {
    name: REPLY_STAGE,
    machine: commentMachine,
    from: ['AI_REPLYING'],
    actor: 'ai',
    batch: 1,
    concurrency: 4,
    expireSeconds: 600,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'AI_REPLY_FAILED',
    load: loadComments,
    prepare: (on, items) => prepareReply(on, deps.configured, items[0]!),
    work: async (comment, { walk, context, cause, signal, spend }) => {
      const unwanted = whyNot(comment, context);
      if (unwanted !== null) return { unwanted };
      // Who has a reply that was no good tried again wants another one.
      const options = { signal, requestKey: `${comment.id}:reply:${cause}`, useCache: false };
      const ask = countedAsk(context.ask!, options, spend);
      const reply = await replyTo(comment, context, ask);
      if (reply === null) return { unwanted: 'budget' };
      walk.take({ from: 'AI_REPLYING', to: 'AI_REPLIED' });
      return { ...reply, id: deps.newId(), name: context.site!.reply_name };
    },
    save: async (tx, done) => {
      for (const one of done) await saveOutcome(tx, one);
    },
    inputRef: ({ id, contentVersion }) => `comments_comment:${id}/${contentVersion}`,
  };
}

async function prepareReply(
  on: Queryable,
  configured: Configured,
  comment: Comment,
): Promise<{ context: ReplyContext; rulebookVersion: number }> {
  const { version, policies } = await configured.policies(on);
  const site = (await configured.sites(on)).get(comment.site);
  const hand = site?.auto_reply ? await configured.hand(site.reply_model) : null;
  return {
    context: {
      ...{ site, ask: hand?.ask ?? null, policy: findPolicy(policies, site?.policy ?? 'default') },
      context: await readContext(on, comment),
      thread: await readThread(on, comment.path),
    },
    rulebookVersion: version,
  };
}

const NEAREST = 6;

/** The nearest of what stands above, oldest first; what speaks to models is left out. */
async function readThread(on: Queryable, path: readonly string[]): Promise<ThreadEntry[]> {
  const { rows } = await on.query<{ kind: Comment['authorKind']; content: string }>(
    `select c.author_kind as kind, c.content from comments_comment c
      where c.id = any($1::uuid[]) and ${isVisible('c')} order by cardinality(c.path)`,
    [path.slice(-NEAREST)],
  );
  return rows
    .filter(({ content }) => speaksToModel(content) === null)
    .map(({ kind, content }) => ({ author: kind === 'visitor' ? 'reader' : kind, content }));
}

function whyNot(comment: Comment, { site, ask }: ReplyContext): Exclude<NoReply, 'author'> | 'speaks_to_model' | null {
  if (!site?.auto_reply) return 'switch';
  if (ask === null) return 'no_model';
  // A person may approve what speaks to models; nobody lets a model answer it.
  const fields = [comment.content, comment.authorName, comment.authorUrl ?? ''];
  return fields.some((text) => speaksToModel(text) !== null) ? 'speaks_to_model' : null;
}

/** @returns null where the budget does not hold a reply today */
async function replyTo(
  { content }: Comment,
  { site, policy, context, thread }: ReplyContext,
  ask: AskModel,
): Promise<{ content: string; model: string } | null> {
  const question = replyQuestion(content, context, thread, site!);
  const { max_characters, link_domains } = site!.reply_limits;
  const own = site!.origins.map(hostOf).filter((host) => host !== null);
  try {
    const { value, model } = await ask(question);
    const linkDomains = [...own, ...link_domains.map((domain) => domain.toLowerCase())];
    const rules = { system: question.system, policy, maxCharacters: max_characters, linkDomains };
    return { content: cleanReply(value.reply, rules), model };
  } catch (error) {
    if (error instanceof CodedError && error.code === BUDGET_EXHAUSTED) return null;
    throw error;
  }
}

async function saveOutcome(tx: Tx, { item, result, run }: Done<Comment, Outcome>): Promise<void> {
  // Either way, this content is spoken for.
  await tx.query('update comments_comment set reply_wanted = false where id = $1', [item.id]);
  if ('unwanted' in result) {
    const steps = [{ from: 'AI_REPLYING', to: 'APPROVED' }];
    const reason = `comments.no_reply.${result.unwanted}`;
    await move(tx, machine, [{ item: item.id, version: item.version, steps, actor: 'system', reason, run }]);
    return;
  }
  const { id, content, model, name } = result;
  await tx.query(
    `insert into comments_comment (id, state, version, state_since, site, article_id, parent_id, thread_id, path, author_kind,
            author_name, content, content_key, created_at, reply_wanted, published_at, answers_cv, model, reply_run)
     values ($1, 'APPROVED', 1, now_here(), $2, $3, $4, $5, $6::uuid[], 'ai', $7, $8, $9, now_here(), false, now_here(), $10, $11, $12)`,
    [
      ...[id, item.site, item.articleId, item.id, item.threadId, [...item.path, item.id], name, content],
      ...[contentKey(content), item.contentVersion, model, run],
    ],
  );
  await recordBirths(tx, machine, [{ item: id, state: 'APPROVED', actor: 'ai' }]);
  const [reply] = await loadComments(tx, [id]);
  await recordEvents(tx, [
    publishedEvent({ ...reply!, publishedAt: null }, 'live'),
    repliedEvent(item, { id, content, model }),
  ]);
}

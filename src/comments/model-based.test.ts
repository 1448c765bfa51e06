import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { approving, type CommentDesk, openCommentDesk, REPLY_ASKED } from '../../test/harness/comment-desk.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import type { AtPoint } from '../jobs/points.ts';
import { articleVersion, listThreads } from './list-comments.ts';
import type { Posted } from './post-comment.ts';

const DECISIONS = ['approve', 'reject', 'restore', 'reaudit'] as const;
const VERDICTS = ['approve', 'reject', 'unsure', 'nonsense'] as const;

/** One thing that happens. `who` picks a comment, `during` happens while a model is at work. */
type Command =
  | { readonly kind: 'post'; readonly below: number | null }
  | { readonly kind: 'edit' | 'delete' | 'undo' | 'pin'; readonly who: number }
  | { readonly kind: 'decide'; readonly who: number; readonly decision: (typeof DECISIONS)[number] }
  | {
      readonly kind: 'work';
      readonly stage: 'audit' | 'reply';
      readonly verdict: (typeof VERDICTS)[number];
      readonly during: Command | null;
    };

const who = fc.nat(5);
const byPeople: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constantFrom('edit' as const, 'delete' as const, 'undo' as const, 'pin' as const), who }),
  fc.record({ kind: fc.constant('decide' as const), who, decision: fc.constantFrom(...DECISIONS) }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('post' as const), below: fc.option(who) }),
  byPeople,
  fc.record({
    kind: fc.constant('work' as const),
    stage: fc.constantFrom('audit' as const, 'reply' as const),
    verdict: fc.constantFrom('approve' as const, ...VERDICTS),
    during: fc.option(byPeople),
  }),
);

onBothDatabases('whatever happens to comments', (ground, kind) => {
  let desk: CommentDesk;
  let article = 0;
  beforeAll(async () => {
    desk = await openCommentDesk(ground());
    desk.putSite({ auto_reply: true, reply_after_human_approval: true, edit_window_s: 86_400 });
  });

  test('histories are paths, a reply stands where its comment says so, and the list shows no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 14 }), async (commands) => {
        article += 1;
        const here = `article-${article}`;
        const posted: Posted[] = [];
        let edits = 0;
        const pick = (n: number) => (posted.length ? posted[n % posted.length]! : null);
        const perform = async (one: Command): Promise<void> => {
          if (one.kind === 'post') {
            const parent = one.below === null ? null : pick(one.below);
            const changes = { article_id: here, ...(parent ? { parent_id: parent.id } : {}) };
            posted.push(await desk.post(`text ${posted.length}`, changes));
          } else if (one.kind === 'work') {
            desk.answer = ({ system }) =>
              REPLY_ASKED.test(system)
                ? { reply: one.verdict === 'nonsense' ? '' : 'A reply.' }
                : { decision: one.verdict, reason_code: 'ok', evidence: '' };
            const at: AtPoint = async (point) => {
              if (point === 'worked' && one.during) await perform(one.during).catch(expected);
            };
            await desk.work(one.stage, { at });
          } else {
            const chosen = pick(one.who);
            if (!chosen) return;
            edits += 1;
            if (one.kind === 'edit') await desk.edit(chosen, `edited ${edits}`);
            else if (one.kind === 'delete') await desk.remove(chosen);
            else if (one.kind === 'undo') await desk.undo(chosen.id);
            else if (one.kind === 'pin') await desk.pin(chosen.id, edits % 2 === 0);
            else if (one.kind === 'decide') await desk.decide(chosen.id, one.decision);
          }
        };
        for (const one of commands) {
          await perform(one).catch(expected);
          await holds(here);
        }
        desk.answer = approving;
        await comeToRest();
        const { rows } = await ground().database.query<{ state: string }>(
          `select state from comments_comment where article_id = $1 and state in ('PENDING', 'AI_REPLYING')`,
          [here],
        );
        expect(rows).toEqual([]);
        await holds(here);
      }),
      { numRuns: kind === 'pglite' ? 12 : 25 },
    );
  });

  /** What people may be told: it is gone, hidden, or not possible in its state. */
  function expected(error: unknown): void {
    const { code } = error as { code?: string };
    if (
      !/^(core\.edge_missing|core\.revision_stale|comments\.(gone|parent_hidden|not_undoable|pin_invalid))$/.test(
        code ?? '',
      )
    )
      throw error;
  }

  /** Works until nothing is left to do, later tries too. */
  async function comeToRest(): Promise<void> {
    const { database } = ground();
    for (let jobs = 1; jobs > 0; ) {
      await database.query(
        `update ${database.schema}_jobs.job set start_after = now() - interval '1 second' where name like 'comments.%.retry'`,
      );
      jobs = 0;
      for (const stage of ['audit', 'reply'] as const) {
        for (const retries of [false, true]) jobs += await desk.work(stage, { retries });
      }
    }
  }

  async function holds(here: string): Promise<void> {
    const { database } = ground();
    const { rows: replied } = await database.query<{ id: string; state: string; replies: number }>(
      `select p.id, p.state, (select count(*)::int from comments_comment r
                         where r.parent_id = p.id and r.author_kind = 'ai' and r.withdrawn_at is null and r.state = 'APPROVED') as replies
         from comments_comment p where p.article_id = $1 and p.author_kind = 'visitor'`,
      [here],
    );
    for (const { id, state, replies } of replied) {
      expect({ id, state, replies }).toEqual({ id, state, replies: state === 'AI_REPLIED' ? 1 : 0 });
    }
    const article = { site: 's', articleId: here };
    const { count } = await articleVersion(database, article);
    const how = { order: 'oldest', size: 100, replySize: 100, from: { page: 1 } } as const;
    const shown = (await listThreads(database, article, how)).items.flatMap((root) => [root, ...root.replies.items]);
    expect(shown.filter(({ tombstone }) => !tombstone)).toHaveLength(count);
    for (const { tombstone, content, id } of shown) {
      expect(tombstone ? content : null).toBeNull();
      if (tombstone)
        expect(shown.some((one) => one.thread_id === shown.find((x) => x.id === id)!.thread_id && !one.tombstone)).toBe(
          true,
        );
    }
    expect(await desk.breaches()).toEqual([]);
  }
});

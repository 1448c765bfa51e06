import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approving, type CommentDesk, openCommentDesk } from '../../test/harness/comment-desk.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { CodedError } from '../errors/coded-error.ts';

/** Collected complaints about other systems: races, duplicates, what is told twice or too early. */
onBothDatabases('cases A: races', (ground) => {
  let desk: CommentDesk;
  beforeAll(async () => {
    desk = await openCommentDesk(ground());
  });
  beforeEach(() => {
    desk.answer = approving;
    desk.hasModel = true;
    desk.putSite({ auto_reply: true });
    desk.putPolicy();
  });
  afterEach(async () => {
    expect(await desk.breaches()).toEqual([]);
  });

  describe('9: the verdict of a machine comes after that of a person', () => {
    test.each([
      ['approve', 'reject', 'REJECTED'],
      ['reject', 'approve', 'APPROVED'],
    ] as const)('machine %s, person %s', async (machine, person, state) => {
      desk.answer = () => ({ decision: machine, reason_code: 'ok', evidence: '' });
      const { id } = await desk.post('Slow model');
      await desk.work('audit', {
        at: async (point) => {
          if (point === 'worked') await desk.decide(id, person, { reason: '广告', expectedRevision: 1 });
        },
      });
      expect(await desk.state(id)).toBe(state);
      expect(await desk.outcomes(id)).toEqual(['audit superseded']);
      expect(await desk.work('reply')).toBe(0);
    });

    test('the author edits while the model is at work: what it says is about the old text', async () => {
      const posted = await desk.post('Old text');
      await desk.work('audit', {
        at: async (point) => {
          if (point === 'worked') await desk.edit(posted, 'New text');
        },
      });
      expect(await desk.comment(posted.id)).toMatchObject({ state: 'PENDING', contentVersion: 2 });
      desk.answer = () => ({ decision: 'reject', reason_code: 'spam', evidence: '' });
      await desk.work('audit');
      expect(await desk.state(posted.id)).toBe('REJECTED');
      expect(await desk.outcomes(posted.id)).toEqual(['audit superseded', 'audit accepted']);
    });

    test.each([
      ['a person takes it down', async (id: string) => desk.decide(id, 'reject'), 'REJECTED'],
      ['its author deletes it', (_: string, remove: () => Promise<void>) => remove(), 'DELETED'],
    ] as const)('%s while AI writes the reply', async (_, act, state) => {
      const posted = await desk.post('Answer me');
      await desk.work('audit');
      await desk.work('reply', {
        at: async (point) => {
          if (point === 'worked') await act(posted.id, () => desk.remove(posted));
        },
      });
      expect(await desk.state(posted.id)).toBe(state);
      expect(await desk.replies(posted.id)).toEqual([]);
      expect(await desk.outcomes(posted.id)).toEqual(['audit accepted', 'reply superseded']);
    });
  });

  test('3, 14: what was shown is told as new once, however often people press approve', async () => {
    const { id } = await desk.post('Seen at once');
    await desk.work('audit');
    await desk.work('reply');
    for (const decision of ['approve', 'approve', 'reject', 'approve', 'reject', 'restore'] as const) {
      await desk.decide(id, decision);
    }
    const { rows } = await ground().database.query<{ first: boolean }>(
      `select (data ->> 'first')::boolean as first from outbox where item = $1 and type = 'comments.comment.published'
        order by item_seq`,
      [id],
    );
    expect(rows.map(({ first }) => first)).toEqual([true, false, false]);
  });

  test('5, 6: of what was rejected nobody hears', async () => {
    desk.answer = () => ({ decision: 'reject', reason_code: 'advertisement', evidence: '代办' });
    const { id } = await desk.post('A clean text', { author: { name: '代办证件' } });
    await desk.work('audit');
    expect(await desk.state(id)).toBe('REJECTED');
    expect(await desk.events(id)).toEqual([]);
  });

  test('7: what a person approved is told like any other', async () => {
    desk.hasModel = false;
    const { id } = await desk.post('Held');
    await desk.work('audit');
    await desk.decide(id, 'approve');
    expect(await desk.events(id)).toEqual(['published']);
  });

  test('10, 11: two claims of the same reply write one', async () => {
    const { id } = await desk.post('Twice');
    await desk.work('audit');
    const rival = await openCommentDesk(ground());
    rival.answer = approving;
    rival.putSite({ auto_reply: true });
    // A person's confirmation starts a second job; both are worked on at once.
    await desk.decide(id, 'approve');
    let other: Promise<number> | undefined;
    await desk.work('reply', {
      at: async (point) => {
        if (point !== 'worked') return;
        other ??= rival.work('reply');
        await other;
      },
    });
    await other;
    expect(await desk.replies(id)).toHaveLength(1);
    expect(await desk.state(id)).toBe('AI_REPLIED');
    expect((await desk.events(id)).filter((type) => type === 'replied')).toHaveLength(1);
  });

  test('10: the database itself holds one current reply a parent', async () => {
    const { id } = await desk.post('One');
    await desk.work('audit');
    await desk.work('reply');
    const second = ground().database.query(
      `insert into comments_comment (id, state, version, state_since, site, article_id, parent_id, thread_id, author_kind,
              author_name, content, content_key, created_at, reply_wanted)
       select gen_random_uuid(), 'APPROVED', 1, state_since, site, article_id, parent_id, thread_id, 'ai', 'AI', 'x', 'x',
              created_at, false from comments_comment where parent_id = $1`,
      [id],
    );
    await expect(second).rejects.toThrow();
    expect(await desk.replies(id)).toHaveLength(1);
  });

  test('15: a model that is down for good leaves it to a person, with the cause and every attempt', async () => {
    desk.answer = () => {
      throw new CodedError('llm.unavailable', 'transient', 'the provider answered 500');
    };
    const { id } = await desk.post('Is anybody there?');
    await desk.work('audit');
    expect(await desk.state(id)).toBe('PENDING');
    for (let n = 0; n < 2; n += 1) {
      await ground().database.query(
        `update ${ground().database.schema}_jobs.job set start_after = now() - interval '1 second' where name = 'comments.audit.retry'`,
      );
      await desk.work('audit', { retries: true });
    }
    expect(await desk.state(id)).toBe('AUDIT_FAILED');
    expect(await desk.outcomes(id)).toEqual(Array(3).fill('audit failed'));
    const { rows } = await ground().database.query(
      `select decision, reasons -> 0 ->> 'code' as code, (select jsonb_array_length(attempts) from dead_letter where item = $1) as attempts
         from comments_verdict where comment = $1`,
      [id],
    );
    expect(rows).toEqual([{ decision: 'unsure', code: 'llm.unavailable', attempts: 3 }]);
    desk.answer = approving;
    expect(await desk.decide(id, 'reaudit')).toMatchObject({ state: 'PENDING' });
    await desk.work('audit');
    expect(await desk.state(id)).toBe('AI_REPLYING');
    await desk.work('reply');
  });

  describe('38: what a provider withholds', () => {
    test('is no approval', async () => {
      desk.answer = () => {
        throw new CodedError('llm.content_filter', 'permanent', 'the provider withheld the answer');
      };
      const { id } = await desk.post('Filtered');
      await desk.work('audit');
      expect(await desk.state(id)).toBe('AUDIT_FAILED');
      expect(await desk.outcomes(id)).toEqual(['audit failed']);
    });

    test('leaves the comment visible where it was the reply', async () => {
      desk.answer = (asked) => {
        if (!asked.system.includes('You answer one')) return approving(asked);
        throw new CodedError('llm.content_filter', 'permanent', 'the provider withheld the answer');
      };
      const { id } = await desk.post('Filtered reply');
      await desk.work('audit');
      await desk.work('reply');
      expect(await desk.state(id)).toBe('AI_REPLY_FAILED');
      expect(await desk.events(id)).toContain('published');
    });
  });

  test('41: the budget is used up: no call waits for tomorrow, a person decides', async () => {
    desk.answer = () => {
      throw new CodedError('llm.budget_exhausted', 'postponed', 'used up', { retryAfterSeconds: 50_000 });
    };
    const { id } = await desk.post('Costly');
    await desk.work('audit');
    expect(await desk.state(id)).toBe('AUDIT_FAILED');
    await desk.decide(id, 'reject');
    const other = await desk.post('Answer is costly');
    desk.answer = (asked) => {
      if (!asked.system.includes('You answer one')) return approving(asked);
      throw new CodedError('llm.budget_exhausted', 'postponed', 'used up', { retryAfterSeconds: 50_000 });
    };
    await desk.work('audit');
    await desk.work('reply');
    expect(await desk.comment(other.id)).toMatchObject({ state: 'APPROVED', replyWanted: false });
  });

  test('41: talking to the AI ends at the cap of its thread; its own words are never audited or answered', async () => {
    desk.putSite({ auto_reply: true, reply_limits: { per_thread: 3 } });
    let { id: parent } = await desk.post('Hello');
    const root = parent;
    for (let n = 0; n < 8; n += 1) {
      await desk.work('audit');
      await desk.work('reply');
      const [reply] = await desk.replies(parent);
      parent = (await desk.post(`Again ${n}`, { parent_id: reply?.id ?? parent })).id;
    }
    await desk.work('audit');
    expect(await desk.work('reply')).toBe(0);
    const { rows } = await ground().database.query<{ n: number; runs: number }>(
      `select count(*)::int as n, (select count(*)::int from run r join comments_comment a on a.id = r.item
                                    where a.author_kind = 'ai') as runs
         from comments_comment where thread_id = $1 and author_kind = 'ai'`,
      [root],
    );
    expect(rows).toEqual([{ n: 3, runs: 0 }]);
  });
});

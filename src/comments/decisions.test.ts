import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approving, type CommentDesk, openCommentDesk } from '../../test/harness/comment-desk.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';

onBothDatabases('decisions about comments', (ground) => {
  let desk: CommentDesk;
  beforeAll(async () => {
    desk = await openCommentDesk(ground());
  });
  beforeEach(() => {
    desk.answer = approving;
    desk.hasModel = true;
    desk.putSite({ auto_reply: true });
  });
  afterEach(async () => {
    expect(await desk.breaches()).toEqual([]);
  });

  /** A comment that AI answered. */
  const replied = async () => {
    const posted = await desk.post('How does this work?');
    await desk.work('audit');
    await desk.work('reply');
    expect(await desk.state(posted.id)).toBe('AI_REPLIED');
    return posted;
  };
  const held = async () => {
    desk.hasModel = false;
    const posted = await desk.post('Held for a person.');
    await desk.work('audit');
    desk.hasModel = true;
    expect(await desk.state(posted.id)).toBe('AUDIT_FAILED');
    return posted;
  };

  test('a takedown takes the reply along, a restoration returns both', async () => {
    const { id } = await replied();
    const [reply] = await desk.replies(id);
    expect(await desk.decide(id, 'reject', { reason: '广告' })).toMatchObject({ state: 'REJECTED', revision: 2 });
    expect(await desk.replies(id)).toEqual([]);
    expect(await desk.decide(id, 'restore')).toMatchObject({ state: 'AI_REPLIED', revision: 3 });
    expect(await desk.replies(id)).toEqual([reply]);
    expect(await desk.events(id)).toEqual(['published', 'replied', 'withdrawn', 'published']);
    expect(await desk.events(reply!.id)).toEqual(['published', 'withdrawn', 'published']);
  });

  test('a reply that is gone does not come back: the comment is only approved', async () => {
    const { id } = await replied();
    const [reply] = await desk.replies(id);
    await desk.decide(id, 'reject');
    await ground().database.query(`update comments_comment set answers_cv = 9 where id = $1`, [reply!.id]);
    expect(await desk.decide(id, 'restore')).toMatchObject({ state: 'APPROVED' });
    expect(await desk.replies(id)).toEqual([]);
  });

  test.each([
    ['approve', 'APPROVED'],
    ['reject', 'REJECTED'],
    ['reaudit', 'PENDING'],
  ] as const)('%s what was held: %s', async (decision, state) => {
    const { id } = await held();
    expect(await desk.decide(id, decision)).toMatchObject({ state, revision: 2 });
    await desk.work('audit');
    await desk.work('reply');
  });

  test('what a person rejected before it was ever shown returns to the queue; approving it shows it', async () => {
    const { id } = await held();
    await desk.decide(id, 'reject');
    expect(await desk.decide(id, 'restore')).toMatchObject({ state: 'AUDIT_FAILED' });
    await desk.decide(id, 'reject');
    expect(await desk.decide(id, 'approve')).toMatchObject({ state: 'APPROVED' });
  });

  test('what a machine rejected is shown by whoever restores it', async () => {
    desk.answer = () => ({ decision: 'reject', reason_code: 'spam', evidence: '' });
    const { id } = await desk.post('Is this spam?');
    await desk.work('audit');
    expect(await desk.decide(id, 'restore')).toMatchObject({ state: 'APPROVED' });
  });

  test('after a person approved, AI answers only where the site says so', async () => {
    const silent = await held();
    expect(await desk.decide(silent.id, 'approve')).toMatchObject({ state: 'APPROVED' });
    desk.putSite({ auto_reply: true, reply_after_human_approval: true });
    const { id } = await held();
    expect(await desk.decide(id, 'approve')).toMatchObject({ state: 'AI_REPLYING' });
    await desk.work('reply');
    expect(await desk.replies(id)).toHaveLength(1);
  });

  test('an audit may be asked for again and again', async () => {
    const { id } = await held();
    desk.answer = () => ({ decision: 'unsure', reason_code: 'unclear', evidence: '' });
    for (const revision of [2, 3, 4]) {
      expect(await desk.decide(id, 'reaudit')).toMatchObject({ state: 'PENDING', revision });
      await desk.work('audit');
      expect(await desk.state(id)).toBe('AUDIT_FAILED');
    }
    expect(await desk.outcomes(id)).toEqual(Array(4).fill('audit accepted'));
  });

  test('what does not fit the state is refused and journalled', async () => {
    const { id } = await replied();
    for (const decision of ['restore', 'reaudit'] as const) {
      await expect(desk.decide(id, decision)).rejects.toMatchObject({ code: 'core.edge_missing' });
    }
    const { rows } = await ground().database.query(`select from journal where item = $1 and kind = 'refused'`, [id]);
    expect(rows).toHaveLength(2);
  });

  test('who comes too late is told what happened', async () => {
    const { id } = await held();
    await desk.decide(id, 'reject', { reason: 'no', actorId: 'first' });
    await expect(desk.decide(id, 'approve', { expectedRevision: 1, actorId: 'second' })).rejects.toMatchObject({
      code: 'core.revision_stale',
      detail: {
        revision: 2,
        content: 'Held for a person.',
        decided: { decision: 'reject', reason: 'no', decided_by: 'first' },
      },
    });
  });

  test('the same request again changes nothing', async () => {
    const { id } = await held();
    const first = await desk.decide(id, 'approve', { expectedRevision: 1 });
    expect(await desk.decide(id, 'approve', { expectedRevision: 1 })).toEqual({ id, ...first });
    expect(await desk.events(id)).toEqual(['published']);
  });

  test('a person is not refused because a machine went on', async () => {
    const { id } = await desk.post('Seen while pending');
    await desk.work('audit');
    expect(await desk.decide(id, 'reject', { expectedRevision: 1 })).toMatchObject({ state: 'REJECTED', revision: 2 });
    // The reply's job finds its work gone.
    await desk.work('reply');
    expect(await desk.outcomes(id)).toEqual(['audit accepted', 'reply skipped']);
  });

  test('confirming what AI is about to answer does not lose the answer', async () => {
    const { id } = await desk.post('Confirm me');
    await desk.work('audit');
    expect(await desk.decide(id, 'approve')).toMatchObject({ state: 'AI_REPLYING', revision: 2 });
    await desk.work('reply');
    expect(await desk.state(id)).toBe('AI_REPLIED');
    expect(await desk.replies(id)).toHaveLength(1);
  });

  test('an edit of what a person rejected is a draft until a person approves it', async () => {
    const posted = await held();
    await desk.decide(posted.id, 'reject');
    expect(await desk.edit(posted, 'In better words.')).toMatchObject({ state: 'REJECTED', draft: true });
    expect(await desk.comment(posted.id)).toMatchObject({
      content: 'Held for a person.',
      contentVersion: 1,
      revision: 3,
    });
    expect(await desk.work('audit')).toBe(0);
    await expect(desk.decide(posted.id, 'approve', { expectedRevision: 2 })).rejects.toMatchObject({
      code: 'core.revision_stale',
    });
    await desk.decide(posted.id, 'approve');
    expect(await desk.comment(posted.id)).toMatchObject({
      state: 'APPROVED',
      content: 'In better words.',
      contentVersion: 2,
    });
  });

  test('an edit of what a machine rejected is audited', async () => {
    desk.answer = () => ({ decision: 'reject', reason_code: 'spam', evidence: '' });
    const posted = await desk.post('Spam?');
    await desk.work('audit');
    desk.answer = approving;
    expect(await desk.edit(posted, 'No spam.')).toMatchObject({ state: 'PENDING', draft: false });
    await desk.work('audit');
    await desk.work('reply');
    expect(await desk.state(posted.id)).toBe('AI_REPLIED');
  });

  test('nobody decides about what was deleted', async () => {
    const posted = await replied();
    await desk.remove(posted);
    await expect(desk.decide(posted.id, 'approve')).rejects.toMatchObject({ code: 'comments.gone' });
    expect(await desk.replies(posted.id)).toEqual([]);
  });

  describe('of AI', () => {
    test('a caps a thread and a day', async () => {
      desk.putSite({ auto_reply: true, reply_limits: { per_thread: 1 } });
      const { id } = await replied();
      const second = await desk.post('And then?', { parent_id: id });
      await desk.work('audit');
      expect(await desk.state(second.id)).toBe('APPROVED');
      desk.putSite({ auto_reply: true, reply_limits: { per_day: 0 } });
      const third = await desk.post('Another thread');
      await desk.work('audit');
      expect(await desk.state(third.id)).toBe('APPROVED');
    });

    test('a reply that fails is tried again without another audit', async () => {
      desk.answer = (asked) => (asked.system.includes('You answer one') ? { reply: ' ' } : approving(asked));
      const { id } = await desk.post('Try me');
      await desk.work('audit');
      await desk.work('reply');
      expect(await desk.state(id)).toBe('AI_REPLY_FAILED');
      expect(await desk.outcomes(id)).toEqual(['audit accepted', 'reply failed']);
    });

    test('the switch turned off meanwhile lets the comment rest without a reply', async () => {
      const { id } = await desk.post('Off');
      await desk.work('audit');
      expect(await desk.state(id)).toBe('AI_REPLYING');
      desk.putSite({ auto_reply: false });
      await desk.work('reply');
      expect(await desk.comment(id)).toMatchObject({ state: 'APPROVED', replyWanted: false });
    });
  });
});

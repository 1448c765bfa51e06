import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commenting, FOR_REPLY, startAuditor, VERDICT } from '../../test/harness/commenting.ts';
import { onBothSites, until } from '../../test/harness/site.ts';
import type { ScriptInput } from '../models/mock/index.ts';

const SCRIPT: ScriptInput = {
  answers: [
    { when: FOR_REPLY, reply: { reply: 'A reply.' } },
    { when: { contains: 'buy' }, reply: VERDICT.reject },
    { when: { contains: 'hmm' }, reply: VERDICT.unsure },
    { reply: VERDICT.approve },
  ],
};
const auditor = await startAuditor(SCRIPT);
afterAll(() => auditor.mock.stop());

/** Collected complaints about other systems: who sees what, and where it stands. */
onBothSites(
  'cases A to C over HTTP',
  (site) => {
    const { call, asAnybody, putSites, post, settled, list } = commenting(site);
    const decide = (id: string, decision: string, expected_revision: number) =>
      call('POST', `/comments/${id}/decision`, { json: { decision, expected_revision } });
    const database = () => site().house.database;

    beforeAll(() => auditor.play(SCRIPT));
    beforeAll(() =>
      putSites({ id: 's', origins: [] }, { id: 'other', origins: [] }, { id: 'ai', origins: [], auto_reply: true }),
    );

    test('1: twenty requests under one key are one comment', async () => {
      const comment = { site: 's', article_id: 'one', author: { name: 'n' }, content: '第二段的缓存失效怎么处理？' };
      const send = (content = comment.content) =>
        fetch(`${site().address}/api/v1/comments`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1' },
          body: JSON.stringify({ ...comment, content }),
        }).then(async (response) => ({
          status: response.status,
          body: (await response.json()) as { id: string; status_token: string },
        }));
      const answers = await Promise.all(Array.from({ length: 20 }, () => send()));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      await settled(answers[0]!.body.status_token);
      const { rows } = await database().query(
        `select (select count(*)::int from comments_comment where article_id = 'one') as comments,
                (select count(*)::int from run where item = $1) as runs`,
        [answers[0]!.body.id],
      );
      expect(rows).toEqual([{ comments: 1, runs: 1 }]);
      expect(await send('something else')).toMatchObject({
        status: 422,
        body: { error: { code: 'request.key_reused' } },
      });
    });

    test('13: of a batch each is told what became of it', async () => {
      const held = await Promise.all(
        Array.from({ length: 12 }, (_, n) => post({ site: 's', article_id: 'b', content: `hmm ${n}` })),
      );
      for (const one of held) await settled(one.status_token);
      const [stale, gone, ...rest] = held as [(typeof held)[0], (typeof held)[0], ...typeof held];
      const foreign = await post({ site: 'other', content: 'hmm' });
      await settled(foreign.status_token);
      await decide(stale.id, 'reject', 1);
      await asAnybody('DELETE', `/comments/${gone.id}?status_token=${gone.status_token}`);
      const ids = [stale, gone, foreign, ...rest].map(({ id }) => id);
      const json = { site: 's', items: ids.map((id) => ({ id, decision: 'approve', expected_revision: 1 })) };
      const first = await call('POST', '/comments/decisions', { json });
      expect(first.body.items.map((one: { error: { code: string } | null }) => one.error?.code ?? 'done')).toEqual([
        ...['core.revision_stale', 'comments.gone', 'comments.comment_unknown'],
        ...rest.map(() => 'done'),
      ]);
      // 14: its answer is lost and it is sent again: nothing more happens.
      const again = await call('POST', '/comments/decisions', { json });
      expect(again.body.items.slice(3)).toEqual(first.body.items.slice(3));
      expect((await call('GET', `/trace/${rest[0]!.id}`)).body.events).toHaveLength(1);
    });

    describe('17: what is not shown', () => {
      test.each([
        ['buy 17', 'REJECTED'],
        ['hmm 17', 'AUDIT_FAILED'],
      ])('%s', async (content, state) => {
        const { id, status_token } = await post({ site: 's', article_id: 'hidden', content });
        expect(await settled(status_token)).toMatchObject({ state, content });
        const readers = [
          `/comments?site=s&article_id=hidden`,
          `/comments?site=s&article_id=hidden&around=${id}`,
          `/comments/counts?site=s&article_ids=hidden`,
          `/comments/${id}/locate`,
          `/comments/${id}/replies`,
        ];
        for (const path of readers) {
          const told = await asAnybody('GET', path);
          expect(JSON.stringify(told.body)).not.toContain(content);
          if (path.includes(id)) expect(told.status).toBe(404);
          else expect(told.body.count ?? told.body.items[0].count).toBe(0);
        }
        expect((await asAnybody('GET', `/comments/${id}`)).status).toBe(401);
        expect((await call('GET', `/comments/${id}`)).body).toMatchObject({
          content,
          state,
          verdicts: [{}],
          history: [{}, {}],
        });
        expect(
          (
            await asAnybody('POST', '/comments', {
              site: 's',
              article_id: 'hidden',
              parent_id: id,
              author: { name: 'n' },
              content: 'c',
            })
          ).body.error.code,
        ).toBe('comments.parent_hidden');
      });
    });

    test('18: a takedown changes the mark of the list', async () => {
      const { id, status_token } = await post({ site: 's', article_id: 'etag', content: 'shown' });
      await settled(status_token);
      const read = (etag?: string) =>
        fetch(
          `${site().address}/api/v1/comments?site=s&article_id=etag`,
          etag ? { headers: { 'if-none-match': etag } } : {},
        );
      const etag = (await read()).headers.get('etag')!;
      expect((await read(etag)).status).toBe(304);
      await decide(id, 'reject', 1);
      const after = await read(etag);
      expect([after.status, ((await after.json()) as { count: number }).count]).toEqual([200, 0]);
    });

    test('19: a pinned thread stands first, and is gone when it is rejected', async () => {
      const posted: { id: string; status_token: string }[] = [];
      for (const n of [1, 2, 3]) posted.push(await post({ site: 's', article_id: 'pin', content: `text ${n}` }));
      for (const one of posted) await settled(one.status_token);
      const last = posted[2]!.id;
      expect((await call('POST', `/comments/${last}/pin`, { json: { pinned: true } })).status).toBe(200);
      for (const order of ['oldest', 'newest']) {
        expect((await list(`site=s&article_id=pin&order=${order}`)).items[0].id).toBe(last);
        expect((await asAnybody('GET', `/comments/${last}/locate?order=${order}`)).body).toMatchObject({
          page: 1,
          index: 0,
        });
      }
      await decide(last, 'reject', 1);
      expect((await list('site=s&article_id=pin')).items.map(({ id }) => id)).toEqual(
        posted.slice(0, 2).map(({ id }) => id),
      );
    });

    test('21: counts, pages and the list agree', async () => {
      const posted = await Promise.all(
        Array.from({ length: 21 }, (_, n) =>
          post({ site: 's', article_id: 'pages', content: n < 10 ? `fine ${n}` : `buy ${n}` }),
        ),
      );
      for (const one of posted) await settled(one.status_token);
      expect(await list('site=s&article_id=pages&size=10')).toMatchObject({
        total: 10,
        count: 10,
        pages: 1,
        next_cursor: null,
      });
      expect(await list('site=s&article_id=pages&size=10&page=2')).toMatchObject({ items: [], total: 10 });
      expect((await asAnybody('GET', '/comments/counts?site=s&article_ids=pages,nothing')).body.items).toEqual([
        { article_id: 'pages', count: 10 },
        { article_id: 'nothing', count: 0 },
      ]);
    });

    test('22, 23: its author finds it by the token, which opens nothing else and is kept by no cache', async () => {
      const { id, status_token } = await post({ site: 's', article_id: 'mine', content: 'hmm, mine' });
      await settled(status_token);
      const told = await asAnybody('GET', `/comments/status/${status_token}`);
      expect(told.headers.get('cache-control')).toBe('private, no-store');
      expect(told.headers.get('set-cookie')).toBeNull();
      expect((await asAnybody('GET', `/comments/status/${id}`)).status).toBe(404);
    });

    describe('25: comments of the same instant have one order, and each is found', () => {
      const placed: string[] = [];
      beforeAll(async () => {
        const posted = await Promise.all(
          Array.from({ length: 25 }, (_, n) => post({ site: 's', article_id: 'instant', content: `at once ${n}` })),
        );
        for (const one of posted) await settled(one.status_token);
        await database().query(
          `update comments_comment set created_at = '2026-07-01T00:00:00Z' where article_id = 'instant'`,
        );
        placed.push(...posted.map(({ id }) => id));
      });

      test.each(['oldest', 'newest'])('%s first', async (order) => {
        for (const id of placed) {
          const { body } = await asAnybody('GET', `/comments/${id}/locate?size=7&order=${order}`);
          const page = await list(`site=s&article_id=instant&size=7&order=${order}&page=${body.page}`);
          expect(page.items[body.index].id).toBe(id);
          expect(page.list_version).toBe(body.list_version);
          expect((await list(`site=s&article_id=instant&size=7&order=${order}&around=${id}`)).page).toBe(body.page);
        }
      });

      test.each(['oldest', 'newest'])('%s first, all pages by cursor: each once', async (order) => {
        const seen: string[] = [];
        for (let cursor = ''; ; ) {
          const page = await list(`site=s&article_id=instant&size=4&order=${order}${cursor}`);
          seen.push(...page.items.map(({ id }) => id));
          if (page.next_cursor === null) break;
          cursor = `&cursor=${page.next_cursor}`;
        }
        expect(seen).toHaveLength(25);
        expect(new Set(seen)).toEqual(new Set(placed));
      });

      test('a list that moved meanwhile says so', async () => {
        const [id] = placed as [string];
        const before = (await asAnybody('GET', `/comments/${id}/locate?size=7&order=newest`)).body;
        for (const n of [1, 2])
          await settled((await post({ site: 's', article_id: 'instant', content: `later ${n}` })).status_token);
        const page = await list(`site=s&article_id=instant&size=7&order=newest&page=${before.page}`);
        expect(page.list_version).not.toBe(before.list_version);
        const after = (await asAnybody('GET', `/comments/${id}/locate?size=7&order=newest`)).body;
        expect(after.list_version).toBe(page.list_version);
      });
    });

    test('replies have pages of their own; the place of one says which', async () => {
      const root = await post({ site: 's', article_id: 'replies', content: 'root' });
      await settled(root.status_token);
      const replies: { id: string; status_token: string }[] = [];
      for (let n = 0; n < 7; n += 1) {
        const parent_id = n < 4 ? root.id : replies[n - 1]!.id;
        replies.push(
          await post({ site: 's', article_id: 'replies', parent_id, content: n === 2 ? 'buy' : `reply ${n}` }),
        );
        await settled(replies[n]!.status_token);
      }
      const shown = replies.filter((_, n) => n !== 2);
      for (const [n, { id }] of shown.entries()) {
        const { body } = await asAnybody('GET', `/comments/${id}/locate?reply_size=2`);
        expect(body).toMatchObject({ thread_id: root.id, page: 1, reply_page: Math.floor(n / 2) + 1, index: n % 2 });
        const page = (await asAnybody('GET', `/comments/${root.id}/replies?size=2&page=${body.reply_page}`)).body;
        expect(page.items[body.index].id).toBe(id);
        expect(page).toMatchObject({ total: 6, pages: 3 });
      }
      const { items } = await list('site=s&article_id=replies&reply_size=2');
      expect(items[0].replies).toMatchObject({
        total: 6,
        pages: 3,
        items: [{ id: shown[0]!.id }, { id: shown[1]!.id }],
      });
    });

    test('27: what is not here is not found, and nothing else is told', async () => {
      const { id, status_token } = await post({ site: 's', article_id: 'here', content: 'here' });
      await settled(status_token);
      for (const path of [
        '/comments/999999/locate',
        '/comments/1e3/locate',
        '/comments/%3Cscript%3E/locate',
        '/comments/00000000-0000-7000-8000-000000000000/locate',
        `/comments?site=s&article_id=elsewhere&around=${id}`,
      ]) {
        const { status, body } = await asAnybody('GET', path);
        expect([404, 422]).toContain(status);
        expect(JSON.stringify(body)).not.toContain('here"');
      }
    });

    test('33: more than a comment may be is refused before it is read', async () => {
      const huge = await asAnybody('POST', '/comments', {
        site: 's',
        article_id: 'a',
        author: { name: 'n' },
        content: 'x'.repeat(2_000_000),
      });
      expect([huge.status, huge.body.error.code]).toEqual([413, expect.stringMatching(/too_large$/)]);
      for (const content of ['>'.repeat(9_999), '['.repeat(9_999), 'w'.repeat(9_999), '@a '.repeat(400)]) {
        await post({ site: 's', article_id: 'odd', content });
      }
      expect(
        (
          await asAnybody('POST', '/comments', {
            site: 's',
            article_id: 'a',
            author: { name: 'n' },
            content: '好'.repeat(10_001),
          })
        ).status,
      ).toBe(422);
    });

    test('53: whoever is to be told may hang: nobody who posts waits for it', async () => {
      const { state } = await post({ site: 's', article_id: 'hook', content: 'told later' });
      expect(state).toBe('PENDING');
    });

    test('the queue tells why, in what it stands, and who is at work on it', async () => {
      await call('PUT', '/comments/articles', { json: { items: [{ site: 's', article_id: 'ctx', title: '缓存' }] } });
      const root = await post({ site: 's', article_id: 'ctx', content: 'a root' });
      await settled(root.status_token);
      const { id, status_token } = await post({ site: 's', article_id: 'ctx', parent_id: root.id, content: 'hmm?' });
      await settled(status_token);
      const read = async () => (await call('GET', '/comments/queue?site=s&article_id=ctx&reason=unclear')).body.items;
      expect(await read()).toMatchObject([
        {
          ...{ id, state: 'AUDIT_FAILED', revision: 1, waits_for: ['audit_failed'], claim: null },
          verdict: { decision: 'unsure', by: 'model', model: 'auditor', reasons: [{ code: 'unclear', rule: 'model' }] },
          context: { article_title: '缓存', parent_content: 'a root' },
        },
      ]);
      expect((await call('POST', `/comments/${id}/claim`)).status).toBe(200);
      expect(await read()).toMatchObject([{ claim: { by: 'master' } }]);
      const { body: other } = await call('POST', '/accounts/keys', { json: { name: 'second', role: 'moderator' } });
      const late = await call('POST', `/comments/${id}/decision`, {
        key: other.key,
        json: { decision: 'approve', expected_revision: 1 },
      });
      expect([late.status, late.body.error.code]).toEqual([409, 'comments.claimed']);
      expect((await call('POST', `/comments/${id}/decision`, { json: { decision: 'approve' } })).status).toBe(422);
      const decided = await decide(id, 'approve', 1);
      expect(decided.body).toMatchObject({ state: 'APPROVED', revision: 2 });
      const undone = await call('POST', `/comments/${id}/undo`, { json: { expected_revision: 2 } });
      expect(undone.body).toMatchObject({ state: 'AUDIT_FAILED' });
      expect(await read()).toHaveLength(1);
      expect(
        (await call('POST', `/comments/${id}/undo`, { json: { expected_revision: undone.body.revision } })).status,
      ).toBe(409);
    });

    test('a reply that failed is tried again by a person, without another audit', async () => {
      await auditor.play({ answers: [{ when: FOR_REPLY, reply: { reply: '' } }, { reply: VERDICT.approve }] });
      const { id, status_token } = await post({ site: 'ai', content: 'try again' });
      expect(await settled(status_token)).toMatchObject({
        state: 'AI_REPLY_FAILED',
        ai_reply: null,
        need_ai_reply: false,
      });
      expect((await list('site=ai&article_id=a')).count).toBe(1);
      await auditor.play({ answers: [{ when: FOR_REPLY, reply: { reply: 'Now.' } }] });
      await call('POST', `/comments/${id}/retry-reply`, { json: { expected_revision: 1 } });
      await until(async () =>
        expect(await settled(status_token)).toMatchObject({ state: 'AI_REPLIED', ai_reply: { content: 'Now.' } }),
      );
    });
  },
  { env: auditor.env },
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commenting, FOR_REPLY, startAuditor, VERDICT } from '../../test/harness/commenting.ts';
import { onBothSites, until } from '../../test/harness/site.ts';

const auditor = await startAuditor({
  answers: [
    { when: FOR_REPLY, reply: { reply: '谢谢，缓存失效的部分在第三节。' } },
    { when: { contains: 'buy' }, reply: VERDICT.reject },
    { when: { contains: 'hmm' }, reply: VERDICT.unsure },
    { reply: VERDICT.approve },
  ],
});
afterAll(() => auditor.mock.stop());

onBothSites(
  'comments',
  (site) => {
    const { call, asAnybody, statusOf, putSites, post, settled, list } = commenting(site);
    const ORIGIN = 'https://blog.example';

    beforeAll(() =>
      putSites(
        { id: 'quiet', origins: [ORIGIN], owner_emails: ['owner@blog.example'] },
        { id: 'talking', origins: [ORIGIN], auto_reply: true, reply_name: '小助手' },
      ),
    );

    test('an approved one is shown, its author follows it', async () => {
      const { id, status_token, state } = await post({ site: 'quiet', article_id: 'p1', content: '第二段怎么处理？' });
      expect(state).toBe('PENDING');
      expect(await settled(status_token)).toMatchObject({
        ...{ id, state: 'APPROVED', need_ai_reply: false, ai_reply: null, article_id: 'p1', thread_id: id },
        ...{ reject_reason: null, terminal: true, content: '第二段怎么处理？' },
      });
      const { items, total, count, pages } = await list('site=quiet&article_id=p1');
      expect({ total, count, pages }).toEqual({ total: 1, count: 1, pages: 1 });
      expect(items[0]).toMatchObject({ id, parent_id: null, tombstone: false, content: '第二段怎么处理？' });
      expect(JSON.stringify(items)).not.toContain('@example.org');
    });

    test.each([
      ['buy this', 'REJECTED', 'spam'],
      ['hmm', 'AUDIT_FAILED', null],
    ])('%s becomes %s and nobody else sees it', async (content, state, reject_reason) => {
      const { status_token } = await post({ site: 'quiet', article_id: `p-${state}`, content });
      expect(await settled(status_token)).toMatchObject({ state, reject_reason, content });
      expect(await list(`site=quiet&article_id=p-${state}`)).toMatchObject({ items: [], total: 0, count: 0 });
    });

    test('AI answers where the site wants it, below the comment', async () => {
      const { id, status_token } = await post({ site: 'talking', article_id: 'p2', content: '缓存失效？' });
      const { state, ai_reply, need_ai_reply } = await settled(status_token);
      expect({ state, need_ai_reply, content: ai_reply.content }).toEqual({
        ...{ state: 'AI_REPLIED', need_ai_reply: false },
        content: '谢谢，缓存失效的部分在第三节。',
      });
      const { items, count } = await list('site=talking&article_id=p2');
      expect(count).toBe(2);
      expect(items[0].replies.items).toMatchObject([
        { id: ai_reply.id, parent_id: id, thread_id: id, author: { name: '小助手', kind: 'ai' } },
      ]);
      const trace = (await call('GET', `/trace/${id}`)).body;
      expect(trace.journal.map((one: { to: string; actor: string }) => [one.to, one.actor])).toEqual([
        ['PENDING', 'author'],
        ['APPROVED', 'ai'],
        ['AI_REPLYING', 'system'],
        ['AI_REPLIED', 'ai'],
      ]);
      expect(trace.events.map(({ type }: { type: string }) => type)).toEqual([
        'comments.comment.published',
        'comments.comment.replied',
      ]);
    });

    test("the owner's are shown at once, if a key is shown with the owner's address", async () => {
      const comment = {
        site: 'quiet',
        article_id: 'p3',
        content: 'Welcome',
        author: { name: 'O', email: 'OWNER@blog.example' },
      };
      const { body } = await call('POST', '/comments', { json: comment });
      expect(body.state).toBe('APPROVED');
      expect((await asAnybody('POST', '/comments', comment)).body.state).toBe('PENDING');
      const { items } = await list('site=quiet&article_id=p3');
      expect(items[0].author).toEqual({ name: 'O', url: null, kind: 'owner' });
    });

    describe('posting', () => {
      const good = { site: 'quiet', article_id: 'p4', author: { name: 'n' }, content: 'c' };
      test.each([
        ['an unknown site', { site: 'elsewhere' }, 404, 'comments.site_unknown'],
        ['no content', { content: ' \n ' }, 422, 'request.invalid'],
        ['NUL', { content: 'a\0b' }, 422, 'request.invalid'],
        ['half a surrogate', { content: 'a\ud800' }, 422, 'request.invalid'],
        ['a script for an address', { author: { name: 'n', url: 'JaVa\tScRiPt:alert(1)' } }, 422, 'request.invalid'],
        ['data for an address', { author: { name: 'n', url: 'data:text/html,x' } }, 422, 'request.invalid'],
        ['a line break in the name', { author: { name: 'a\nb' } }, 422, 'request.invalid'],
        ['a field that nobody knows', { state: 'APPROVED' }, 422, 'request.invalid'],
        [
          'a parent that is nowhere',
          { parent_id: '00000000-0000-7000-8000-000000000000' },
          404,
          'comments.parent_unknown',
        ],
      ])('refuses %s', async (_, changes, status, code) => {
        const answer = await asAnybody('POST', '/comments', { ...good, ...changes });
        expect([answer.status, answer.body.error.code]).toEqual([status, code]);
      });

      test('refuses pages of other origins, lets those of the site read', async () => {
        const send = (origin: string) =>
          fetch(`${site().address}/api/v1/comments`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', origin },
            body: JSON.stringify(good),
          });
        const refused = await send('https://evil.example');
        expect(refused.status).toBe(403);
        expect(refused.headers.get('access-control-allow-origin')).toBeNull();
        const taken = await send(ORIGIN);
        expect([taken.status, taken.headers.get('access-control-allow-origin')]).toEqual([201, ORIGIN]);
        const asked = await fetch(`${site().address}/api/v1/comments`, {
          method: 'OPTIONS',
          headers: { origin: ORIGIN },
        });
        expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, ORIGIN]);
      });

      test('keeps four-byte text as it is', async () => {
        const content = '👩‍👩‍👧‍👦🏳️‍🌈𠮷野家';
        const { status_token } = await post({ site: 'quiet', article_id: 'p5', content });
        expect((await settled(status_token)).content).toBe(content);
      });
    });

    describe('its author', () => {
      test('changes it while the window is open: audited again, withdrawn meanwhile', async () => {
        const { id, status_token } = await post({ site: 'talking', article_id: 'p6', content: 'first' });
        const before = await settled(status_token);
        expect(before.state).toBe('AI_REPLIED');
        const edited = await asAnybody('PATCH', `/comments/${id}`, { content: 'second', status_token });
        expect(edited).toMatchObject({ status: 200, body: { id, state: 'PENDING', draft: false } });
        const after = await until(async () => {
          const status = await settled(status_token);
          expect(status.ai_reply?.id).not.toBe(before.ai_reply.id);
          return status;
        });
        expect(after).toMatchObject({ state: 'AI_REPLIED', content: 'second' });
        expect((await list('site=talking&article_id=p6')).count).toBe(2);
        const types = (await call('GET', `/trace/${id}`)).body.events.map(({ type }: { type: string }) =>
          type.slice(17),
        );
        expect(types).toEqual(['published', 'replied', 'withdrawn', 'published', 'replied']);
      });

      test('and nobody else changes or deletes it', async () => {
        const { id } = await post({ site: 'quiet', article_id: 'p7', content: 'mine' });
        const other = await post({ site: 'quiet', article_id: 'p7', content: 'other' });
        const wrong = { content: 'x', status_token: other.status_token };
        expect((await asAnybody('PATCH', `/comments/${id}`, wrong)).status).toBe(404);
        expect((await asAnybody('DELETE', `/comments/${id}?status_token=${other.status_token}`)).status).toBe(404);
        expect((await asAnybody('DELETE', `/comments/${id}`)).status).toBe(404);
      });

      test('deletes it: a tombstone while replies are visible, the text is gone', async () => {
        const root = await post({ site: 'quiet', article_id: 'p8', content: 'root text' });
        await settled(root.status_token);
        const reply = await post({ site: 'quiet', article_id: 'p8', parent_id: root.id, content: 'reply' });
        expect(await settled(reply.status_token)).toMatchObject({ state: 'APPROVED' });
        expect((await asAnybody('DELETE', `/comments/${root.id}?status_token=${root.status_token}`)).status).toBe(204);
        const { items, count, total } = await list('site=quiet&article_id=p8');
        expect({ count, total }).toEqual({ count: 1, total: 1 });
        expect(items[0]).toMatchObject({ id: root.id, tombstone: true, content: null, author: null });
        expect(items[0].replies.items).toMatchObject([{ id: reply.id, content: 'reply' }]);
        const again = await asAnybody('DELETE', `/comments/${root.id}?status_token=${root.status_token}`);
        expect(again.status).toBe(410);
        await asAnybody('DELETE', `/comments/${reply.id}?status_token=${reply.status_token}`);
        expect(await list('site=quiet&article_id=p8')).toMatchObject({ items: [], count: 0, total: 0, pages: 0 });
        const { rows } = await site().house.database.query(
          'select content, author_name from comments_comment where id = $1',
          [root.id],
        );
        expect(rows).toEqual([{ content: '', author_name: '' }]);
      });

      test('is told nothing by a token that is none', async () => {
        expect((await statusOf('nonsense')).error.code).toBe('comments.status_unknown');
      });
    });

    test('a stream tells every change, resumes, and ends', async () => {
      const { status_token } = await post({ site: 'talking', article_id: 'p9', content: 'stream me' });
      const url = `${site().address}/api/v1/comments/status/${status_token}/stream`;
      const response = await fetch(url);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
        'cache-control': expect.stringContaining('no-transform'),
      });
      const told = await response.text();
      const states = [...told.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!).state);
      expect(states.at(-1)).toBe('AI_REPLIED');
      expect(new Set(states).size).toBe(states.length);
      const last = [...told.matchAll(/^id: (\d+)$/gm)].at(-1)![1]!;
      expect((await fetch(url, { headers: { 'last-event-id': last } })).status).toBe(204);
      expect(await (await fetch(url, { headers: { 'last-event-id': '1' } })).text()).toContain('AI_REPLIED');
    });
  },
  { env: auditor.env },
);

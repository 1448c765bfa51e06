import { afterAll, beforeAll, expect, test } from 'vitest';
import { commenting, startAuditor, VERDICT } from '../../test/harness/commenting.ts';
import { onBothSites, until } from '../../test/harness/site.ts';

const auditor = await startAuditor({ answers: [{ reply: VERDICT.approve }] });
afterAll(() => auditor.mock.stop());

const LISTS = { word_lists: [{ id: 'ads', words: ['加微信'], means: 'reject' }] };

onBothSites(
  're-auditing',
  (site) => {
    const { call, putSites, putPolicy, post, settled, statusOf, list } = commenting(site);
    const ids = new Map<string, { id: string; status_token: string }>();
    const id = (name: string) => ids.get(name)!.id;
    const state = async (name: string) => (await statusOf(ids.get(name)!.status_token)).state;
    const replay = async (json: Record<string, unknown>) => {
      const { status, body } = await call('POST', '/replay', {
        json: { service: 'comments', action: 're-audit', ...json },
      });
      expect(status, JSON.stringify(body)).toBe(202);
      return until(async () => {
        const batch = (await call('GET', `/replay/${body.batch}`)).body;
        expect(batch.state).toBe('done');
        return batch;
      });
    };
    const queue = async (query = '') => (await call('GET', `/comments/queue?${query}`)).body.items;

    beforeAll(async () => {
      await putSites({ id: 's', origins: [] });
      for (const [name, content] of [
        ['ad', '加微信领取'],
        ['human', '加微信，不过有人看过'],
        ['fine', '写得好'],
      ] as const) {
        const posted = await post({ site: 's', content });
        ids.set(name, posted);
        expect(await settled(posted.status_token)).toMatchObject({ state: 'APPROVED' });
      }
      const decision = { decision: 'approve', expected_revision: 1 };
      expect((await call('POST', `/comments/${id('human')}/decision`, { json: decision })).status).toBe(200);
    });

    test('a draft is tried and measured, and nothing is written', async () => {
      const trial = { service: 'comments', action: 're-audit', scope: { all: true }, rules: LISTS };
      const { body } = await call('POST', '/replay/trial', { json: trial });
      expect(body).toMatchObject({
        ...{ tried: 2, changed_items: 1, moves: { 'APPROVED → REJECTED': 1 }, by_field: { decision: 1, state: 1 } },
        changes: [
          { id: id('ad'), field: 'decision', before: 'approve', after: 'reject' },
          { id: id('ad'), field: 'state', before: 'APPROVED', after: 'REJECTED' },
        ],
      });
      const measured = await call('POST', '/replay/measure', {
        json: { service: 'comments', action: 're-audit', rules: { items: [LISTS] } },
      });
      expect(measured.body).toMatchObject({
        fields: {
          decision: { labels: 1, before: 1, after: 0 },
          'decision:approve': { labels: 1, before: 1, after: 0 },
        },
        changes: [{ id: id('human'), before: 'approve', after: 'reject', label: 'approve' }],
      });
      expect(await state('ad')).toBe('APPROVED');
    });

    test('it proposes unless it is told to act, and leaves alone what people decided', async () => {
      await putPolicy(LISTS);
      const asked = { service: 'comments', action: 're-audit', scope: { filter: { site: 's', stale: true } } };
      expect((await call('POST', '/replay/preview', { json: asked })).body).toMatchObject({
        ...{ items: 3, human_decided: 1, stale: 3, model_calls: 2 },
      });
      expect((await replay({ scope: { all: true } })).progress).toEqual({ accepted: 2, skipped: 1 });
      expect(await state('ad')).toBe('APPROVED');
      expect(await queue()).toMatchObject([
        {
          ...{ id: id('ad'), waits_for: ['suggestion'] },
          suggestion: { decision: 'reject', to_state: 'REJECTED', reasons: [{ code: 'word', evidence: '加微信' }] },
        },
      ]);
    });

    test('told to act, it takes away and brings back, and tells so', async () => {
      await replay({ scope: { filter: { rule: 'words:ads' } }, mode: 'apply' });
      expect([await state('ad'), await state('human'), await state('fine')]).toEqual([
        'REJECTED',
        'APPROVED',
        'APPROVED',
      ]);
      expect(await queue()).toEqual([]);
      expect((await list('site=s&article_id=a')).count).toBe(2);
      await putPolicy({});
      await replay({ scope: { ids: [id('ad')] }, mode: 'apply' });
      expect(await state('ad')).toBe('APPROVED');
      const { events } = (await call('GET', `/trace/${id('ad')}`)).body;
      expect(events.map(({ type, origin }: { type: string; origin: string }) => `${type.slice(17)} ${origin}`)).toEqual(
        ['published live', 'withdrawn replay', 'published replay'],
      );
    });

    test('what a person decided before is set aside only where this is asked for', async () => {
      await putPolicy(LISTS);
      await replay({ scope: { ids: [id('human')] }, mode: 'apply', include_human: true });
      expect(await state('human')).toBe('REJECTED');
    });

    test('agreement is told by rule and model', async () => {
      const { items } = (await call('GET', '/comments/reports/agreement?site=s')).body;
      expect(items).toEqual([
        {
          ...{ rule: 'model', model: 'auditor', decided: 1, agreed: 1, wrongly_rejected: 0, wrongly_approved: 0 },
          ...{ unsure_approved: 0, unsure_rejected: 0, numerator: 1, denominator: 1, rate: 1 },
          interval: { low: expect.closeTo(0.2065, 3), high: 1 },
        },
      ]);
    });

    test.each([
      [{ type: 'x' }, 'replay.scope_unsupported'],
      [{ ids: ['x'] }, 'replay.scope_unsupported'],
      [{ filter: { colour: 'red' } }, 'request.invalid'],
    ])('scope %o is refused', async (scope, code) => {
      const { status, body } = await call('POST', '/replay', {
        json: { service: 'comments', action: 're-audit', scope },
      });
      expect([status, body.error.code]).toEqual([422, code]);
    });
  },
  { env: auditor.env },
);

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onBothSites, openSite, type Site, until } from '../../test/harness/site.ts';
import { clean, readResults, task } from '../../test/harness/tasks.ts';

const OLD = [{ name: '豆包' }, { name: 'Kimi' }];
/** 元宝 is looked for, and one of two hits of 豆包 is none any more. */
const NEW = [{ name: '豆包', exclude: ['豆包子'] }, { name: 'Kimi' }, { name: '元宝' }];
const answer = '推荐以下几款AI助手：\n\n1. Kimi：擅长长文档\n2. 豆包：语音对话自然\n\n吃豆包子的时候不谈工具。';

const ids = Array.from({ length: 5 }, (_, n) => `r-${n}`);
const made = (id: string) => task(id, { answer, brand_name: '豆包', brand_aliases: [], batch_id: 'B1' });
const reClean = { service: 'answers', action: 're-clean' };

onBothSites('replay of answers', (site) => {
  const put = (items: object[]) => site().call('PUT', '/answers/brands', { json: { items } });
  beforeAll(async () => {
    await put(OLD);
    await clean(site(), [
      ...ids.map(made),
      task('other', { answer, brand_name: 'Kimi', brand_aliases: [], batch_id: 'B2' }),
    ]);
  });

  const linesOf = async (batch: string) =>
    (await readResults(site(), `batch_id=${batch}`)).sort((a, b) => a.clean_task_id.localeCompare(b.clean_task_id));
  const done = async (batch: string) =>
    until(async () => {
      const { body } = await site().call('GET', `/replay/${batch}`);
      expect(body.state).toBe('done');
      return body;
    });

  test('shows, tries, measures, runs: what was tried is what comes of it', async () => {
    const scope = { filter: { batch_id: 'B1' } };
    // A person says what the new brands will say, too: the old ones were wrong about this hit.
    const decision = { field: 'hit', match_position: answer.lastIndexOf('豆包'), value: false, expected_revision: 1 };
    const decided = await site().call('POST', '/answers/results/r-0/decision', { json: decision });
    expect(decided.status).toBe(200);

    const draft = { brands: NEW };
    const tried = await site().call('POST', '/replay/trial', { json: { ...reClean, scope, rules: draft } });
    expect(tried.body).toMatchObject({ tried: 5, changed_items: 4, by_field: { mention_count: 4 } });
    expect(tried.body.changes[0]).toMatchObject({ of: '豆包', field: 'mention_count', before: 2, after: 1 });
    const measured = await site().call('POST', '/replay/measure', { json: { ...reClean, rules: draft } });
    expect(measured.body).toMatchObject({
      fields: { hit: { labels: 1, before: 0, after: 1 } },
      changes: [{ id: 'r-0', of: '豆包', field: 'hit', before: true, after: false, label: false }],
    });
    const unchanged = await linesOf('B1');
    expect(unchanged.map((line) => line.mention_count)).toEqual([1, 2, 2, 2, 2]);

    const fresh = await site().call('POST', '/replay/preview', { json: { ...reClean, scope } });
    expect(fresh.body).toMatchObject({ items: 5, human_decided: 1, stale: 0, model_calls: 0, moves: {} });
    expect(fresh.body.warnings).toHaveLength(1);
    await put(NEW);
    const stale = await site().call('POST', '/replay/preview', { json: { ...reClean, scope } });
    expect(stale.body).toMatchObject({ items: 5, human_decided: 1, stale: 5, warnings: [] });

    const started = await site().call('POST', '/replay', { json: { ...reClean, scope } });
    expect(started).toMatchObject({ status: 202, body: { preview: { items: 5 } } });
    const end = await done(started.body.batch);
    expect(end).toMatchObject({ dispatched: 5, progress: { accepted: 5 }, scope, include_human: false });
    const after = await linesOf('B1');
    expect(after.map((line) => [line.mention_count, line.by])).toEqual([[1, 'human'], ...Array(4).fill([1, 'rules'])]);
    const [other] = await linesOf('B2');
    expect(other).toMatchObject({ rulebook_version: 1 });
  });

  test('by scope: ids, all, filters that ask the results', async () => {
    const items = async (scope: object) =>
      (await site().call('POST', '/replay/preview', { json: { ...reClean, scope } })).body.items;
    expect(await items({ ids: ['r-1', 'other', 'nobody'] })).toBe(2);
    expect(await items({ all: true })).toBe(6);
    expect(await items({ filter: { brand_name: 'Kimi' } })).toBe(1);
    expect(await items({ filter: { is_valid: false } })).toBe(0);
    expect(await items({ filter: { stale: true } })).toBe(1);
    expect(await items({ filter: {} })).toBe(6);
  });

  test.each([
    ['a scope that means nothing here', { ...reClean, scope: { review_queue: true } }, 422, 'replay.scope_unsupported'],
    ['an unknown filter', { ...reClean, scope: { filter: { colour: 'red' } } }, 422, 'request.invalid'],
    ['no scope at all', reClean, 422, 'request.invalid'],
    ['an unknown action', { service: 'answers', action: 'fly', scope: { all: true } }, 404, 'replay.action_unknown'],
  ])('refuses %s', async (_, json, status, code) => {
    const refused = await site().call('POST', '/replay/preview', { json });
    expect(refused).toMatchObject({ status, body: { error: { code } } });
  });
});

describe('a replay while nobody works', () => {
  let site: Site & { close(): Promise<void> };
  beforeAll(async () => {
    site = await openSite('postgres', { workers: false });
    await site.house.database.query(
      `insert into answers_sample (id, state, version, state_since, clean_task_id, source_task_id, batch_id, brand_aliases,
              platform, scene_type, query_text, round, max_clean_retries, created_at, accepted_at, fingerprint)
       select gen_random_uuid(), 'completed', 1, now_here(), 's-' || n, '', 'B', '[]', 'p', 's', 'q', 1, 2, now_here(),
              now_here(), '' from generate_series(1, $1::int) n`,
      [30],
    );
  });
  afterAll(() => site.close());

  const steer = (batch: string, how: string) => site.call('POST', `/replay/${batch}/${how}`);

  test('is refused twice over one scope, held, let go, and ended', async () => {
    const json = { ...reClean, scope: { all: true } };
    const { body: first } = await site.call('POST', '/replay', { json });
    expect(first.preview.items).toBe(30);
    const second = await site.call('POST', '/replay', { json });
    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: 'replay.already_running', detail: { batch: first.batch } } },
    });
    const forced = await site.call('POST', '/replay', { json: { ...json, force: true } });
    expect(forced.status).toBe(202);

    expect(await steer(first.batch, 'pause')).toMatchObject({ status: 200, body: { state: 'paused' } });
    expect(await steer(first.batch, 'pause')).toMatchObject({ status: 200, body: { state: 'paused' } });
    expect(await steer(first.batch, 'resume')).toMatchObject({ status: 200, body: { state: 'running' } });
    expect(await steer(first.batch, 'cancel')).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await steer(first.batch, 'resume')).toMatchObject({
      status: 409,
      body: { error: { code: 'replay.not_possible', detail: { state: 'cancelled' } } },
    });
    expect(await steer('00000000-0000-7000-8000-000000000000', 'pause')).toMatchObject({ status: 404 });
    const { body } = await site.call('GET', `/replay/${first.batch}`);
    expect(body).toMatchObject({ state: 'cancelled', dispatched: 0, progress: {} });
  });
});

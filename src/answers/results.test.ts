import { expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothSites, until } from '../../test/harness/site.ts';
import { clean, type ResultLine, readResults, resultsOf, task } from '../../test/harness/tasks.ts';

const BRANDS = [
  { name: '豆包', aliases: ['豆包', 'Doubao'], domains: ['doubao.com'] },
  { name: 'Kimi', aliases: ['Kimi'] },
  { name: '苹果', aliases: ['苹果', 'Apple'], exclude: ['吃苹果'] },
];

const text =
  '推荐以下几款AI助手🙂：\n\n1. Kimi：擅长长文档[citation:1]\n2. 豆包（Doubao）：语音对话自然\n3. 苹果：手机自带助手\n\n吃苹果时也能用豆包。';
const full = {
  ...task('full-1'),
  source_task_id: 'collect-1',
  batch_id: 'BATCH_20260708_001',
  platform: 'deepseek',
  scene_type: 'RECOMMEND',
  round: 2,
  created_at: '2026-07-08T10:00:00Z',
  answer: { text, citations: [{ url: 'https://www.doubao.com/chat', title: '官网' }], searched: true },
};

onBothSites('results', (site) => {
  const { call } = { call: (...args: Parameters<ReturnType<typeof site>['call']>) => site().call(...args) };
  const putBrands = async (items: unknown) => (await call('PUT', '/answers/brands', { json: { items } })).body.version;
  const path = (line: ResultLine) => [line.state_history[0]?.from, ...line.state_history.map(({ to }) => to)];
  const ids = (lines: readonly ResultLine[]) => lines.map((line) => line.clean_task_id);

  test('have every column of the specification, the hits and the path', async () => {
    const version = await putBrands(BRANDS);
    const [line, ...others] = await clean(site(), [full]);
    expect(others).toEqual([]);
    expect(line).toEqual({
      id: expect.any(Number),
      clean_task_id: 'full-1',
      source_task_id: 'collect-1',
      batch_id: 'BATCH_20260708_001',
      brand_name: '豆包',
      platform: 'deepseek',
      scene_type: 'RECOMMEND',
      is_valid: true,
      invalid_reason: null,
      flags: [],
      is_mentioned: true,
      mention_count: 2,
      is_recommended: true,
      recommendation_rank: 2,
      rank_source: 'ordered_list',
      rank_band: null,
      has_citation: true,
      citations: [{ url: 'https://www.doubao.com/chat', domain: 'doubao.com', owned_by: '豆包', marker: '1' }],
      others: [
        { brand_name: 'Kimi', mention_count: 1, is_recommended: true, recommendation_rank: 1 },
        { brand_name: '苹果', mention_count: 1, is_recommended: true, recommendation_rank: 3 },
      ],
      clean_state: 'completed',
      raw_data_url: null,
      rulebook_version: version,
      by: 'rules',
      cleaned_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      re_cleaned_at: null,
      machine: null,
      revision: 1,
      decided: [],
      error: null,
      stale: false,
      matches: expect.any(Array),
      state_history: expect.any(Array),
    });
    expect(path(line!)).toEqual(['pending', 'validating', 'valid', 'extracting', 'extracted', 'completed']);
    expect(line!.state_history.slice(1).map(({ from }) => from)).toEqual(
      line!.state_history.slice(0, -1).map(({ to }) => to),
    );
    const times = line!.state_history.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    for (const at of times) expect(at).toBe(new Date(at).toISOString());
    for (const { surface, match_position, match_end } of line!.matches) {
      expect(text.slice(match_position as number, match_end as number)).toBe(surface);
    }
    expect(
      line!.matches.map((hit) => [hit.standard_name, hit.matched_alias, hit.origin, hit.kind, hit.is_valid_match]),
    ).toEqual([
      ['Kimi', 'Kimi', 'rulebook', 'explicit', true],
      ['豆包', '豆包', 'rulebook', 'explicit', true],
      ['豆包', 'Doubao', 'rulebook', 'explicit', expect.any(Boolean)],
      ['苹果', '苹果', 'rulebook', 'explicit', true],
      ['苹果', '苹果', 'rulebook', 'explicit', false],
      ['豆包', '豆包', 'rulebook', 'explicit', true],
    ]);
  });

  test("lie in the specification's two tables under the specification's names", async () => {
    const { database } = site().house;
    const { rows: results } = await database.query(
      `select id, clean_task_id, source_task_id, batch_id, brand_name, platform, scene_type, is_valid, invalid_reason,
              is_mentioned, mention_count, is_recommended, recommendation_rank, has_citation, clean_state, raw_data_url,
              cleaned_at from clean_result where clean_task_id = 'full-1'`,
    );
    expect(results).toEqual([
      expect.objectContaining({
        clean_task_id: 'full-1',
        source_task_id: 'collect-1',
        batch_id: 'BATCH_20260708_001',
        brand_name: '豆包',
        platform: 'deepseek',
        scene_type: 'RECOMMEND',
        is_valid: true,
        invalid_reason: null,
        is_mentioned: true,
        mention_count: 2,
        is_recommended: true,
        recommendation_rank: 2,
        has_citation: true,
        clean_state: 'completed',
        raw_data_url: null,
        cleaned_at: expect.any(Date),
      }),
    ]);
    const { rows: hits } = await database.query(
      `select id, clean_task_id, standard_name, matched_alias, match_position, is_valid_match, created_at
         from entity_match_detail where clean_task_id = 'full-1' order by match_position`,
    );
    const [line] = await resultsOf(site(), ['full-1']);
    expect(hits).toEqual(
      line!.matches.map(({ standard_name, matched_alias, match_position, is_valid_match }) => ({
        id: expect.any(Number),
        clean_task_id: 'full-1',
        standard_name,
        matched_alias,
        match_position,
        is_valid_match,
        created_at: expect.any(Date),
      })),
    );
  });

  test('of an invalid answer say why and take the short path', async () => {
    const [line] = await clean(site(), [task('refused', { answer: '抱歉，我暂时无法回答这个问题。' })]);
    expect(line).toMatchObject({
      clean_state: 'completed',
      is_valid: false,
      is_mentioned: false,
      mention_count: 0,
      is_recommended: null,
      recommendation_rank: null,
      has_citation: null,
      matches: [],
    });
    expect(line!.invalid_reason).toMatch(/^refuse:/);
    expect(path(line!)).toEqual(['pending', 'validating', 'invalid', 'completed']);
  });

  test('of a task without a brand are one line a configured brand', async () => {
    const { brand_name: _none, brand_aliases: _no, ...brandless } = full;
    const lines = await clean(site(), [{ ...brandless, clean_task_id: 'all-brands' }]);
    expect(lines.map((line) => [line.brand_name, line.is_mentioned, line.recommendation_rank])).toEqual([
      ['豆包', true, 2],
      ['Kimi', true, 1],
      ['苹果', true, 3],
    ]);
    expect(new Set(lines.map((line) => JSON.stringify(line.state_history))).size).toBe(1);
  });

  test('name where an alias came from', async () => {
    const answer = '推荐豆包：语音对话自然，豆大宝是它的小名。';
    const [line] = await clean(site(), [task('origins', { brand_aliases: ['豆包', '豆大宝'], answer })]);
    const explicit = line!.matches.filter((hit) => hit.kind === 'explicit');
    expect(explicit.map((hit) => [hit.matched_alias, hit.origin])).toEqual([
      ['豆包', 'rulebook'],
      ['豆大宝', 'task'],
    ]);
  });

  test('can be asked for one by one, and of an unknown task there are none', async () => {
    const one = await call('GET', '/answers/results/full-1');
    expect(one.body.items).toEqual(await resultsOf(site(), ['full-1']));
    expect(await call('GET', '/answers/results/nobody')).toMatchObject({
      status: 404,
      body: { error: { code: 'answers.result_unknown' } },
    });
    expect((await call('GET', '/answers/samples?clean_task_id=nobody')).body.items).toEqual([]);
  });

  test("are told in one story by the task's name, though it look like one of our ids, and by the item", async () => {
    const id = '3f0c9a4e-1d2b-4c3d-8e4f-5a6b7c8d9e0f';
    const [line] = await clean(site(), [task(id)]);
    const { body: story } = await call('GET', `/trace/${id}`);
    expect(story).toMatchObject({ machine: 'answers.sample', state: 'completed', dead_letters: [], deliveries: [] });
    expect(story.item).not.toBe(id);
    expect(
      story.journal.slice(1).map(({ from, to, at }: { from: string; to: string; at: string }) => ({ from, to, at })),
    ).toEqual(line!.state_history);
    expect(story.runs).toMatchObject([
      { stage: 'answers.clean', attempt: 1, outcome: 'accepted', error_code: null, started_at: expect.any(String) },
    ]);
    expect(story.events).toMatchObject([{ type: 'answers.sample.completed', item_seq: 1, origin: 'live' }]);
    expect(story.spent).toEqual({ calls: 0, tokens: 0, cost_micros: 0 });
    expect((await call('GET', `/trace/${story.item}`)).body).toEqual(story);
    const unknown = await call('GET', '/trace/00000000-0000-7000-8000-000000000000');
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'trace.unknown' } } });
  });

  test('are filtered by each of their columns, and by all at once', async () => {
    const make = (id: string, changes: object) =>
      task(id, { batch_id: 'filters', platform: 'p1', scene_type: 'S1', ...changes });
    await clean(site(), [
      make('f-1', {}),
      make('f-2', { platform: 'p2' }),
      make('f-3', { scene_type: 'S2' }),
      make('f-4', { brand_name: 'Kimi', brand_aliases: [] }),
      make('f-5', { answer: '' }),
      make('f-6', { query_text: '推荐几个AI写作助手' }),
    ]);
    const of = async (query: string) => ids(await readResults(site(), `batch_id=filters&${query}`)).toSorted();
    expect(await of('')).toEqual(['f-1', 'f-2', 'f-3', 'f-4', 'f-5', 'f-6']);
    expect(await of('platform=p2')).toEqual(['f-2']);
    expect(await of('scene_type=S2')).toEqual(['f-3']);
    expect(await of('brand_name=Kimi')).toEqual(['f-4']);
    expect(await of('is_valid=false')).toEqual(['f-5']);
    expect(await of('is_valid=true')).toEqual(['f-1', 'f-2', 'f-3', 'f-4', 'f-6']);
    expect(await of(`query_text=${encodeURIComponent('推荐几个AI写作助手')}`)).toEqual(['f-6']);
    expect(await of('clean_task_id=f-2&clean_task_id=f-6&clean_task_id=nobody')).toEqual(['f-2', 'f-6']);
    expect(await of('platform=p1&scene_type=S1&brand_name=%E8%B1%86%E5%8C%85&is_valid=true')).toEqual(['f-1', 'f-6']);
    expect(await readResults(site(), 'batch_id=no-such-batch')).toEqual([]);
    const [first] = await resultsOf(site(), ['full-1']);
    const from = encodeURIComponent(first!.cleaned_at);
    expect(ids(await readResults(site(), `to=${from}`))).toEqual([]);
    expect(ids(await readResults(site(), `from=${from}`))).toContain('full-1');
    const later = encodeURIComponent(new Date(Date.parse(first!.cleaned_at) + 1).toISOString());
    expect(ids(await readResults(site(), `from=${from}&to=${later}`))).toEqual(['full-1']);
    for (const wrong of ['is_valid=yes', 'from=yesterday', 'limit=501', 'limit=0', 'stale=1']) {
      expect([wrong, (await call('GET', `/answers/results?${wrong}`)).status]).toEqual([wrong, 422]);
    }
  });

  test('come in pages that together are the whole list, once each', async () => {
    await clean(
      site(),
      Array.from({ length: 23 }, (_, n) => task(`page-${n}`, { batch_id: 'pages' })),
    );
    const whole = await readResults(site(), 'batch_id=pages&limit=500');
    expect(new Set(ids(whole)).size).toBe(23);
    const sizes: number[] = [];
    const lines: ResultLine[] = [];
    let next = '';
    do {
      const { body } = await call('GET', `/answers/results?batch_id=pages&limit=5${next && `&cursor=${next}`}`);
      sizes.push(body.items.length);
      lines.push(...body.items);
      next = body.next_cursor;
    } while (next);
    expect(sizes).toEqual([5, 5, 5, 5, 3]);
    expect(lines).toEqual(whole);
    expect((await call('GET', '/answers/results?batch_id=pages')).body.items).toHaveLength(23);
  });

  test('made by older brands are stale from the edit on, and only those', async () => {
    const before = await clean(site(), [task('old', { batch_id: 'age' })]);
    expect(before[0]!.stale).toBe(false);
    const version = await putBrands([...BRANDS, { name: '元宝' }]);
    // Handed in right after the edit: it is the new brands that count.
    const [fresh] = await clean(site(), [task('new', { batch_id: 'age' })]);
    expect(fresh).toMatchObject({ rulebook_version: version, stale: false });
    const of = async (query: string) =>
      (await readResults(site(), `batch_id=age&${query}`)).map((line) => [line.clean_task_id, line.stale]);
    expect(await of('')).toEqual([
      ['old', true],
      ['new', false],
    ]);
    expect(await of('stale=true')).toEqual([['old', true]]);
    expect(await of('stale=false')).toEqual([['new', false]]);
    expect((await call('GET', '/answers/results/old')).body.items[0].stale).toBe(true);
    // The same brands again are no new version.
    expect(await putBrands([...BRANDS, { name: '元宝' }])).toBe(version);
    expect(await call('GET', '/answers/brands')).toMatchObject({ body: { version, items: expect.any(Array) } });
  });

  test('give the two monitoring queries their numbers', async () => {
    await site().call('POST', '/answers/clean-tasks', {
      json: task('lost', { answer: null, raw_data_url: 'file:none.json' }),
    });
    await resultsOf(site(), ['lost']);
    await clean(site(), [task('unmentioned', { brand_name: '文心一言', brand_aliases: [] })]);
    const all = await readResults(site(), 'limit=500');
    expect(all.filter((line) => line.clean_state === 'failed')).toHaveLength(1);
    const hours = Map.groupBy(all, (line) => line.cleaned_at.slice(0, 13));
    const count = (lines: readonly ResultLine[], is: (line: ResultLine) => unknown) => lines.filter(is).length;
    const expected = [...hours]
      .toSorted()
      .toReversed()
      .map(([hour, lines]) => {
        const completed = count(lines, (line) => line.clean_state === 'completed');
        return {
          hour: `${hour.replace('T', ' ')}:00`,
          total: lines.length,
          completed,
          invalid_count: count(lines, (line) => line.is_valid === false),
          numerator: completed,
          denominator: lines.length,
          rate: completed / lines.length,
        };
      });
    expect((await call('GET', '/answers/reports/success-rate')).body.items).toEqual(expected);
    const valid = Map.groupBy(
      all.filter((line) => line.is_valid === true),
      (line) => line.brand_name,
    );
    const rates = [...valid].map(([brand_name, lines]) => {
      const numerator = count(lines, (line) => line.is_mentioned);
      return { brand_name, numerator, denominator: lines.length, rate: numerator / lines.length };
    });
    const reported = (await call('GET', '/answers/reports/mention-rate')).body.items;
    expect(reported).toHaveLength(rates.length);
    for (const rate of rates) expect(reported).toContainEqual({ ...rate, interval: expect.any(Object) });
    for (const { rate, interval } of reported) expect(interval.low <= rate && rate <= interval.high).toBe(true);
    expect(rates.some(({ rate }) => rate < 1)).toBe(true);
    const tomorrow = encodeURIComponent(new Date(Date.now() + 86_400_000).toISOString());
    expect((await call('GET', `/answers/reports/mention-rate?from=${tomorrow}`)).body.items).toEqual([]);
    await moveClock(site().house.database, 25 * 3600);
    try {
      await until(async () => expect((await call('GET', '/answers/reports/success-rate')).body.items).toEqual([]));
    } finally {
      await moveClock(site().house.database, 0);
    }
  });
});

import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Cleaning, openCleaning } from '../../test/harness/cleaning.ts';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { onBothSites, until } from '../../test/harness/site.ts';
import { clean, resultsOf, task } from '../../test/harness/tasks.ts';
import { createApiKey } from '../accounts/api-keys.ts';
import { ROLES } from '../accounts/roles.ts';
import { uuid7 } from '../core/ids.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { CLEAN_STAGE, sampleMachine } from './index.ts';
import { type Label, readLabels } from './labels.ts';
import { listVersions } from './result-versions.ts';

const OLD = [{ name: '豆包' }, { name: 'Kimi' }];
/** The same text counts one hit of 豆包 less, and 元宝 is looked for. */
const NEW = [{ name: '豆包', exclude: ['豆包子'] }, { name: 'Kimi' }, { name: '元宝' }];
const answer =
  '推荐以下几款AI助手：\n\n1. Kimi：擅长长文档\n2. 豆包：语音对话自然\n3. 元宝：微信里就有\n\n吃豆包子也能用豆包。';
const first = answer.indexOf('豆包');
const last = answer.lastIndexOf('豆包');

onBothDatabases('re-cleaning', (ground) => {
  let cleaning: Cleaning;
  let count = 0;
  let id: string;
  beforeAll(async () => {
    cleaning = await openCleaning(ground);
  });
  beforeEach(async () => {
    count += 1;
    id = `re-${count}`;
    await cleaning.putBrands(OLD);
  });

  const made = (changes: object = {}) => task(id, { answer, brand_aliases: [], ...changes });
  const versions = async () => listVersions(ground().database, await cleaning.item(id));
  const labels = async (): Promise<Label[]> => {
    const all: Label[] = [];
    for await (const page of readLabels(ground().database)) all.push(...page);
    return all.filter((label) => label.clean_task_id === id);
  };
  const sample = async () => {
    const { rows } = await ground().database.query<Record<string, unknown>>(
      'select id, state, version, revision, state_since from answers_sample where clean_task_id = $1',
      [id],
    );
    return rows[0]!;
  };
  const events = async () => {
    const { rows } = await ground().database.query<{ type: string; origin: string; data: Record<string, unknown> }>(
      'select type, origin, data from outbox where item = $1 order by item_seq',
      [await cleaning.item(id)],
    );
    return rows;
  };
  const letters = async () =>
    (await ground().database.query('select from dead_letter where item = $1', [await cleaning.item(id)])).rows.length;

  test('replaces the result, keeps the old one, and moves nothing', async () => {
    await cleaning.cleanFirst(made());
    const [before] = await cleaning.lines(id);
    const was = await sample();
    await cleaning.putBrands(NEW);
    const batch = await cleaning.ask([id]);
    expect(await cleaning.lines(id)).toEqual([before]);
    await cleaning.work();
    const [line] = await cleaning.lines(id);
    expect([before!.mention_count, line!.mention_count]).toEqual([3, 2]);
    expect(line).toMatchObject({
      id: before!.id,
      cleaned_at: before!.cleaned_at,
      re_cleaned_at: expect.any(Date),
      by: 'rules',
      machine: null,
      revision: 1,
      state_history: before!.state_history,
    });
    expect(line!.rulebook_version).toBeGreaterThan(before!.rulebook_version as number);
    expect(line!.matches.map((hit) => hit.standard_name)).toContain('元宝');
    expect(await sample()).toEqual({ ...was, version: (was.version as number) + 1 });
    expect(await cleaning.runs(id)).toEqual([
      { cause: 'live', outcome: 'accepted', code: null },
      { cause: batch, outcome: 'accepted', code: null },
    ]);
    expect(await versions()).toEqual([
      {
        run: expect.any(String),
        rulebook_version: before!.rulebook_version,
        cleaned_at: before!.cleaned_at,
        result: expect.objectContaining({
          validity: { valid: true, reason: null, flags: [] },
          results: [expect.objectContaining({ brand_name: '豆包', mention_count: 3 })],
        }),
      },
    ]);
    expect((await events()).map(({ type, origin }) => [type, origin])).toEqual([
      ['answers.sample.completed', 'live'],
      ['answers.sample.completed', 'replay'],
    ]);
    // Twice: each replaced result is kept, as it was.
    await cleaning.ask([id]);
    await cleaning.work();
    expect((await versions()).map(({ result }) => result.results[0]!.mention_count)).toEqual([3, 2]);
    expect((await cleaning.lines(id))[0]).toEqual({ ...line, re_cleaned_at: expect.any(Date) });
  });

  test('lets the rulebook alone decide about brands that it knows', async () => {
    await cleaning.cleanFirst(made({ brand_aliases: ['豆包', 'Kimi酱'], answer: `${answer}\nKimi酱是豆包的小名。` }));
    const hits = async () => (await cleaning.lines(id))[0]!.matches.map((hit) => hit.matched_alias);
    expect(await hits()).toContain('Kimi酱');
    await cleaning.ask([id]);
    await cleaning.work();
    expect(await hits()).not.toContain('Kimi酱');
    await cleaning.putBrands([{ name: 'Kimi' }]);
    await cleaning.ask([id]);
    await cleaning.work();
    expect(await hits()).toContain('Kimi酱');
  });

  test('gives brands that are new a line of the same time, and takes away those that are gone', async () => {
    await cleaning.cleanFirst(made({ brand_name: null }));
    const before = await cleaning.lines(id);
    await cleaning.putBrands(NEW.slice(1));
    await cleaning.ask([id]);
    await cleaning.work();
    const since = await cleaning.lines(id);
    expect(since.map((line) => [line.brand_name, line.cleaned_at, line.recommendation_rank])).toEqual([
      ['Kimi', before[0]!.cleaned_at, 1],
      ['元宝', before[0]!.cleaned_at, 3],
    ]);
    expect(since[0]!.id).toBe(before[1]!.id);
    await cleaning.putBrands([]);
    await cleaning.ask([id]);
    await cleaning.work();
    expect(await cleaning.lines(id)).toEqual([]);
    await cleaning.putBrands(OLD);
    await cleaning.ask([id]);
    await cleaning.work();
    expect((await cleaning.lines(id)).map((line) => line.brand_name)).toEqual(['豆包', 'Kimi']);
  });

  test('leaves what people said standing over what the machine says now', async () => {
    await cleaning.cleanFirst(made());
    await cleaning.decide(id, { field: 'hit', match_position: first, value: false, expected_revision: 1 });
    await cleaning.decide(id, { field: 'rank', value: 8, expected_revision: 2 });
    const said = (await cleaning.lines(id))[0]!;
    await cleaning.putBrands(NEW);
    const batch = await cleaning.ask([id]);
    await cleaning.work();
    const [line] = await cleaning.lines(id);
    expect(line).toMatchObject({
      by: 'human',
      mention_count: 1,
      recommendation_rank: 8,
      rank_source: 'human',
      revision: 3,
      decided: said.decided,
      machine: { mention_count: 2, recommendation_rank: 2, rank_source: 'ordered_list' },
    });
    expect(line!.matches.find((hit) => hit.match_position === first)).toMatchObject({
      is_valid_match: false,
      machine: { is_valid_match: true },
    });
    expect((await cleaning.runs(id)).at(-1)).toEqual({ cause: batch, outcome: 'accepted', code: null });
    // Taken back, the machine's word of now holds, not that of then.
    await cleaning.decide(id, { field: 'hit', match_position: first, withdraw: true, expected_revision: 3 });
    await cleaning.decide(id, { field: 'rank', withdraw: true, expected_revision: 4 });
    expect((await cleaning.lines(id))[0]).toMatchObject({ mention_count: 2, recommendation_rank: 2, machine: null });
    expect((await versions()).map(({ result }) => result.results[0]!.mention_count)).toEqual([3, 2]);
  });

  test('leaves an answer valid that a person called valid, and measures it anew', async () => {
    await cleaning.cleanFirst(made({ answer: '抱歉，关于豆包的问题，我暂时无法回答。' }));
    expect((await cleaning.lines(id))[0]).toMatchObject({ is_valid: false });
    await cleaning.decide(id, { field: 'validity', value: { is_valid: true }, expected_revision: 1 });
    await cleaning.putBrands([{ name: '豆包', aliases: ['豆包', '问题'] }]);
    await cleaning.ask([id]);
    await cleaning.work();
    expect((await cleaning.lines(id))[0]).toMatchObject({
      is_valid: true,
      mention_count: 2,
      machine: { is_valid: false },
    });
    await cleaning.decide(id, { field: 'validity', withdraw: true, expected_revision: 2 });
    expect((await cleaning.lines(id))[0]).toMatchObject({ is_valid: false, mention_count: 0, matches: [] });
  });

  test('sets people’s words aside where somebody opted in, but not those said since; all are labels still', async () => {
    await cleaning.cleanFirst(made());
    await cleaning.decide(id, { field: 'rank', value: 8, expected_revision: 1 });
    await cleaning.decide(id, { field: 'recommended', value: null, expected_revision: 2 });
    await cleaning.ask([id], { includeDecided: true });
    expect((await cleaning.lines(id))[0]).toMatchObject({ recommendation_rank: 8, is_recommended: null });
    await cleaning.decide(id, { field: 'recommended', value: false, expected_revision: 3 });
    await cleaning.work();
    expect((await cleaning.lines(id))[0]).toMatchObject({
      by: 'human',
      recommendation_rank: null,
      is_recommended: false,
      decided: [{ field: 'recommended', value: false }],
      machine: { recommendation_rank: 2, is_recommended: true },
    });
    expect((await labels()).map(({ field, value, set_aside }) => [field, value, set_aside])).toEqual([
      ['rank', 8, true],
      ['recommended', false, false],
    ]);
    await cleaning.ask([id], { includeDecided: true });
    await cleaning.work();
    expect((await cleaning.lines(id))[0]).toMatchObject({
      by: 'rules',
      recommendation_rank: 2,
      is_recommended: true,
      decided: [],
      machine: null,
      revision: 4,
    });
    await cleaning.decide(id, { field: 'rank', value: 9, expected_revision: 4 });
    expect((await labels()).map(({ field, value, set_aside }) => [field, value, set_aside])).toEqual([
      ['recommended', false, true],
      ['rank', 9, false],
    ]);
  });

  test.each([
    ['loaded', false],
    ['worked', false],
    ['worked', true],
  ] as const)('yields to a decision made while it is at work (%s, opted in: %s)', async (point, includeDecided) => {
    await cleaning.cleanFirst(made());
    await cleaning.putBrands(NEW);
    const batch = await cleaning.ask([id], { includeDecided });
    await cleaning.work(async (at) => {
      if (at !== point) return;
      await cleaning.decide(id, { field: 'hit', match_position: last, value: false, expected_revision: 1 });
    });
    expect((await cleaning.lines(id))[0]).toMatchObject({
      mention_count: 2,
      revision: 2,
      machine: { mention_count: 3 },
    });
    expect((await cleaning.runs(id)).at(-1)).toEqual({ cause: batch, outcome: 'superseded', code: 'core.superseded' });
    expect((await events()).map(({ origin }) => origin)).toEqual(['live', 'live']);
    expect((await versions()).length).toBe(1);
  });

  test('does not make a person late: the revision that they saw still holds', async () => {
    await cleaning.cleanFirst(made());
    await cleaning.putBrands(NEW);
    await cleaning.ask([id]);
    await cleaning.work();
    const { revision } = await cleaning.decide(id, {
      field: 'hit',
      match_position: last,
      value: false,
      expected_revision: 1,
    });
    expect(revision).toBe(2);
    expect((await cleaning.lines(id))[0]).toMatchObject({ mention_count: 1, machine: { mention_count: 2 } });
    // The hit that the new brands drop may be kept.
    const inner = answer.indexOf('豆包子');
    await cleaning.decide(id, { field: 'hit', match_position: inner, value: true, expected_revision: 2 });
    expect((await cleaning.lines(id))[0]).toMatchObject({ mention_count: 2 });
  });

  test('that is faster than a person’s reading of the raw answer has it read again', async () => {
    await cleaning.cleanFirst(made({ answer: '抱歉，关于豆包的问题，我暂时无法回答。' }));
    await cleaning.putBrands([{ name: '豆包', aliases: ['豆包', '问题'] }]);
    const { readRaw } = cleaning;
    let reads = 0;
    cleaning.readRaw = async (samples) => {
      cleaning.readRaw = async (again) => {
        reads += 1;
        return readRaw(again);
      };
      await cleaning.ask([id]);
      await cleaning.work();
      return readRaw(samples);
    };
    try {
      await cleaning.decide(id, { field: 'validity', value: { is_valid: true }, expected_revision: 1 });
    } finally {
      cleaning.readRaw = readRaw;
    }
    expect(reads).toBe(2);
    expect((await cleaning.lines(id))[0]).toMatchObject({ is_valid: true, mention_count: 2, revision: 2 });
  });

  test('of two batches at once, the one that settles first is taken: older brands never come last', async () => {
    await cleaning.cleanFirst(made());
    const slow = await cleaning.ask([id]);
    let quick = '';
    await cleaning.work(async (point) => {
      if (point !== 'worked' || quick) return;
      await cleaning.putBrands(NEW);
      quick = await cleaning.ask([id]);
      await cleaning.work();
    });
    expect((await cleaning.lines(id))[0]).toMatchObject({ mention_count: 2 });
    const ends = (await cleaning.runs(id)).map(({ cause, outcome }) => `${cause} ${outcome}`);
    expect(ends.toSorted()).toEqual([`${quick} accepted`, `${slow} superseded`, 'live accepted'].toSorted());
  });

  test('that fails changes nothing, and leaves no dead letter', async () => {
    await cleaning.cleanFirst(made());
    const before = [await cleaning.lines(id), await sample(), await events()];
    const { readRaw } = cleaning;
    const failing = async (code: string, errorClass: 'permanent' | 'transient', queue?: string) => {
      cleaning.readRaw = async (samples) =>
        new Map(samples.map((one) => [one.id, new CodedError(code, errorClass, 'no')]));
      await cleaning.work(undefined, queue).finally(() => {
        cleaning.readRaw = readRaw;
      });
    };
    const lost = await cleaning.ask([id]);
    await failing('answers.raw_corrupt', 'permanent');
    expect((await cleaning.runs(id)).at(-1)).toEqual({ cause: lost, outcome: 'failed', code: 'answers.raw_corrupt' });
    expect([await cleaning.lines(id), await sample(), await events()]).toEqual(before);
    expect(await letters()).toBe(0);

    // What may pass is tried again, twice, and then left.
    const batch = await cleaning.ask([id]);
    await failing('blob.unavailable', 'transient');
    try {
      for (const seconds of [60, 120]) {
        await moveClock(ground().database, seconds);
        await failing('blob.unavailable', 'transient', `${CLEAN_STAGE}.retry`);
      }
    } finally {
      await moveClock(ground().database, 0);
    }
    const tried = (await cleaning.runs(id)).filter(({ cause }) => cause === batch);
    expect(tried).toEqual(
      Array.from({ length: 3 }, () => ({ cause: batch, outcome: 'failed', code: 'blob.unavailable' })),
    );
    expect([await cleaning.lines(id), await sample(), await events()]).toEqual(before);
    expect(await letters()).toBe(0);
  });

  test('of a batch that was cancelled is not begun again', async () => {
    await cleaning.cleanFirst(made());
    const before = [await cleaning.lines(id), await sample()];
    const batch = await cleaning.ask([id]);
    await ground().database.query(
      `insert into replay_batch (id, state, version, state_since, service, action, scope, include_human, preview, started_by, created_at)
       values ($1, 'cancelled', 2, now_here(), 'answers', 're-clean', '{"all": true}', false, '{}', 'test', now_here())`,
      [batch],
    );
    await cleaning.work();
    expect((await cleaning.runs(id)).at(-1)).toEqual({ cause: batch, outcome: 'skipped', code: 'replay.cancelled' });
    expect([await cleaning.lines(id), await sample()]).toEqual(before);
  });

  test('settles beside first cleanings, and one that cannot be read hinders no other', async () => {
    const ids = [`${id}-a`, `${id}-b`, `${id}-c`];
    await cleaning.cleanFirst(...ids.map((one) => task(one, { answer, brand_aliases: [] })));
    await cleaning.putBrands(NEW);
    const poor = await cleaning.item(ids[1]!);
    await cleaning.ask(ids);
    const { readRaw } = cleaning;
    cleaning.readRaw = async (samples) => new Map(await readRaw(samples)).set(poor, new Error('torn'));
    try {
      await cleaning.cleanFirst(made());
    } finally {
      cleaning.readRaw = readRaw;
    }
    const counts = await Promise.all([...ids, id].map(async (one) => (await cleaning.lines(one))[0]!.mention_count));
    expect(counts).toEqual([2, 3, 2, 2]);
  });

  test('the same page of a batch again adds nothing, and what is not completed is passed over', async () => {
    await cleaning.cleanFirst(made());
    const batch = await cleaning.ask([id, id]);
    await cleaning.ask([id], { batch });
    expect(await cleaning.work()).toBe(1);
    expect(await cleaning.work()).toBe(0);

    // A late job of the first cleaning has nothing to do here, nor one of a batch with what was given up.
    const { database, queue } = ground();
    const item = await cleaning.item(id);
    const other = `${id}-failed`;
    await cleaning.cleanFirst(task(other, { answer: undefined, raw_data_url: 'file:none.json', brand_aliases: [] }));
    const givenUp = await cleaning.item(other);
    await database.transaction((tx) =>
      enqueue(tx, queue.boss, [
        { queue: CLEAN_STAGE, data: { item, cv: 1, cause: 'live' } },
        { queue: CLEAN_STAGE, data: { item: givenUp, cv: 1, cause: uuid7() } },
      ]),
    );
    const before = await cleaning.lines(other);
    expect(await cleaning.work()).toBe(2);
    for (const one of [id, other]) {
      expect((await cleaning.runs(one)).at(-1)).toMatchObject({ outcome: 'skipped', code: 'core.stage_passed' });
    }
    expect(await cleaning.lines(other)).toEqual(before);
    expect(await cleaning.ask([other])).toEqual(expect.any(String));
    expect(await cleaning.work()).toBe(0);
  });

  test('leaves no breach of the core’s rules behind', async () => {
    expect(await findBreaches(ground().database, sampleMachine, [CLEAN_STAGE])).toEqual([]);
  });
});

onBothSites('asking for a re-cleaning', (site) => {
  test('names the batch, leaves out who cannot be cleaned again, and is for those who replay', async () => {
    await site().call('PUT', '/answers/brands', { json: { items: OLD } });
    await clean(
      site(),
      ['a', 'b'].map((id) => task(id, { answer, brand_aliases: [] })),
    );
    await site().call('POST', '/answers/clean-tasks', {
      json: task('c', { answer: undefined, raw_data_url: 'file:no' }),
    });
    await resultsOf(site(), ['c']);
    await site().call('PUT', '/answers/brands', { json: { items: NEW } });
    const ask = (json: object, key?: string) =>
      site().call('POST', '/replay', {
        json: { service: 'answers', action: 're-clean', ...json },
        ...(key && { key }),
      });
    const { status, body } = await ask({ scope: { ids: ['a', 'b', 'c', 'd', 'a'] } });
    expect([status, body]).toMatchObject([202, { batch: expect.any(String), preview: { items: 2 } }]);
    await until(async () => {
      const lines = await resultsOf(site(), ['a', 'b']);
      expect(lines.map((line) => [line.mention_count, line.stale])).toEqual([
        [2, false],
        [2, false],
      ]);
    });
    const { body: story } = await site().call('GET', '/trace/a');
    expect(story.runs.map((run: { cause: string }) => run.cause)).toEqual(['live', body.batch]);
    const kept = (await site().call('GET', '/answers/results/a/versions')).body.items;
    expect(kept.map((one: { result: { results: object[] } }) => one.result.results)).toMatchObject([
      [{ mention_count: 3 }],
    ]);
    expect((await site().call('GET', '/answers/results/nobody/versions')).status).toBe(404);
    for (const json of [{}, { scope: { ids: [] } }, { scope: { ids: ['a'], all: true } }]) {
      expect((await ask(json)).status).toBe(422);
    }
    for (const role of ROLES) {
      const { key } = await createApiKey(site().house.database, { id: uuid7(), name: role, role, by: 'test' });
      const { status: got } = await ask({ scope: { ids: [`nobody-${role}`] } }, key);
      expect([role, got]).toEqual([role, role === 'owner' || role === 'editor' ? 202 : 403]);
    }
  });
});

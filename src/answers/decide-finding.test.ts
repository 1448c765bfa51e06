import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findBreaches } from '../../test/harness/invariants.ts';
import { onBothSites, type Reply } from '../../test/harness/site.ts';
import { clean, type ResultLine, readResults, resultsOf, task } from '../../test/harness/tasks.ts';
import { createApiKey } from '../accounts/api-keys.ts';
import { ROLES, type Role } from '../accounts/roles.ts';
import { uuid7 } from '../core/ids.ts';
import { CLEAN_STAGE, sampleMachine } from './index.ts';

const BRANDS = [
  { name: '豆包', aliases: ['豆包', 'Doubao'] },
  { name: 'Kimi', aliases: ['Kimi'] },
  { name: '苹果', aliases: ['苹果'], exclude: ['吃苹果'] },
];
const answer = '推荐以下几款AI助手：\n\n1. Kimi：擅长长文档\n2. 豆包：语音对话自然\n\n吃苹果时也能用豆包。';
const positions = { kimi: answer.indexOf('Kimi'), fruit: answer.indexOf('苹果'), first: answer.indexOf('豆包') };
const last = answer.lastIndexOf('豆包');

onBothSites('a decision about a finding', (site) => {
  const keys = new Map<Role, string>();
  beforeAll(async () => {
    expect((await site().call('PUT', '/answers/brands', { json: { items: BRANDS } })).status).toBe(200);
    for (const role of ROLES) {
      const wanted = { id: uuid7(), name: role, role, by: 'test' };
      keys.set(role, (await createApiKey(site().house.database, wanted)).key);
    }
  });

  const decide = (id: string, json: Readonly<Record<string, unknown>>, role: Role = 'moderator'): Promise<Reply> =>
    site().call('POST', `/answers/results/${id}/decision`, { json, key: keys.get(role)! });
  const taken = async (id: string, json: Readonly<Record<string, unknown>>) => {
    const { status, body } = await decide(id, json);
    expect([status, body]).toEqual([200, expect.objectContaining({ clean_task_id: id })]);
    return body as unknown as { revision: number; items: ResultLine[] };
  };
  const cleaned = async (id: string, changes: object = {}) =>
    (await clean(site(), [task(id, { answer, ...changes })]))[0]!;
  const lines = (id: string) => resultsOf(site(), [id]);
  const story = async (id: string) => (await site().call('GET', `/trace/${id}`)).body;
  const labels = async () =>
    ((await site().call('GET', '/answers/labels')).body as string)
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));

  test('shows the human value, marks it, keeps the machine’s beside it, and is told to others', async () => {
    const before = await cleaned('shown');
    expect(before).toMatchObject({ revision: 1, by: 'rules', machine: null, decided: [], mention_count: 2 });
    const remark = 'the second one is about the app store';
    const { revision, items } = await taken('shown', {
      field: 'hit',
      match_position: last,
      value: false,
      expected_revision: 1,
      reason: remark,
    });
    expect(revision).toBe(2);
    const [line] = await lines('shown');
    expect(items[0]).toEqual((({ stale: _stale, ...rest }) => rest)(line!));
    expect(line).toMatchObject({ id: before.id, cleaned_at: before.cleaned_at, re_cleaned_at: null });
    expect(line).toMatchObject({
      revision: 2,
      by: 'human',
      mention_count: 1,
      is_recommended: true,
      recommendation_rank: 2,
      machine: { mention_count: 2, is_mentioned: true, is_recommended: true, recommendation_rank: 2, is_valid: true },
      decided: [
        {
          field: 'hit',
          brand_name: '豆包',
          match_position: last,
          value: false,
          machine_value: true,
          by: expect.stringMatching(/^key:/),
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
    });
    expect(line!.matches.filter((match) => match.match_position === last)).toMatchObject([
      { is_valid_match: false, rule: 'human', machine: { is_valid_match: true, rule: 'alias' } },
    ]);
    const { journal, events, state } = await story('shown');
    expect(state).toBe('completed');
    expect(journal.at(-1)).toMatchObject({ kind: 'note', actor: 'human', reason: 'hit.decided', remark, to: null });
    expect(journal.at(-1).actor_id).toBe((line!.decided as { by: string }[])[0]!.by);
    expect(events.map(({ type, origin }: { type: string; origin: string }) => [type, origin])).toEqual([
      ['answers.sample.completed', 'live'],
      ['answers.finding.decided', 'live'],
    ]);
    const { rows } = await site().house.database.query<{ data: unknown }>(
      `select o.data from outbox o join answers_sample s on s.id = o.item
        where s.clean_task_id = 'shown' and o.type = 'answers.finding.decided'`,
    );
    expect(rows).toEqual([
      {
        data: {
          clean_task_id: 'shown',
          batch_id: 'default',
          platform: 'unknown',
          is_valid: true,
          invalid_reason: null,
          mentioned: ['豆包'],
          field: 'hit',
          brand_name: '豆包',
          match_position: last,
          value: false,
          withdrawn: false,
          revision: 2,
        },
      },
    ]);
  });

  test('that is taken back leaves everything as the machine made it, step by step', async () => {
    const before = await cleaned('undone', { brand_name: null, brand_aliases: [] });
    const untouched = await lines('undone');
    const steps = [
      { field: 'hit', brand_name: '豆包', match_position: positions.first, value: false },
      { field: 'hit', brand_name: '豆包', match_position: last, value: false },
      { field: 'hit', brand_name: '苹果', match_position: positions.fruit, value: true },
      { field: 'recommended', brand_name: 'Kimi', value: null },
      { field: 'rank', brand_name: 'Kimi', value: 4 },
      { field: 'validity', value: { is_valid: false, invalid_reason: 'irrelevant' } },
    ];
    for (const [n, step] of steps.entries()) await taken('undone', { ...step, expected_revision: n + 1 });
    const invalid = await lines('undone');
    expect(invalid.map((line) => [line.is_valid, line.invalid_reason, line.is_mentioned, line.matches])).toEqual(
      BRANDS.map(() => [false, 'irrelevant', false, []]),
    );
    const back = { field: 'validity', withdraw: true, expected_revision: 7 };
    await taken('undone', back);
    expect(
      (await lines('undone')).map((line) => [
        line.brand_name,
        line.mention_count,
        line.is_recommended,
        line.recommendation_rank,
      ]),
    ).toEqual([
      ['豆包', 0, false, null],
      ['Kimi', 1, null, 4],
      ['苹果', 1, null, null],
    ]);
    expect((await readResults(site(), 'clean_task_id=undone&is_valid=true')).length).toBe(3);
    for (const [n, { value: _value, ...place }] of steps.slice(0, -1).entries()) {
      await taken('undone', { ...place, withdraw: true, expected_revision: 8 + n });
    }
    const since = await lines('undone');
    expect(since).toEqual(untouched.map((line) => ({ ...line, revision: 13 })));
    expect(before.id).toBe(since[0]!.id);
    expect(await decide('undone', { ...back, expected_revision: 13 })).toMatchObject({
      status: 404,
      body: { error: { code: 'answers.finding_unknown' } },
    });
    expect((await labels()).filter((label) => label.clean_task_id === 'undone')).toEqual([]);
  });

  test('that an answer is valid has it measured, from where it lies', async () => {
    const text = '抱歉，关于豆包的问题，我暂时无法回答。';
    writeFileSync(join(site().rawFolder, 'refusal.json'), JSON.stringify({ answer: text }));
    for (const [id, changes] of [
      ['inline', { answer: text }],
      ['afar', { answer: undefined, raw_data_url: 'file:refusal.json' }],
    ] as const) {
      const before = await cleaned(id, changes);
      expect(before).toMatchObject({ is_valid: false, mention_count: 0, matches: [] });
      const value = { is_valid: true };
      const { items } = await taken(id, { field: 'validity', value, expected_revision: 1 });
      expect(items[0]).toMatchObject({
        is_valid: true,
        invalid_reason: null,
        by: 'human',
        is_mentioned: true,
        mention_count: 1,
        is_recommended: false,
        machine: { is_valid: false, invalid_reason: before.invalid_reason, mention_count: 0, is_recommended: null },
        matches: [{ surface: '豆包', match_position: text.indexOf('豆包'), is_valid_match: true, rule: 'alias' }],
      });
      // The measures are the machine's, and may be overruled in their turn.
      const hit = { field: 'hit', match_position: text.indexOf('豆包'), value: false, expected_revision: 2 };
      expect((await taken(id, hit)).items[0]).toMatchObject({ is_valid: true, mention_count: 0 });
      await taken(id, { field: 'validity', withdraw: true, expected_revision: 3 });
      await taken(id, { ...hit, value: undefined, withdraw: true, expected_revision: 4 });
      expect((await lines(id))[0]).toEqual({ ...before, revision: 5 });
    }
    // What lies nowhere any more cannot be measured: nothing is decided.
    writeFileSync(join(site().rawFolder, 'gone.json'), JSON.stringify({ answer: text }));
    await cleaned('gone', { answer: undefined, raw_data_url: 'file:gone.json' });
    writeFileSync(join(site().rawFolder, 'gone.json'), 'cut');
    const refused = await decide('gone', { field: 'validity', value: { is_valid: true }, expected_revision: 1 });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'answers.raw_corrupt' } } });
    expect((await lines('gone'))[0]).toMatchObject({ revision: 1, is_valid: false });
  });

  test('counts in reports', async () => {
    const rate = async () => {
      const { items } = (await site().call('GET', '/answers/reports/mention-rate')).body;
      const { numerator, denominator } = items.find((row: { brand_name: string }) => row.brand_name === '报表');
      return [numerator, denominator];
    };
    const tasks = ['r-1', 'r-2', 'r-3'].map((id) =>
      task(id, { brand_name: '报表', brand_aliases: [], answer: `报表：${answer}` }),
    );
    await clean(site(), tasks);
    expect(await rate()).toEqual([3, 3]);
    await taken('r-1', { field: 'hit', match_position: 0, value: false, expected_revision: 1 });
    expect(await rate()).toEqual([2, 3]);
    await taken('r-2', {
      field: 'validity',
      value: { is_valid: false, invalid_reason: 'blocked' },
      expected_revision: 1,
    });
    expect(await rate()).toEqual([1, 2]);
  });

  test('is taken once when its answer was lost, and again when it is said again', async () => {
    await cleaned('again');
    const json = { field: 'rank', value: 3, expected_revision: 1 };
    expect((await taken('again', json)).revision).toBe(2);
    expect((await taken('again', json)).revision).toBe(2);
    expect((await story('again')).journal.filter((row: { actor: string }) => row.actor === 'human')).toHaveLength(1);
    // Somebody else said nothing yet, whatever they send.
    expect((await decide('again', json, 'editor')).status).toBe(409);
    expect((await taken('again', { ...json, expected_revision: 2 })).revision).toBe(3);
    const back = { field: 'rank', withdraw: true, expected_revision: 3 };
    expect((await taken('again', back)).revision).toBe(4);
    expect((await taken('again', back)).revision).toBe(4);
    const { journal, events } = await story('again');
    expect(journal.filter((row: { kind: string }) => row.kind === 'note')).toHaveLength(3);
    expect(events).toHaveLength(4);
  });

  test('of two people who saw the same is taken from one; the other hears what was said', async () => {
    await cleaned('race');
    const json = { field: 'recommended', expected_revision: 1 };
    const replies = await Promise.all([
      decide('race', { ...json, value: false }, 'moderator'),
      decide('race', { ...json, value: null }, 'editor'),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [won, lost] = replies.toSorted((a, b) => a.status - b.status) as [Reply, Reply];
    const [line] = await lines('race');
    expect(lost.body).toMatchObject({
      error: { code: 'core.revision_stale', detail: { revision: 2, state: 'completed', decided: line!.decided } },
    });
    expect((won.body.items as ResultLine[])[0]!.is_recommended).toBe(line!.is_recommended);
    const rows = (await story('race')).journal.filter((row: { actor: string }) => row.actor === 'human');
    expect(rows.map((row: { kind: string; reason: string }) => [row.kind, row.reason]).toSorted()).toEqual([
      ['note', 'recommended.decided'],
      ['refused', 'core.revision_stale'],
    ]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, number, string]>([
    ['a hit where none is', { field: 'hit', match_position: 1, value: false }, 404, 'answers.hit_unknown'],
    [
      'a hit of another brand',
      { field: 'hit', brand_name: 'Kimi', match_position: last, value: true },
      404,
      'answers.hit_unknown',
    ],
    ['a brand that nobody looked for', { field: 'rank', brand_name: '无名', value: 1 }, 404, 'answers.brand_unknown'],
    [
      'a brand that is not mentioned',
      { field: 'rank', brand_name: '苹果', value: 1 },
      422,
      'answers.brand_unmentioned',
    ],
    ['nothing to take back', { field: 'rank', withdraw: true }, 404, 'answers.finding_unknown'],
    ['a stale revision', { field: 'rank', value: 1, expected_revision: 9 }, 409, 'core.revision_stale'],
    ['no revision', { field: 'rank', value: 1, expected_revision: undefined }, 422, 'request.invalid'],
    ['neither value nor withdrawal', { field: 'rank' }, 422, 'request.invalid'],
    ['value and withdrawal', { field: 'rank', value: 1, withdraw: true }, 422, 'request.invalid'],
    ['the rank 0', { field: 'rank', value: 0 }, 422, 'request.invalid'],
    ['half a rank', { field: 'rank', value: 1.5 }, 422, 'request.invalid'],
    ['an endless rank', { field: 'rank', value: 10_001 }, 422, 'request.invalid'],
    ['a rank as text', { field: 'rank', value: '1' }, 422, 'request.invalid'],
    ['a field that is none', { field: 'mood', value: 1 }, 422, 'request.invalid'],
    ['a hit without its place', { field: 'hit', value: true }, 422, 'request.invalid'],
    ['a hit before the text', { field: 'hit', match_position: -1, value: true }, 422, 'request.invalid'],
    ['a hit that is undecided', { field: 'hit', match_position: last, value: null }, 422, 'request.invalid'],
    ['invalid without a reason', { field: 'validity', value: { is_valid: false } }, 422, 'request.invalid'],
    [
      'a reason that is none',
      { field: 'validity', value: { is_valid: false, invalid_reason: 'boring' } },
      422,
      'request.invalid',
    ],
    [
      'valid for a reason',
      { field: 'validity', value: { is_valid: true, invalid_reason: 'empty' } },
      422,
      'request.invalid',
    ],
    ['a misspelt member', { field: 'rank', value: 1, brand: 'Kimi' }, 422, 'request.invalid'],
    ['a remark with a NUL', { field: 'rank', value: 1, reason: 'a\0b' }, 422, 'request.invalid'],
  ])('is refused for %s', async (_, json, status, code) => {
    if (!(await readResults(site(), 'clean_task_id=refusals')).length) await cleaned('refusals');
    const { status: got, body } = await decide('refusals', { expected_revision: 1, ...json });
    expect([got, (body as { error: { code: string } }).error.code]).toEqual([status, code]);
    expect((await lines('refusals'))[0]).toMatchObject({ revision: 1, machine: null, decided: [] });
  });

  test('is refused about what is not there, not completed, or names no brand', async () => {
    const json = { field: 'rank', value: 1, expected_revision: 1 };
    const codeOf = async (id: string, more: object = {}) => {
      const { status, body } = await decide(id, { ...json, ...more });
      return [status, (body as { error: { code: string } }).error.code];
    };
    expect(await codeOf('nobody')).toEqual([404, 'answers.sample_unknown']);
    await site().call('POST', '/answers/clean-tasks', {
      json: task('failed', { answer: undefined, raw_data_url: 'file:none.json' }),
    });
    await lines('failed');
    expect(await codeOf('failed')).toEqual([409, 'answers.not_completed']);
    await cleaned('brandless', { brand_name: null, brand_aliases: [] });
    expect(await codeOf('brandless')).toEqual([422, 'answers.brand_missing']);
    await cleaned('invalid', { answer: '' });
    expect(await codeOf('invalid')).toEqual([422, 'answers.sample_invalid']);
    expect(await codeOf('invalid', { field: 'hit', match_position: 0, value: true })).toEqual([
      422,
      'answers.sample_invalid',
    ]);
  });

  test('is for owners, editors and moderators', async () => {
    const allowed: Role[] = ['owner', 'editor', 'moderator'];
    for (const role of ROLES) {
      await cleaned(`by-${role}`);
      const { status } = await decide(`by-${role}`, { field: 'rank', value: 7, expected_revision: 1 }, role);
      expect([role, status]).toEqual([role, allowed.includes(role) ? 200 : 403]);
      expect((await lines(`by-${role}`))[0]!.recommendation_rank).toBe(allowed.includes(role) ? 7 : 2);
    }
  });

  test('serves as a label, the newest word of each place, for analysts and above', async () => {
    await cleaned('labelled');
    await taken('labelled', { field: 'rank', value: 5, expected_revision: 1 });
    await taken('labelled', { field: 'rank', value: 6, expected_revision: 2 });
    await taken('labelled', { field: 'validity', value: { is_valid: true }, expected_revision: 3 });
    await taken('labelled', { field: 'recommended', brand_name: 'Kimi', value: false, expected_revision: 4 });
    const own = (await labels()).filter((label) => label.clean_task_id === 'labelled');
    const common = {
      clean_task_id: 'labelled',
      match_position: null,
      run: expect.any(String),
      rulebook_version: 1,
      set_aside: false,
      decided_by: expect.stringMatching(/^key:/),
      decided_at: expect.stringMatching(/Z$/),
    };
    const fine = { is_valid: true, invalid_reason: null };
    expect(own).toEqual([
      { ...common, field: 'rank', brand_name: '豆包', value: 6, machine_value: 2 },
      { ...common, field: 'validity', brand_name: null, value: fine, machine_value: fine },
      { ...common, field: 'recommended', brand_name: 'Kimi', value: false, machine_value: true },
    ]);
    for (const role of ROLES) {
      const { status } = await site().call('GET', '/answers/labels', { key: keys.get(role)! });
      expect([role, status]).toEqual([role, role === 'viewer' ? 403 : 200]);
    }
  });

  test('leaves no breach of the core’s rules behind', async () => {
    expect(await findBreaches(site().house.database, sampleMachine, [CLEAN_STAGE])).toEqual([]);
    expect(site().reported).toEqual([]);
  });
});

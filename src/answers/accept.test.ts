import { describe, expect, test } from 'vitest';
import { onBothSites } from '../../test/harness/site.ts';
import { clean, readResults, resultsOf, task } from '../../test/harness/tasks.ts';
import { storable } from '../text/storable.ts';

interface Rejection {
  readonly index: number;
  readonly error: { readonly code: string; readonly message: string; readonly detail: { readonly field?: string } };
}

onBothSites('handing in cleaning tasks', (site) => {
  const post = (json: unknown) => site().call('POST', '/answers/clean-tasks', { json });
  const sampleCount = async (id: string) => {
    const { rows } = await site().house.database.query<{ n: number }>(
      'select count(*)::int as n from answers_sample where clean_task_id = $1',
      [id],
    );
    return rows[0]!.n;
  };

  test('takes one task alone', async () => {
    expect(await post(task('alone'))).toMatchObject({
      status: 202,
      body: { accepted: 1, duplicates: 0, rejected: [] },
    });
    expect(await sampleCount('alone')).toBe(1);
  });

  test('rejects what is wrong in an array by index and field, and takes the rest', async () => {
    const { answer: _left, ...noAnswer } = task('no-answer');
    const { clean_task_id: _id, ...noId } = task('');
    const { status, body } = await post([
      task('good-1'),
      noId,
      task('x'.repeat(65)),
      noAnswer,
      task('bad-round', { round: 0 }),
      task('good-2', { answer: undefined, raw_data_url: 'file:nothing.json' }),
      task('bad-answer', { answer: { texts: 'no' } }),
      task('bad-time', { created_at: 'yesterday' }),
      task('no-brand', { brand_name: undefined }),
      'a string',
      null,
      task('bad-alias', { brand_aliases: ['豆包', ''] }),
      task('bad-retries', { max_clean_retries: -1 }),
      task('good-3'),
    ]);
    expect(status).toBe(202);
    expect(body).toMatchObject({ accepted: 3, duplicates: 0 });
    const found = (body.rejected as Rejection[]).map(({ index, error }) => [index, error.code, error.detail.field]);
    expect(found).toEqual([
      [1, 'task.invalid', 'clean_task_id'],
      [2, 'task.invalid', 'clean_task_id'],
      [3, 'task.invalid', 'answer'],
      [4, 'task.invalid', 'round'],
      [6, 'task.invalid', 'answer'],
      [7, 'task.invalid', 'created_at'],
      [8, 'task.invalid', 'brand_name'],
      [9, 'task.invalid', '(the task)'],
      [10, 'task.invalid', '(the task)'],
      [11, 'task.invalid', 'brand_aliases.1'],
      [12, 'task.invalid', 'max_clean_retries'],
    ]);
    for (const { error } of body.rejected) expect(error.message).toContain(error.detail.field);
    const ids = ['good-1', 'good-2', 'good-3', 'no-answer', 'bad-round', 'bad-retries'];
    expect(await Promise.all(ids.map(sampleCount))).toEqual([1, 1, 1, 0, 0, 0]);
  });

  test('the same task again is a success that changes nothing, in one array and across calls', async () => {
    const twin = task('twin');
    const { body } = await post([twin, task('single'), twin]);
    expect(body).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    const before = await resultsOf(site(), ['twin']);
    const again = await post([{ ...twin, created_at: '2026-07-09T10:00:00+08:00' }, twin]);
    expect(again.body).toEqual({ accepted: 0, duplicates: 2, rejected: [] });
    expect(await resultsOf(site(), ['twin'])).toEqual(before);
    expect(before).toHaveLength(1);
    const { rows } = await site().house.database.query<{ n: number }>(
      `select count(*)::int as n from run r join answers_sample s on s.id = r.item where s.clean_task_id = 'twin'`,
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('the same id with other content is a conflict and leaves the first as it is', async () => {
    const [first] = await clean(site(), [task('contested')]);
    const others = [
      { answer: '另一个答案：推荐 Kimi，因为它擅长处理很长的文档。' },
      { brand_name: 'Kimi', brand_aliases: ['Kimi'] },
      { batch_id: 'another' },
      { query_text: '另一个问题' },
      { max_clean_retries: 3 },
    ].map((changes) => task('contested', changes));
    const { body } = await post([task('bystander'), ...others, task('contested')]);
    expect(body).toMatchObject({ accepted: 1, duplicates: 0 });
    expect((body.rejected as Rejection[]).map(({ index, error }) => [index, error.code])).toEqual([
      [1, 'task.conflict'],
      [2, 'task.conflict'],
      [3, 'task.conflict'],
      [4, 'task.conflict'],
      [5, 'task.conflict'],
      [6, 'task.conflict'],
    ]);
    expect(body.rejected[0].error.message).toContain("'contested'");
    expect(await resultsOf(site(), ['contested'])).toEqual([first]);
  });

  test('within one array the first of two different tasks with one id stands', async () => {
    const { body } = await post([task('torn'), task('torn', { round: 2 }), task('torn')]);
    expect(body).toMatchObject({ accepted: 1, duplicates: 1 });
    expect((body.rejected as Rejection[]).map(({ index, error }) => [index, error.code])).toEqual([
      [1, 'task.conflict'],
    ]);
  });

  test('the same array from several producers at once is taken once', async () => {
    const many = Array.from({ length: 40 }, (_, n) => task(`race-${n}`));
    // Half of them the other way round: producers must not wait for each other's rows.
    const replies = await Promise.all([0, 1, 2, 3, 4, 5].map((n) => post(n % 2 ? many : many.toReversed())));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 202]);
    const sum = (field: 'accepted' | 'duplicates') => replies.reduce((all, { body }) => all + body[field], 0);
    expect([sum('accepted'), sum('duplicates')]).toEqual([40, 200]);
    expect(replies.flatMap(({ body }) => body.rejected)).toEqual([]);
    const lines = await resultsOf(
      site(),
      many.map((one) => one.clean_task_id),
    );
    expect(lines).toHaveLength(40);
  });

  test("aliases of a task that belong to another brand of the rulebook are rejected, and the task's alone", async () => {
    const items = [
      { name: '豆包', aliases: ['豆包', 'Doubao'] },
      { name: 'Kimi', aliases: ['Kimi'] },
    ];
    expect(await site().call('PUT', '/answers/brands', { json: { items } })).toMatchObject({ status: 200 });
    const { body } = await post([
      task('fine'),
      task('greedy', { brand_aliases: ['豆包', 'KIMI'] }),
      task('newcomer', { brand_name: '豆子', brand_aliases: ['Doubao'] }),
      task('signs', { brand_aliases: ['豆包', '++'] }),
    ]);
    expect(body).toMatchObject({ accepted: 1, duplicates: 0 });
    expect((body.rejected as Rejection[]).map(({ index, error }) => [index, error.code, error.detail])).toEqual([
      [1, 'answers.alias_collision', { brand: '豆包', field: 'brand_aliases[1]' }],
      [2, 'answers.alias_collision', { brand: '豆子', field: 'brand_aliases[0]' }],
      [3, 'answers.alias_empty', { brand: '豆包', field: 'brand_aliases[1]' }],
    ]);
    expect(body.rejected[0].error.message).toMatch(/"KIMI" already belongs to brand "Kimi"/);
    await site().call('PUT', '/answers/brands', { json: { items: [] } });
  });

  test('more than ten thousand tasks at once, or no task at all, are refused whole', async () => {
    expect(await post(Array.from({ length: 10_001 }, () => 0))).toMatchObject({
      status: 422,
      body: { error: { code: 'request.invalid' } },
    });
    expect(await post('a task')).toMatchObject({ status: 422, body: { error: { code: 'request.invalid' } } });
    expect((await post([])).body).toEqual({ accepted: 0, duplicates: 0, rejected: [] });
  });
});

describe('hostile tasks', () => {
  onBothSites('among good ones', (site) => {
    const tasks = hostileTasks();

    test('are rejected alone or cleaned, and fail nothing', async () => {
      const raw = `[${tasks.map(({ json }) => json).join(',')}]`;
      const { status, body } = await site().call('POST', '/answers/clean-tasks', { raw });
      expect(status, JSON.stringify(body)).toBe(202);
      const rejected = (body.rejected as Rejection[]).map(({ index, error }) => [tasks[index]!.what, error.code]);
      expect(rejected).toEqual(tasks.filter(({ code }) => code).map(({ what, code }) => [what, code]));
      const good = tasks.flatMap(({ id, code }) => (code ? [] : [id]));
      expect(body.accepted).toBe(good.length);
      const lines = await resultsOf(site(), good);
      expect(new Set(lines.map((line) => line.clean_task_id))).toEqual(new Set(good));
      expect(lines.filter((line) => line.clean_state !== 'completed')).toEqual([]);
      // Each can be asked for by its own name, whatever stands in it.
      for (const id of good) {
        const one = await site().call('GET', `/answers/results/${encodeURIComponent(id)}`);
        expect([one.status, one.body.items?.[0]?.clean_task_id]).toEqual([200, id]);
      }
      expect(site().reported).toEqual([]);
      expect((await site().call('GET', '/dead-letters')).body.items).toEqual([]);
    });

    test('leave offsets right and the names as they came', async () => {
      const lines = await readResults(site(), 'details=true&limit=500');
      const of = (id: string) => lines.find((line) => line.clean_task_id === id)!;
      for (const { id, text, mentions } of tasks) {
        if (text === undefined) continue;
        const { matches } = of(id);
        for (const match of matches) {
          const { match_position, match_end, surface } = match as {
            match_position: number;
            match_end: number;
            surface: string;
          };
          expect(storable(text.slice(match_position, match_end))).toBe(surface);
        }
        if (mentions !== undefined) expect([id, of(id).mention_count]).toEqual([id, mentions]);
      }
      expect(of('prototype').brand_name).toBe('__proto__');
      expect(of("'; drop table answers_sample; --").platform).toBe(`' or '1'='1`);
    });
  });
});

interface Hostile {
  readonly what: string;
  readonly id: string;
  readonly json: string;
  /** Why it is rejected; absent where it is to be cleaned. */
  readonly code?: string;
  readonly text?: string;
  readonly mentions?: number;
}

function hostileTasks(): Hostile[] {
  const text = '推荐豆包：语音对话自然，适合日常问答，豆包也能写作。';
  const long = `${'一段很长的说明文字，与品牌无关。'.repeat(100_000)}\n\n推荐豆包。${'🙂'.repeat(500_000)}最后仍然是豆包。`;
  const cleaned = (what: string, id: string, changes: object, more: Partial<Hostile> = {}): Hostile => ({
    what,
    id,
    json: JSON.stringify(task(id, { answer: text, ...changes })),
    ...more,
  });
  const refused = (what: string, changes: object): Hostile => ({
    ...cleaned(what, what, changes),
    code: 'task.invalid',
  });
  return [
    cleaned('an ordinary one first', 'ordinary-1', {}, { text, mentions: 2 }),
    cleaned('NUL in the answer', 'nul', { answer: `豆\0包 ${text}\0` }, { text: `豆\0包 ${text}\0` }),
    cleaned('half surrogates', 'halves', { answer: `\ud83d${text}\udc00豆包` }, { text: `\ud83d${text}\udc00豆包` }),
    cleaned('half surrogate in the question', 'half-query', { query_text: '推荐\ud800\0' }),
    cleaned('five megabytes', 'long', { answer: long }, { text: long, mentions: 2 }),
    cleaned(
      'emoji and right-to-left',
      'emoji',
      { answer: `👨‍👩‍👧‍👦\u202e🇨🇳 ${text}` },
      { text: `👨‍👩‍👧‍👦\u202e🇨🇳 ${text}`, mentions: 2 },
    ),
    cleaned('a name that is a key of every object', 'prototype', {
      brand_name: '__proto__',
      brand_aliases: ['constructor', 'toString'],
    }),
    {
      what: 'a task that sets its prototype',
      id: 'proto-key',
      json: `{"__proto__":{"clean_task_id":"stolen"},"constructor":1,${JSON.stringify(task('proto-key')).slice(1)}`,
    },
    {
      what: 'an id by prototype',
      id: 'stolen',
      json: '{"__proto__":{"clean_task_id":"stolen","answer":"x"}}',
      code: 'task.invalid',
    },
    cleaned('SQL in names', "'; drop table answers_sample; --", { platform: `' or '1'='1`, batch_id: '$1\\"`%s{}' }),
    cleaned('a path in the id', '../../a/b?c=d&e#f%2e %00', {}),
    cleaned('right-to-left id', 'مهمة‏🙂', {}),
    cleaned('the longest id', '长'.repeat(64), {}),
    cleaned('a citation that is none', 'cited', {
      answer: { text, citations: [{ url: 'javascript:alert(1)\0\ud800', title: '\0' }, { url: '' }] },
    }),
    cleaned('reasoning with NUL', 'reasoned', { answer: { text, reasoning: '\0\ud800', finish_reason: '\0' } }),
    cleaned('an empty answer', 'void', { answer: '' }),
    cleaned('only white space', 'white', { answer: ' \u3000\ufeff\u200b\n' }),
    {
      what: 'a field as deep as a well',
      id: 'deep',
      json: `{"whatever":${'['.repeat(100_000)}${']'.repeat(100_000)},${JSON.stringify(task('deep')).slice(1)}`,
    },
    cleaned('lines that only some end at', 'lines', { answer: `推荐：\u2028豆包\u2029${text}\u0085` }),
    refused('NUL in the id', { clean_task_id: 'a\0b' }),
    refused('half a surrogate in the id', { clean_task_id: 'a\ud800b' }),
    refused('NUL in the batch', { batch_id: '\0' }),
    refused('NUL in the brand', { brand_name: '豆\0包' }),
    refused('half a surrogate in an alias', { brand_aliases: ['豆包', '\udfff'] }),
    refused('NUL in the platform', { platform: '\0' }),
    refused('NUL in the scene', { scene_type: '\0' }),
    refused('NUL in the URL', { raw_data_url: 'file:\0' }),
    refused('a round that no integer holds', { round: 3_000_000_000 }),
    refused('the year nought', { created_at: '0000-01-01T00:00:00Z' }),
    cleaned('an offset that no clock has', 'offset', { created_at: '2026-01-01T00:00:00+23:00' }),
    cleaned('an ordinary one last', 'ordinary-2', {}, { text, mentions: 2 }),
  ];
}

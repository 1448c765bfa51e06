import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linesOf, run, start } from '../../test/harness/cli.ts';
import { newFolder } from '../../test/harness/data-folder.ts';
import { cleanedExamples, EXAMPLES } from '../../test/harness/examples.ts';
import { openSite } from '../../test/harness/site.ts';
import { type ResultLine, task } from '../../test/harness/tasks.ts';

let folder: string;
beforeAll(() => {
  folder = newFolder('cli');
});
const write = (name: string, content: string | Buffer): string => {
  writeFileSync(join(folder, name), content);
  return name;
};
const jsonl = (lines: readonly unknown[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
const clean = (args: readonly string[], input?: string) =>
  run(['clean', ...args], { cwd: folder, ...(input === undefined ? {} : { input }) });
const brands = `brands:
  - name: 豆包
    aliases: [豆包, { text: DB, case_sensitive: true }]
  - name: Kimi
`;

describe('signalbox clean', () => {
  test('cleans the good lines of a file, in order, says of each bad one where and why, and keeps nothing', async () => {
    write('brands.yaml', brands);
    write('raw.json', JSON.stringify({ text: '推荐豆包：语音对话自然，适合日常问答。' }));
    write('corrupt.json', '{"text": ');
    const { answer: _left, ...far } = task('far');
    const lines = [
      JSON.stringify(task('first')),
      '{"clean_task_id": "broken"',
      '',
      '["not a task"]',
      JSON.stringify(task('separators', { answer: '推荐\u2028豆包\u2029，它语音对话自然，适合日常问答。' })),
      JSON.stringify(task('bad', { round: 'one' })),
      JSON.stringify({ ...far, raw_data_url: 'file:raw.json' }),
      JSON.stringify({ ...far, clean_task_id: 'corrupt', raw_data_url: 'file:corrupt.json' }),
      JSON.stringify(task('collides', { brand_aliases: ['豆包', 'kimi'] })),
      JSON.stringify(task('first')),
      JSON.stringify(task('first', { round: 2 })),
      '   \t',
      JSON.stringify(task('invalid', { answer: '' })),
      JSON.stringify(task('every', { brand_name: null, brand_aliases: [] })),
      JSON.stringify(task('last')),
    ];
    // As an editor of another system saves it: a byte order mark, CR LF, no end of line at the end.
    const file = write('mixed.jsonl', `\ufeff${lines.join('\r\n')}`);
    const ended = await clean([file, '--json', '--brands', 'brands.yaml']);
    const found = linesOf<ResultLine>(ended);
    expect(found.map((line) => [line.clean_task_id, line.brand_name, line.clean_state, line.is_valid])).toEqual([
      ['first', '豆包', 'completed', true],
      ['separators', '豆包', 'completed', true],
      ['far', '豆包', 'completed', true],
      ['corrupt', '豆包', 'failed', null],
      ['invalid', '豆包', 'completed', false],
      ['every', '豆包', 'completed', true],
      ['every', 'Kimi', 'completed', true],
      ['last', '豆包', 'completed', true],
    ]);
    expect(found[0]).toMatchObject({
      by: 'rules',
      rulebook_version: 1,
      matches: expect.any(Array),
      state_history: expect.any(Array),
    });
    expect(found[3]!.error).toMatchObject({ code: 'answers.raw_corrupt', attempts: [{ attempt: 1 }] });
    const complaints = ended.stderr.trimEnd().split('\n');
    expect(complaints).toEqual([
      expect.stringMatching(/^mixed\.jsonl:2: not a task: /),
      expect.stringMatching(/^mixed\.jsonl:4: not a task: /),
      expect.stringMatching(/^mixed\.jsonl:6: round: /),
      expect.stringMatching(
        /^mixed\.jsonl:9: brand "豆包", brand_aliases\[1\]: "kimi" already belongs to brand "Kimi"$/,
      ),
      expect.stringMatching(/^mixed\.jsonl:11: clean_task_id 'first' is known with other content$/),
    ]);
    expect(ended.status).toBe(1);
    expect(existsSync(join(folder, '.signalbox'))).toBe(false);
  });

  test('wrong use is one clear line and status 2, before anything is opened', async () => {
    write('tasks.jsonl', jsonl([task('x')]));
    write('field.yaml', 'brands:\n  - name: 豆包\n  - name: Kimi\n    alias: [K]\n');
    const data = join(folder, 'never');
    const ended = await Promise.all([
      clean(['nowhere.jsonl', '--data', data]),
      clean(['tasks.jsonl', '--brands', 'field.yaml', '--data', data]),
    ]);
    expect(ended).toEqual([
      { status: 2, signal: null, stdout: '', stderr: expect.stringMatching(/^signalbox: nowhere\.jsonl: ENOENT.*\n$/) },
      {
        status: 2,
        signal: null,
        stdout: '',
        stderr: expect.stringMatching(/^signalbox: field\.yaml: brand "Kimi".*"alias".*\n$/),
      },
    ]);
    expect(existsSync(data)).toBe(false);
  });
});

describe('signalbox clean, while a server holds the data folder', () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    site = await openSite('pglite');
  });
  afterAll(() => site.close());

  test('finds in the examples what its steps find, one line a task and brand', async () => {
    const ended = await clean([
      join(EXAMPLES, 'answers.jsonl'),
      '--brands',
      join(EXAMPLES, 'brands.yaml'),
      '--data',
      site.folder!,
    ]);
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const examples = cleanedExamples();
    expect(examples.length).toBeGreaterThanOrEqual(20);
    const expected = examples.flatMap(
      ({ task: { clean_task_id }, cleaned: { validity, results, citations, matches } }) =>
        results.map((result) => ({
          ...{ clean_task_id, is_valid: validity.valid, invalid_reason: validity.reason, flags: validity.flags },
          ...{ ...result, citations, matches },
        })),
    );
    const fields = Object.keys(expected[0]!);
    const found = linesOf<ResultLine>(ended).map((line) =>
      Object.fromEntries(fields.map((field) => [field, line[field]])),
    );
    expect(found).toEqual(expected);
  });

  test('reads standard input, page by page and in order, and ends with 0 when all could be processed', async () => {
    write('brands.yaml', brands);
    // A request that named a hundred of these would have 58 KB of head.
    const ids = Array.from({ length: 510 }, (_, n) => (n < 100 ? `${'长'.repeat(60)}-${n}` : `no-${n}`));
    const tasks = ids.map((id, n) => task(id, n % 7 ? {} : { answer: '抱歉，我暂时无法回答这个问题。' }));
    const ended = await clean(['-', '--brands', 'brands.yaml', '--data', site.folder!], jsonl(tasks));
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const found = linesOf<ResultLine>(ended);
    expect(found.map((line) => line.clean_task_id)).toEqual(ids);
    expect(found.filter((line) => line.is_valid === false)).toHaveLength(Math.ceil(510 / 7));
  });

  test('says which line is more than a server takes at once, and hands in the others', async () => {
    // What a task does not know of is dropped: this is a long line and short work.
    const giant = { padding: 'x'.repeat(33 * 1024 * 1024), ...task('giant') };
    const tasks = [task('before'), giant, task('after')];
    const ended = await clean([write('wide.jsonl', jsonl(tasks)), '--data', site.folder!]);
    expect(linesOf<ResultLine>(ended).map((line) => line.clean_task_id)).toEqual(['before', 'after']);
    expect([ended.status, ended.stderr]).toEqual([1, expect.stringMatching(/^wide\.jsonl:2: .*bytes\n$/)]);
  });

  test('finishes its work when nobody reads on', async () => {
    const input = jsonl(Array.from({ length: 300 }, (_, n) => task(`unread-${n}`)));
    const running = start(['clean', '-', '--data', site.folder!], { cwd: folder, input });
    running.child.stdout!.once('data', () => running.child.stdout!.destroy());
    const ended = await running.ended;
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    const { body } = await site.call('GET', '/answers/results/unread-299');
    expect(body.items).toMatchObject([{ clean_state: 'completed' }]);
  });

  test('of nothing makes nothing', async () => {
    write('blank.jsonl', '\ufeff\r\n\n  \n');
    write('brandless.jsonl', jsonl([task('x', { brand_name: null, brand_aliases: [] })]));
    expect((await site.call('PUT', '/answers/brands', { json: { items: [] } })).status).toBe(200);
    const ended = await Promise.all([
      clean(['blank.jsonl', '--data', site.folder!]),
      clean(['brandless.jsonl', '--data', site.folder!]),
    ]);
    expect(ended.map(({ status, stdout, stderr }) => [status, stdout, stderr])).toEqual([
      [0, '', 'blank.jsonl: no tasks\n'],
      [0, '', 'brandless.jsonl: no brand to measure: name one in the tasks or give --brands\n'],
    ]);
  });
});

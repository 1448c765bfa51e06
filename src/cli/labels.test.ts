import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf, run } from '../../test/harness/cli.ts';
import { openSite } from '../../test/harness/site.ts';
import { clean, task } from '../../test/harness/tasks.ts';
import type { House } from '../server/house.ts';
import { openStation, overHouse } from './station.ts';

let site: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  site = await openSite('pglite');
});
afterAll(() => site.close());

test('labels are one line each, the same from a served folder and from a server', async () => {
  expect(await run(['labels', '--data', site.folder!])).toMatchObject({ status: 0, stdout: '' });
  await clean(site, [task('one'), task('two')]);
  for (const [id, value] of [
    ['one', 5],
    ['two', null],
  ] as const) {
    const json = { field: 'rank', value, expected_revision: 1 };
    expect((await site.call('POST', `/answers/results/${id}/decision`, { json })).status).toBe(200);
  }
  const ended = await run(['labels', '--data', site.folder!]);
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  // By the items' ids: which of two that came in one millisecond goes first is chance.
  const byTask = (one: { clean_task_id?: string }) => one.clean_task_id ?? '';
  expect(linesOf(ended).toSorted((a, b) => byTask(a).localeCompare(byTask(b)))).toMatchObject([
    { clean_task_id: 'one', brand_name: '豆包', field: 'rank', value: 5, machine_value: 1 },
    { clean_task_id: 'two', brand_name: '豆包', field: 'rank', value: null, machine_value: 1 },
  ]);
  const stranger = await openStation({ server: site.address, folder: null, workers: false, env: {} });
  await expect(stranger.lines('/answers/labels')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: 'auth.missing',
  });
});

test('lines are put together again wherever the answer was cut', async () => {
  const bytes = new TextEncoder().encode('{"a":"豆包"}\n\n{"a":2}\n{"a":"最后"}\n');
  for (let size = 1; size < bytes.length; size += 1) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    );
    const request = async () => new Response(ReadableStream.from(pieces));
    const station = overHouse({ app: { app: { request } } } as unknown as House, 'key');
    const lines: unknown[] = [];
    for await (const line of station.lines('/lines')) lines.push(line);
    expect(lines).toEqual([{ a: '豆包' }, { a: 2 }, { a: '最后' }]);
  }
});

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { onBothSites, type Site, until } from '../../test/harness/site.ts';
import { readResults, resultsOf, task } from '../../test/harness/tasks.ts';
import { CLEAN_STAGE, sampleMachine } from './index.ts';

interface Letter {
  readonly id: string;
  readonly input_ref: string;
  readonly code: string;
}

const far = (id: string, url: string, changes: object = {}) =>
  task(id, { answer: undefined, raw_data_url: url, ...changes });
const good = JSON.stringify({ answer: '推荐豆包：语音对话自然，适合日常问答。' });

async function post(site: Site, tasks: readonly { clean_task_id: string }[]): Promise<void> {
  const { body } = await site.call('POST', '/answers/clean-tasks', { json: tasks });
  expect(body).toEqual({ accepted: tasks.length, duplicates: 0, rejected: [] });
}

async function letters(site: Site, query = ''): Promise<Letter[]> {
  return (await site.call('GET', `/dead-letters${query}`)).body.items;
}

async function letterOf(site: Site, ref: string): Promise<Letter> {
  const found = (await letters(site, '?limit=500')).find((letter) => letter.input_ref === ref);
  expect(found, `a dead letter of ${ref}`).toBeDefined();
  return found!;
}

onBothSites('a sample that was given up', (site) => {
  const write = (name: string, content: string | Buffer) => writeFileSync(join(site().rawFolder, name), content);

  test('has a line with its error and every attempt, and a dead letter with its reference', async () => {
    write('broken.json', '{"answer": "cut o');
    write('fine.json', good);
    await post(site(), [far('broken', 'file:broken.json'), far('neighbour', 'file:fine.json')]);
    const lines = await resultsOf(site(), ['broken', 'neighbour']);
    expect(lines.map((line) => [line.clean_task_id, line.clean_state]).toSorted()).toEqual([
      ['broken', 'failed'],
      ['neighbour', 'completed'],
    ]);
    const line = lines.find((one) => one.clean_task_id === 'broken')!;
    const attempt = {
      attempt: 1,
      outcome: 'failed',
      code: 'answers.raw_corrupt',
      class: 'permanent',
      message: expect.stringContaining('not JSON'),
      started_at: expect.any(String),
      ended_at: expect.any(String),
    };
    expect(line).toMatchObject({
      brand_name: '豆包',
      is_valid: null,
      invalid_reason: null,
      is_mentioned: false,
      mention_count: 0,
      is_recommended: null,
      raw_data_url: 'file:broken.json',
      matches: [],
      stale: false,
      error: { code: 'answers.raw_corrupt', message: expect.stringContaining('not JSON'), attempts: [attempt] },
    });
    expect(line.state_history.map(({ from, to }) => [from, to])).toEqual([
      ['pending', 'validating'],
      ['validating', 'failed'],
    ]);
    expect(await letterOf(site(), 'file:broken.json')).toEqual({
      id: expect.any(String),
      machine: 'answers.sample',
      item: expect.any(String),
      stage: CLEAN_STAGE,
      reached: 'validating',
      content_version: 1,
      cause: 'live',
      input_ref: 'file:broken.json',
      code: 'answers.raw_corrupt',
      error_class: 'permanent',
      message: expect.stringContaining('not JSON'),
      attempts: [attempt],
      created_at: expect.any(String),
    });
  });

  test.each([
    ['no such file', 'file:none.json', 'blob.not_found'],
    ['a file outside the folder', 'file:../outside.json', 'blob.path_refused'],
    ['a file of the system', 'file:///etc/passwd', 'blob.path_refused'],
    ['a store that nobody configured', 'cos://nowhere/a.json', 'blob.unknown_store'],
    ['another scheme', 'http://127.0.0.1/a.json', 'blob.bad_url'],
    ['bytes that are not UTF-8', 'file:latin.json', 'answers.raw_corrupt'],
    ['JSON without an answer', 'file:empty.json', 'answers.raw_corrupt'],
  ])('is one that names %s', async (what, url, code) => {
    write('latin.json', Buffer.from('"caf\xe9 ist kein UTF-8 und wird nie welches"', 'latin1'));
    write('empty.json', '{"text": null}');
    await post(site(), [far(what, url)]);
    const [line] = await resultsOf(site(), [what]);
    expect(line).toMatchObject({ clean_state: 'failed', is_valid: null, error: { code, attempts: [{ code }] } });
  });

  test('goes back to the stage it reached when its input is mended, and ends with one line', async () => {
    const refs = ['file:mended.json', 'file:mended-all.json'];
    const open = async () => (await letters(site(), '?limit=500')).filter(({ input_ref }) => refs.includes(input_ref));
    write('mended.json', 'not yet');
    write('mended-all.json', 'not yet');
    await post(site(), [
      far('mended', 'file:mended.json'),
      far('mended-all', 'file:mended-all.json', { brand_name: null, brand_aliases: [] }),
    ]);
    await resultsOf(site(), ['mended', 'mended-all']);
    const one = await letterOf(site(), 'file:mended.json');

    // Not mended: given up again, with both attempts told and still one line.
    const again = await site().call('POST', '/dead-letters/redrive', { json: { ids: [one.id] } });
    expect(again).toMatchObject({ status: 200, body: { redriven: 1, left: 0 } });
    const failed = await until(async () => {
      const [line] = await readResults(site(), 'details=true&clean_task_id=mended');
      expect((line!.error as { attempts: unknown[] }).attempts).toHaveLength(2);
      return line!;
    });
    expect(failed.clean_state).toBe('failed');
    expect((await letters(site(), '?limit=500')).map(({ id }) => id)).not.toContain(one.id);

    write('mended.json', good);
    write('mended-all.json', good);
    expect(
      (await site().call('PUT', '/answers/brands', { json: { items: [{ name: '豆包' }, { name: 'Kimi' }] } })).status,
    ).toBe(200);
    const wanted = await open();
    expect(wanted).toHaveLength(2);
    const ids = wanted.map(({ id }) => id);
    const preview = await site().call('POST', '/dead-letters/preview', { json: { ids } });
    expect(preview.body.items).toEqual([
      { stage: CLEAN_STAGE, code: 'answers.raw_corrupt', reached: 'validating', count: 2 },
    ]);
    expect((await site().call('POST', '/dead-letters/redrive', { json: { ids } })).body).toEqual({
      redriven: 2,
      left: 0,
    });
    const lines = await resultsOf(site(), ['mended', 'mended-all']);
    expect(
      lines.map((line) => [line.clean_task_id, line.brand_name, line.clean_state, line.is_mentioned]).toSorted(),
    ).toEqual([
      ['mended', '豆包', 'completed', true],
      ['mended-all', 'Kimi', 'completed', false],
      ['mended-all', '豆包', 'completed', true],
    ]);
    for (const line of lines) expect([line.error, line.is_valid]).toEqual([null, true]);
    expect(lines.find((line) => line.clean_task_id === 'mended')!.state_history.map(({ to }) => to)).toEqual([
      'validating',
      'failed',
      'validating',
      'failed',
      'validating',
      'valid',
      'extracting',
      'extracted',
      'completed',
    ]);

    // The letters are closed: nothing is left to put back.
    expect(await open()).toEqual([]);
    expect((await site().call('POST', '/dead-letters/redrive', { json: { ids } })).body).toEqual({
      redriven: 0,
      left: 0,
    });
    const { body: story } = await site().call('GET', '/trace/mended');
    expect(
      story.runs.map((run: { attempt: number; outcome: string; error_code: string | null }) => [
        run.attempt,
        run.outcome,
        run.error_code,
      ]),
    ).toEqual([
      [1, 'failed', 'answers.raw_corrupt'],
      [2, 'failed', 'answers.raw_corrupt'],
      [3, 'accepted', null],
    ]);
    expect(story.dead_letters.map((letter: { redriven_at: string | null }) => typeof letter.redriven_at)).toEqual([
      'string',
      'string',
    ]);
    const redrives = story.journal.filter((entry: { reason: string }) => entry.reason === 'redrive');
    expect(redrives.map((entry: { actor: string; actor_id: string }) => [entry.actor, entry.actor_id])).toEqual([
      ['human', 'master'],
      ['human', 'master'],
    ]);
    expect(await findBreaches(site().house.database, sampleMachine, [CLEAN_STAGE])).toEqual([]);
  });

  test('is found by stage and error, page by page, and a misspelt condition puts nothing back', async () => {
    const all = await letters(site(), '?limit=500');
    expect(all.length).toBeGreaterThanOrEqual(7);
    const paged: Letter[] = [];
    let next: string | null = '';
    while (next !== null) {
      const { body }: { body: { items: Letter[]; next_cursor: string | null } } = await site().call(
        'GET',
        `/dead-letters?limit=2${next && `&cursor=${next}`}`,
      );
      expect(body.items.length).toBeLessThanOrEqual(2);
      paged.push(...body.items);
      next = body.next_cursor;
    }
    expect(paged).toEqual(all);
    expect((await letters(site(), '?code=blob.not_found')).map(({ code }) => code)).toEqual(['blob.not_found']);
    expect(await letters(site(), '?stage=no.such')).toEqual([]);
    for (const json of [{ id: [all[0]!.id] }, { codes: 'blob.not_found' }]) {
      expect((await site().call('POST', '/dead-letters/redrive', { json })).status).toBe(422);
    }
    expect(await letters(site(), '?limit=500')).toEqual(all);
  });
});

// Answers each object with its number of failures first.
const failures = new Map<string, number>();
const store = createServer((request, response) => {
  const key = new URL(request.url ?? '/', 'http://store').pathname;
  const left = failures.get(key) ?? 0;
  failures.set(key, left - 1);
  response.writeHead(left > 0 ? 500 : 200, { 'content-type': 'application/json' }).end(left > 0 ? '' : good);
});
const env: NodeJS.ProcessEnv = {
  SIGNALBOX_BUCKETS: 'raw',
  SIGNALBOX_S3_ACCESS_KEY_ID: 'id',
  SIGNALBOX_S3_SECRET_ACCESS_KEY: 'secret',
};
beforeAll(async () => {
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  env.SIGNALBOX_S3_ENDPOINT = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
});
afterAll(() => store.closeAllConnections());
afterAll(() => new Promise((resolve) => store.close(resolve)));

onBothSites(
  'a store that fails for a moment',
  (site) => {
    test('costs a retry later, and an own number of retries is kept', async () => {
      failures.set('/raw/once.json', 1).set('/raw/never.json', 1).set('/raw/down.json', 9);
      await post(site(), [
        far('once', 'cos://raw/once.json'),
        far('never', 's3://raw/never.json', { max_clean_retries: 0 }),
        far('down', 's3://raw/down.json', { max_clean_retries: 1 }),
      ]);
      const [never] = await resultsOf(site(), ['never']);
      expect(never).toMatchObject({
        clean_state: 'failed',
        error: { code: 'blob.unavailable', attempts: [{ class: 'transient' }] },
      });
      // The others wait, 30 s at the most.
      await moveClock(site().house.database, 40);
      try {
        const lines = await resultsOf(site(), ['once', 'down']);
        const outcome = (id: string) => lines.find((line) => line.clean_task_id === id)!;
        expect(outcome('once')).toMatchObject({ clean_state: 'completed', is_valid: true, error: null });
        expect(outcome('down')).toMatchObject({ clean_state: 'failed' });
        expect(
          (outcome('down').error as { attempts: { attempt: number }[] }).attempts.map(({ attempt }) => attempt),
        ).toEqual([1, 2]);
        for (const id of ['once', 'down']) {
          const { runs } = (await site().call('GET', `/trace/${id}`)).body;
          expect(Date.parse(runs[1].started_at) - Date.parse(runs[0].ended_at)).toBeGreaterThanOrEqual(1000);
        }
        expect([failures.get('/raw/never.json'), failures.get('/raw/down.json')]).toEqual([0, 7]);
        expect(outcome('once').state_history.map(({ to }) => to)).toEqual([
          'validating',
          'valid',
          'extracting',
          'extracted',
          'completed',
        ]);
      } finally {
        await moveClock(site().house.database, 0);
      }
    });
  },
  { env },
);

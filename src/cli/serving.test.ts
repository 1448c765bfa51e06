import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { linesOf, run, serve, start } from '../../test/harness/cli.ts';
import { newDataFolder, newFolder } from '../../test/harness/data-folder.ts';
import { openSite, type Site, until } from '../../test/harness/site.ts';
import { clean, resultsOf, task } from '../../test/harness/tasks.ts';
import type { House } from '../server/house.ts';
import { createProgram } from './program.ts';
import { listen } from './start.ts';
import { openStation } from './station.ts';

describe('a data folder', () => {
  test('answers commands the same, whether a server holds it or nobody does', async () => {
    const [data, files] = [newDataFolder(), newFolder('cli')];
    writeFileSync(join(files, 'brands.yaml'), 'brands:\n  - { name: 豆包, aliases: [豆包] }\n  - { name: Kimi }\n');
    const { answer: _left, ...far } = task('lost');
    const tasks = [
      task('kept'),
      { ...far, raw_data_url: 'file:nowhere.json' },
      task('bad', { round: 0 }),
      task('invalid', { answer: '' }),
    ];
    writeFileSync(join(files, 'tasks.jsonl'), tasks.map((one) => JSON.stringify(one)).join('\n'));
    const commands = [
      ['clean', 'tasks.jsonl', '--brands', 'brands.yaml', '--data', data],
      ['trace', 'kept', '--data', data],
      ['queues', '--data', data],
      ['dead-letters', 'list', '--data', data],
    ];
    // How long something has been so is another number each time.
    const told = async (args: readonly string[]) => {
      const { stdout, ...ended } = await run(args, { cwd: files });
      return { args, ...ended, stdout: stdout.replace(/"([a-z_]*seconds)":[\d.]+/g, '"$1":0') };
    };
    const alone = [];
    for (const args of commands) alone.push(await told(args));
    expect(alone.map(({ status }) => status)).toEqual([1, 0, 0, 0]);
    expect(alone[0]!.stderr).toBe('tasks.jsonl:3: round: Too small: expected number to be >=1\n');
    expect(alone[0]!.stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(alone[1]!.stdout).toContain('"state":"completed"');
    expect(alone[2]!.stdout).toContain('"dead_letters":1');
    expect(alone[3]!.stdout).toContain('"code":"blob.not_found"');

    const server = await serve(data);
    const served = await Promise.all(commands.map(told));
    expect(served).toEqual(alone);

    // Nobody else takes the folder meanwhile; who tries is told who has it.
    const second = await run(['start', '--port', '0', '--data', data]);
    expect([second.status, second.stdout]).toEqual([2, '']);
    expect(second.stderr).toBe(`signalbox: ${data} is in use by process ${server.child.pid} (storage.folder_locked)\n`);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);

    const ended = await server.stop('SIGTERM');
    expect([ended.status, ended.signal]).toEqual([0, null]);
  }, 180_000);
});

describe('another server', () => {
  let site: Awaited<ReturnType<typeof openSite>>;
  const key = 'a-key-from-the-environment-0123456789';
  beforeAll(async () => {
    site = await openSite('pglite', { env: { SIGNALBOX_API_KEY: key } });
  });
  afterAll(() => site.close());

  test('is asked by its address, with the key of the environment', async () => {
    await clean(site, [task('afar')]);
    const ended = await run(['trace', 'afar', '--server', `${site.address}/`], { env: { SIGNALBOX_API_KEY: key } });
    expect([ended.status, linesOf(ended)[0]]).toMatchObject([0, { state: 'completed' }]);
    for (const [given, code] of [
      [`${key}!`, 'auth.unknown_key'],
      ['', 'auth.missing'],
    ]) {
      const station = await openStation({
        server: site.address,
        folder: null,
        workers: false,
        env: { SIGNALBOX_API_KEY: given },
      });
      await expect(station.api('GET', '/trace/afar')).rejects.toMatchObject({ code, errorClass: 'permanent' });
    }
  });

  test('puts back what is asked for, through the command line', async () => {
    const { answer: _left, ...far } = task('mended');
    await site.call('POST', '/answers/clean-tasks', { json: { ...far, raw_data_url: 'file:mended.json' } });
    await resultsOf(site, ['mended']);
    writeFileSync(join(site.rawFolder, 'mended.json'), JSON.stringify('推荐豆包：语音对话自然，适合日常问答。'));
    const [letter] = linesOf(await run(['dead-letters', 'list', '--data', site.folder!]));
    expect(letter).toMatchObject({ input_ref: 'file:mended.json', code: 'blob.not_found' });
    const right = await run(['dead-letters', 'redrive', '--id', letter.id, '--data', site.folder!]);
    expect([right.status, linesOf(right)]).toEqual([0, [{ redriven: 1, left: 0 }]]);
    expect(await resultsOf(site, ['mended'])).toMatchObject([{ clean_state: 'completed' }]);
  });

  test('on a port that is taken does not listen, and closes what it had opened', async () => {
    const port = Number(new URL(site.address).port);
    let stopped = false;
    const house = { app: { app: site.house.app.app }, stop: async () => (stopped = true) } as unknown as House;
    await expect(listen(house, port, '127.0.0.1', 'key')).rejects.toMatchObject({
      code: 'cli.cannot_listen',
      message: `cannot listen on 127.0.0.1:${port} (EADDRINUSE)`,
    });
    expect(stopped).toBe(true);
  });
});

afterEach(() => vi.unstubAllEnvs());

describe('workers alone, on PostgreSQL', () => {
  test('do what a server without workers is handed, and stop when they are told', async () => {
    const site: Site & { close(): Promise<void> } = await openSite('postgres', { workers: false });
    try {
      const env = { DATABASE_URL: inject('postgresUrl'), SIGNALBOX_SCHEMA: site.house.database.schema };
      const worker = start(['worker', '--only', 'answers.clean'], { env });
      await worker.says(/is at work/);
      const ids = Array.from({ length: 50 }, (_, n) => `far-${n}`);
      const lines = await clean(
        site,
        ids.map((id) => task(id)),
      );
      expect(lines.filter((line) => line.clean_state === 'completed')).toHaveLength(50);
      const { body } = await site.call('GET', '/trace/far-0');
      expect(body.runs[0].worker).toContain(`-${worker.child.pid}`);
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
      await expect(
        createProgram().parseAsync(['node', 'signalbox', 'worker', '--only', 'no.such']),
      ).rejects.toMatchObject({
        code: 'cli.queue_unknown',
        message: expect.stringMatching(/^no queue no\.such; there are: .*answers\.clean/),
      });
      expect(await worker.stop('SIGTERM')).toMatchObject({ status: 0, signal: null });
      // What comes now waits.
      await site.call('POST', '/answers/clean-tasks', { json: task('late') });
      await until(async () => {
        const { queues } = (await site.call('GET', '/queues')).body;
        expect(queues).toMatchObject([{ name: 'answers.clean', waiting: 1, active: 0 }]);
      });
    } finally {
      await site.close();
    }
  });
});

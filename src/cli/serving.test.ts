import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { linesOf, run, serve, start } from '../../test/harness/cli.ts';
import { newDataFolder, newFolder } from '../../test/harness/data-folder.ts';
import { openSite, type Site, until } from '../../test/harness/site.ts';
import { clean, resultsOf, task } from '../../test/harness/tasks.ts';

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
    const args = ['trace', 'afar', '--server', `${site.address}/`];
    const [mine, wrong, none] = await Promise.all([
      run(args, { env: { SIGNALBOX_API_KEY: key } }),
      run(args, { env: { SIGNALBOX_API_KEY: `${key}!` } }),
      run(args),
    ]);
    expect([mine!.status, linesOf(mine!)[0]]).toMatchObject([0, { state: 'completed' }]);
    expect(wrong).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('(auth.unknown_key)') });
    expect(none).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('(auth.missing)') });
  });

  test('puts back what is asked for, through the command line', async () => {
    const { answer: _left, ...far } = task('mended');
    await site.call('POST', '/answers/clean-tasks', { json: { ...far, raw_data_url: 'file:mended.json' } });
    await resultsOf(site, ['mended']);
    writeFileSync(join(site.rawFolder, 'mended.json'), JSON.stringify('推荐豆包：语音对话自然，适合日常问答。'));
    const [letter] = linesOf(await run(['dead-letters', 'list', '--data', site.folder!]));
    expect(letter).toMatchObject({ input_ref: 'file:mended.json', code: 'blob.not_found' });
    const wrong = await run(['dead-letters', 'redrive', '--code', 'no.such', '--data', site.folder!]);
    expect(linesOf(wrong)).toEqual([{ redriven: 0, left: 0 }]);
    const right = await run(['dead-letters', 'redrive', '--id', letter.id, '--data', site.folder!]);
    expect([right.status, linesOf(right)]).toEqual([0, [{ redriven: 1, left: 0 }]]);
    expect(await resultsOf(site, ['mended'])).toMatchObject([{ clean_state: 'completed' }]);
  });

  test('on a port that is taken is not started', async () => {
    const port = new URL(site.address).port;
    const ended = await run(['start', '--port', port, '--data', newDataFolder()]);
    expect(ended).toEqual({
      status: 2,
      signal: null,
      stdout: '',
      stderr: `signalbox: cannot listen on 127.0.0.1:${port} (EADDRINUSE) (cli.cannot_listen)\n`,
    });
  });
});

describe('workers alone, on PostgreSQL', () => {
  test('do what a server without workers is handed, and stop when they are told', async () => {
    const site: Site & { close(): Promise<void> } = await openSite('postgres', { workers: false });
    try {
      const env = { DATABASE_URL: inject('postgresUrl'), SIGNALBOX_SCHEMA: site.house.database.schema };
      const [worker, nowhere] = [
        start(['worker', '--only', 'answers.clean'], { env }),
        run(['worker', '--only', 'no.such'], { env }),
      ];
      expect(await nowhere).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(
          /^signalbox: no queue no\.such; there are: .*answers\.clean.* \(cli\.queue_unknown\)\n$/,
        ),
      });
      await worker.says(/is at work/);
      const ids = Array.from({ length: 50 }, (_, n) => `far-${n}`);
      const lines = await clean(
        site,
        ids.map((id) => task(id)),
      );
      expect(lines.filter((line) => line.clean_state === 'completed')).toHaveLength(50);
      const { body } = await site.call('GET', '/trace/far-0');
      expect(body.runs[0].worker).toContain(`-${worker.child.pid}`);
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

  test('need PostgreSQL', async () => {
    const ended = await run(['worker']);
    expect(ended).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/DATABASE_URL \(cli\.needs_postgres\)\n$/),
    });
  });
});

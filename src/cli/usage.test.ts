import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test, vi } from 'vitest';
import { BIN, run, start } from '../../test/harness/cli.ts';
import { newFolder } from '../../test/harness/data-folder.ts';
import { createProgram } from './program.ts';

function* everyCommand(command: Command, path: readonly string[] = []): Generator<[string, Command]> {
  yield [path.join(' '), command];
  for (const one of command.commands) yield* everyCommand(one, [...path, one.name()]);
}

const known = [...everyCommand(createProgram())];

describe('help', () => {
  test('is there for every command of the contract', () => {
    const names = known.map(([name]) => name);
    for (const name of [
      'start',
      'worker',
      'demo',
      'clean',
      'extract',
      'labels',
      'replay',
      'trace',
      'queues',
      'dead-letters',
      'mock-model',
      'doctor',
    ]) {
      expect(names).toContain(name);
    }
    for (const act of ['list', 'preview', 'redrive']) expect(names).toContain(`dead-letters ${act}`);
  });

  test.each(known)('of "%s" says what it is for, and what each option is', async (name, command) => {
    const parts = name.split(' ').filter(Boolean);
    let said = '';
    const program = createProgram();
    for (const [, one] of everyCommand(program)) {
      one.configureOutput({ writeOut: (text) => (said += text), writeErr: (text) => (said += text) });
    }
    await expect(program.parseAsync(['node', 'signalbox', ...parts, '--help'])).rejects.toMatchObject({
      code: 'commander.helpDisplayed',
      exitCode: 0,
    });
    expect(said).toContain(`Usage: signalbox${name && ` ${name}`}`);
    expect(command.description()).toMatch(/\w/);
    for (const option of command.options) {
      expect(said).toContain(option.flags);
      expect([option.flags, option.description]).toEqual([option.flags, expect.stringMatching(/\w/)]);
    }
  });

  test('goes to standard output with status 0; what is wrong goes to standard error with status 2', async () => {
    const [help, option] = await Promise.all([run(['--help']), run(['dead-letters', 'redrive', '--all'])]);
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: signalbox'), stderr: '' });
    expect(option).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: unknown option '--all'/),
    });
    // What would have been right follows.
    expect(option!.stderr).toContain('Usage: signalbox dead-letters redrive');
  });

  test.each([
    [['start', '--port', 'x'], 'commander.invalidArgument', /'x' is invalid.*0 to 65535/],
    [['start', '--port', '65536'], 'commander.invalidArgument', /is invalid.*0 to 65535/],
    [['demo', '--port', '-1'], 'commander.invalidArgument', /is invalid.*0 to 65535/],
    [['mock-model', '--port', '1.5'], 'commander.invalidArgument', /is invalid.*0 to 65535/],
    [[], 'commander.help', /start \[options\]/],
    [['launder'], 'commander.unknownCommand', /unknown command 'launder'/],
    [['clean', 'tasks.jsonl', '--brand', 'x.yaml'], 'commander.unknownOption', /'--brand'.*Did you mean --brands/s],
    [['clean'], 'commander.missingArgument', /missing required argument 'file'/],
    [['trace', 'a', 'b'], 'commander.excessArguments', /too many arguments/],
    [['dead-letters', 'list', '--limit'], 'commander.unknownOption', /unknown option '--limit'/],
  ])('%j is wrong use', async (args, code, message) => {
    let said = '';
    const program = createProgram();
    for (const [, one] of everyCommand(program)) one.configureOutput({ writeErr: (text) => (said += text) });
    await expect(program.parseAsync(['node', 'signalbox', ...args])).rejects.toMatchObject({ code });
    expect(said).toMatch(message);
    expect(said).toContain('Usage: signalbox');
  });

  test('what cannot be done is one line with its code', async () => {
    const env = { SIGNALBOX_API_KEY: 'short' };
    const ended = await run(['queues', '--data', newFolder('none')], { env });
    const message = 'SIGNALBOX_API_KEY must have at least 32 characters, it has 5 (accounts.master_key_short)';
    expect(ended).toEqual({ status: 2, signal: null, stdout: '', stderr: `signalbox: ${message}\n` });
  });

  test.each([
    [['worker'], 'cli.needs_postgres', /DATABASE_URL/],
    [
      ['queues', '--server', 'http://127.0.0.1:1'],
      'cli.server_unreachable',
      /http:\/\/127\.0\.0\.1:1\S* does not answer/,
    ],
    [['clean', '/', '--server', 'http://127.0.0.1:1'], 'cli.unreadable', /is a folder/],
  ])('%j cannot be done', async (args, code, message) => {
    vi.stubEnv('DATABASE_URL', undefined);
    const asked = createProgram().parseAsync(['node', 'signalbox', ...args]);
    await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    vi.unstubAllEnvs();
  });
});

describe('mock-model', () => {
  test('says where it listens, answers, logs what ended, and ends well', async () => {
    const folder = newFolder('mock');
    writeFileSync(
      join(folder, 'script.yaml'),
      'answers:\n  - { when: { contains: weather }, reply: Rain. }\nfaults:\n  - { kind: rate_limited, retry_after: 3, when: { contains: twice } }\n',
    );
    const running = start(['mock-model', '--script', 'script.yaml'], { cwd: folder });
    const [url] = await running.says(/^http:\/\/127\.0\.0\.1:\d+\/v1$/m);
    const ask = (content: string) =>
      fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-request-key': 'k-1' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
      });
    const answer = (await (await ask('the weather?')).json()) as { choices: { message: { content: string } }[] };
    expect(answer.choices[0]!.message.content).toBe('Rain.');
    const refused = await ask('twice');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
    await running.says(/#2 429 .*key=k-1/);
    const ended = await running.stop('SIGTERM');
    expect([ended.status, ended.stdout]).toEqual([0, `${url}\n`]);
  });
});

describe('the launcher', () => {
  /** A program called node that says it is of a version, and then what it was started with. */
  const fakeNode = (folder: string, version: string): string => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'node');
    writeFileSync(path, `#!/bin/sh\nif [ "$1" = -p ]; then echo ${version}; else echo "${version}:" "$@"; fi\n`);
    chmodSync(path, 0o755);
    return path;
  };
  /** A checkout that has the launcher and nothing else. */
  const checkout = (main = 'src/main.ts'): { readonly root: string; readonly bin: string } => {
    const root = newFolder('checkout');
    for (const folder of ['bin', join(main, '..')]) mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, main), '');
    copyFileSync(BIN, join(root, 'bin/signalbox'));
    return { root, bin: join(root, 'bin/signalbox') };
  };
  const bare = (node: string, more: NodeJS.ProcessEnv = {}) => ({
    PATH: `${node}:/usr/bin:/bin`,
    SIGNALBOX_NODE: '',
    ...more,
  });

  test('with only an older Node says what to do and ends with 69', async () => {
    const { root, bin } = checkout();
    const old = join(root, 'old');
    fakeNode(old, '20');
    const ended = await run(['clean', 'x.jsonl'], { command: bin, env: bare(old) });
    expect([ended.status, ended.stdout]).toEqual([69, '']);
    expect(ended.stderr).toMatch(/Node\.js 24 or newer/);
    expect(ended.stderr).toContain(`npm ci' in ${root}`);
    expect(ended.stderr).toContain('SIGNALBOX_NODE');
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test('with none at all, or one that does not start, it says the same', async () => {
    const { root, bin } = checkout();
    mkdirSync(join(root, 'none'));
    writeFileSync(join(root, 'none/node'), '#!/bin/sh\nexit 127\n');
    chmodSync(join(root, 'none/node'), 0o755);
    const ended = await run([], { command: bin, env: bare(join(root, 'none')) });
    expect([ended.status, ended.stderr]).toEqual([69, expect.stringContaining('Node.js 24')]);
  });

  test("takes the one that is named, then the project's own, then yours, and passes over what is too old", async () => {
    const { root, bin } = checkout();
    const [named, own, yours] = ['named', 'node_modules/.bin', 'yours'].map((folder) => join(root, folder));
    fakeNode(yours!, '24');
    const args = ['clean', 'two words', '--brands', '$HOME'];
    const said = async (env: NodeJS.ProcessEnv) => (await run(args, { command: bin, env })).stdout;
    const line = (version: string) => `${version}: ${root}/src/main.ts clean two words --brands $HOME\n`;
    expect(await said(bare(yours!))).toBe(line('24'));
    fakeNode(own!, '25');
    expect(await said(bare(yours!))).toBe(line('25'));
    expect(await said(bare(yours!, { SIGNALBOX_NODE: fakeNode(named!, '26') }))).toBe(line('26'));
    expect(await said(bare(yours!, { SIGNALBOX_NODE: fakeNode(named!, '18') }))).toBe(line('25'));
    fakeNode(own!, '22');
    expect(await said(bare(yours!))).toBe(line('24'));
  });

  test('starts what was packed where there are no sources', async () => {
    const { root, bin } = checkout('dist/main.js');
    fakeNode(join(root, 'yours'), '24');
    const { stdout } = await run(['x'], { command: bin, env: bare(join(root, 'yours')) });
    expect(stdout).toBe(`24: ${root}/dist/main.js x\n`);
  });

  test('works through links, from any folder', async () => {
    const folder = newFolder('links');
    mkdirSync(join(folder, 'far'));
    symlinkSync(BIN, join(folder, 'far/absolute'));
    symlinkSync('far/absolute', join(folder, 'relative'));
    symlinkSync('../relative', join(folder, 'far/back'));
    const ended = await run(['--version'], { command: join(folder, 'far/back'), cwd: '/' });
    expect(ended).toEqual({ status: 0, signal: null, stdout: '0.1.0\n', stderr: '' });
  });
});

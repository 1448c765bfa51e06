import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { mockModelCommand } from './command.ts';

const RUN = `import(${JSON.stringify(new URL('./command.ts', import.meta.url).href)}).then((m) => m.mockModelCommand().parseAsync(process.argv.slice(1), { from: 'user' }))`;

test('prints its base URL, serves, tells each request, and ends with 0 on SIGTERM', async () => {
  const child = spawn(process.execPath, ['-e', RUN, '--', '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    const line = once(createInterface(child.stderr), 'line');
    await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'x-request-key': 'k1' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect((await line)[0]).toMatch(/^#1 200 answered \d+ms \d+B in-flight=1 model=m key=k1$/);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('wrong ports and scripts are told in one line', async () => {
  const command = () =>
    mockModelCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
  await expect(command().parseAsync(['--port', '70000'], { from: 'user' })).rejects.toThrow('from 0 to 65535');
  await expect(command().parseAsync(['--script', '/does/not/exist.yaml'], { from: 'user' })).rejects.toMatchObject({
    code: 'mock_model.bad_script',
  });
});

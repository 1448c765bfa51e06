import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseScript, parseScriptText, readScript } from './script.ts';

test('everything may be left out', () => {
  const empty = { seed: '0', latency_ms: 0, mode: 'plain', answers: [], faults: [] };
  expect(parseScript({})).toEqual(empty);
  expect(parseScriptText('')).toEqual(empty);
});

test('faults get their defaults', () => {
  const { faults } = parseScript({
    faults: [{ kind: 'rate_limited' }, { kind: 'server_error' }, { kind: 'slow_stream' }],
  });
  expect(faults).toEqual([
    { kind: 'rate_limited', rate: 1, retry_after: 1, form: 'seconds' },
    { kind: 'server_error', rate: 1, status: 500, retry_after: null, form: 'seconds' },
    { kind: 'slow_stream', rate: 1, interval_ms: 50, chunk_bytes: 16 },
  ]);
});

test.each<[string, unknown, string, string]>([
  ['a fault that does not exist', { faults: [{ kind: 'hang' }, { kind: 'fire' }] }, 'faults[1].kind', 'hang'],
  ['a rate above 1', { faults: [{ kind: 'hang', rate: 2 }] }, 'faults[0].rate', '1'],
  ['a parameter of another fault', { faults: [{ kind: 'hang', status: 500 }] }, 'faults[0]', 'status'],
  [
    'a pattern that is none',
    { answers: [{ when: { matches: '(' }, reply: 'x' }] },
    'answers[0].when.matches',
    'regular',
  ],
  ['an answer without a reply', { answers: [{ when: { contains: 'x' } }] }, 'answers[0].reply', 'text or an object'],
  ['a range upside down', { latency_ms: { min: 5, max: 1 } }, 'latency_ms', 'above max'],
  ['an unknown mode', { mode: 'evil' }, 'mode', 'obedient'],
  ['a list', [], 'script', 'object'],
])('%s: one line that names the field', (_, value, field, words) => {
  const error = catchError(() => parseScript(value, 'my.yaml'));
  expect(error).toMatchObject({ code: 'mock_model.bad_script', errorClass: 'permanent', detail: { field } });
  expect(error.message).toContain(`my.yaml: ${field}: `);
  expect(error.message).toContain(words);
  expect(error.message).not.toContain('\n');
});

test('a text that is no YAML names the line', () => {
  const error = catchError(() => parseScriptText('seed: 1\nfaults: [', 'my.yaml'));
  expect(error.message).toMatch(/^my\.yaml: .*line 2/);
  expect(error.message).not.toContain('\n');
});

test('files are read as YAML or JSON; a missing one is a clear error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mock-script-'));
  try {
    const yaml = join(folder, 'a.yaml');
    await writeFile(yaml, 'seed: 7\nanswers:\n  - when: { contains: 苹果 }\n    reply: { decision: approve }\n');
    expect(await readScript(yaml)).toMatchObject({ seed: '7', answers: [{ reply: { decision: 'approve' } }] });
    const json = join(folder, 'b.json');
    await writeFile(json, '{"latency_ms": {"min": 1, "max": 2}}');
    expect(await readScript(json)).toMatchObject({ latency_ms: { min: 1, max: 2 } });
    await expect(readScript(join(folder, 'none.yaml'))).rejects.toThrow('none.yaml: cannot be read (ENOENT)');
  } finally {
    await rm(folder, { recursive: true });
  }
});

function catchError(act: () => unknown): Error {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

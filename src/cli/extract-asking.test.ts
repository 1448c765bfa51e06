import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linesOf, type Running, run, start } from '../../test/harness/cli.ts';
import { newFolder } from '../../test/harness/data-folder.ts';

const folder = newFolder('extract');
const at = (name: string) => join(folder, name);
const types = ['--types', at('types.yaml')];

let mock: Running;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const put = (name: string, content: unknown) =>
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  put('types.yaml', {
    types: [
      {
        code: 'invoice',
        name: 'Invoice',
        fields: [
          { code: 'no', name: 'Invoice number', type: 'string', required: true },
          { code: 'total', name: 'Total', type: 'money', required: true },
        ],
      },
    ],
  });
  put('good.txt', 'Larkspur Ltd\nThis asks you to pay A-17\nwith £12.00 in all.');
  put('doubtful.txt', 'Larkspur Ltd\nThis asks you to pay B-18\nwith £13.00 in all.');
  put('poison.txt', 'Larkspur Ltd\nThis asks you to pay C-19\nwith £14.00 in all.');
  put('slow.txt', 'Larkspur Ltd\nThis asks you to pay D-20.');
  const sorted = { evidence: 'This asks you to pay', type: 'invoice', confidence: 0.9 };
  const value = (evidence: string, raw: string, said: unknown) => ({ evidence, raw, value: said });
  const of = (text: string, step: string) => ({ matches: `${step}[^]*${text}` });
  put('script.yaml', {
    answers: [
      { when: of('A-17', 'You sort'), reply: sorted },
      { when: of('B-18', 'You sort'), reply: { ...sorted, confidence: 0.4 } },
      {
        when: of('A-17', 'You read'),
        reply: { no: value('to pay A-17', 'A-17', 'A-17'), total: value('with £12.00', '£12.00', 12) },
      },
    ],
    faults: [
      { kind: 'server_error', when: { contains: 'C-19' } },
      { kind: 'truncated', when: { contains: 'D-20' } },
    ],
  });
  mock = start(['mock-model', '--script', at('script.yaml')]);
  const [url] = await mock.says(/http:\S+/);
  env = { OPENAI_BASE_URL: url, SIGNALBOX_MODEL: 'mock-1' };
});
afterAll(async () => {
  await mock.stop('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

test('extract asks the model of the environment; what it cannot do is an error of that file', async () => {
  const files = ['good.txt', 'poison.txt', 'doubtful.txt', 'slow.txt'].map(at);
  const ended = await run(['extract', ...files, ...types, '--json'], { env });
  expect(linesOf(ended)).toMatchObject([
    {
      file: files[0],
      type: 'invoice',
      confidence: 0.9,
      by: 'model',
      model: 'mock-1',
      state: 'ready',
      review_reasons: [],
      fields: {
        no: { value: 'A-17', evidence: 'to pay A-17', page: 1, source: 'model' },
        total: { value: 12, currency: 'GBP', source: 'model' },
      },
      error: null,
    },
    { file: files[1], type: null, state: 'failed', fields: {}, error: { code: 'llm.unavailable' } },
    { file: files[2], type: null, by: 'model', state: 'in_review', review_reasons: ['type_unsure'], fields: {} },
    { file: files[3], type: null, state: 'failed', error: { code: 'llm.truncated' } },
  ]);
  expect(ended.status).toBe(1);
  expect(ended.stderr.trim().split('\n')).toHaveLength(2);
});

test('extract goes by rules where no model is named, and does not say one', async () => {
  const [line] = linesOf(await run(['extract', at('good.txt'), ...types, '--json']));
  expect(line).toMatchObject({ by: 'rules', state: 'in_review' });
  expect(line).not.toHaveProperty('model');
});

test('extract: a model that cannot be is wrong use', async () => {
  const ended = await run(['extract', at('good.txt'), ...types], { env: { ...env, OPENAI_BASE_URL: 'nowhere' } });
  expect([ended.status, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('(llm.bad_settings)');
});

test('extract: a model that is not there fails each file, and the command ends', async () => {
  const gone = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', SIGNALBOX_MODEL: 'm' };
  const ended = await run(['extract', at('good.txt'), at('doubtful.txt'), ...types, '--json'], { env: gone });
  expect(linesOf(ended)).toMatchObject([
    { error: { code: 'llm.unavailable' } },
    { error: { code: 'llm.unavailable' } },
  ]);
  expect(ended.status).toBe(1);
});

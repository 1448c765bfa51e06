import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, run } from '../../test/harness/cli.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples/documents');
const example = (name: string) => join(EXAMPLES, name);

test('extract: a line a file, a good one beside bad ones; status 1 if any could not be read', async () => {
  const files = ['d10.pdf', 'd23.jpg', 'make', 'd19.xlsx'].map(example);
  const ended = await run(['extract', ...files, '--types', example('types.yaml'), '--json']);
  expect(ended.status).toBe(1);
  expect(linesOf(ended)).toMatchObject([
    {
      file: files[0],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      media_type: 'application/pdf',
      type: 'invoice',
      by: 'rules',
      fields: { total: { value: 9858, currency: 'CNY', evidence: expect.stringContaining('价税合计') } },
      error: null,
    },
    { file: files[1], media_type: 'image/jpeg', text_method: 'ocr', type: 'receipt', error: null },
    { file: files[2], type: null, state: 'failed', error: { code: 'cli.unreadable' } },
    { file: files[3], type: 'bank_statement', error: null },
  ]);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
});

test('extract: types that are not there, or wrong, are said to be so before anything is read', async () => {
  const nowhere = await run(['extract', example('d10.pdf'), '--types', example('nowhere.yaml')]);
  expect([nowhere.status, nowhere.stdout]).toEqual([2, '']);
  expect(nowhere.stderr).toContain('(cli.unreadable)');
  const wrong = await run(['extract', example('d10.pdf'), '--types', example('expected.jsonl')]);
  expect([wrong.status, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('(documents.types_invalid)');
});

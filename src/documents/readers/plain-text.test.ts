import { expect, test } from 'vitest';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

test.each(['a.txt', 'a.md', 'a.log', 'a'])(
  '%s stays as it is but for line ends, a mark of byte order and blanks at the end',
  async (name) => {
    const { markdown, warnings } = await readText(Buffer.from('\ufeff  # A\r\n\r\n* b_c | d \\*\r  e\n\n'), name);
    expect([markdown, warnings]).toEqual(['  # A\n\n* b_c | d \\*\n  e', []]);
  },
);

test('form feeds begin pages; a page without text keeps its number', async () => {
  const { markdown, pages } = await readText(Buffer.from('one\n\f\f\n\n  three\n\f'), 'a.txt');
  expect(markdown).toBe('one\n\n  three');
  expect(pages.map(({ page, start, characters }) => [page, start, characters])).toEqual([
    [1, 0, 3],
    [2, null, 0],
    [3, 5, 5],
  ]);
});

test('pages count', async () => {
  const many = readText(Buffer.from('a\f'.repeat(5)), 'a.txt', { ...DEFAULT_BUDGETS, pages: 4 });
  await expect(many).rejects.toMatchObject({ code: 'file.too_large' });
});

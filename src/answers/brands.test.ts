import { describe, expect, test } from 'vitest';
import { noBrands, parseBrands, withTaskAliases } from './brands.ts';
import { compileBrands } from './compile-brands.ts';

describe('brands.yaml', () => {
  test('words and words with flags are aliases; a brand without aliases is looked for by its name', () => {
    const { brands } = parseBrands({
      brands: [
        { name: '苹果', aliases: ['苹果', { text: 'AAPL', case_sensitive: true }], domains: ['WWW.Apple.com'] },
        { name: '豆包' },
      ],
    });
    expect(brands[0]!.aliases.map((alias) => [alias.text, alias.caseSensitive, alias.origin])).toEqual([
      ['苹果', false, 'rulebook'],
      ['AAPL', true, 'rulebook'],
    ]);
    expect(brands[0]!.domains).toEqual(['apple.com']);
    expect(brands[1]!.aliases.map((alias) => alias.text)).toEqual(['豆包']);
  });
  test.each([
    ['answers.alias_empty', [{ name: 'A', aliases: ['ok', '—'] }], 'A', 'aliases[1]'],
    [
      'answers.alias_collision',
      [
        { name: 'A', aliases: ['Chat GPT'] },
        { name: 'B', aliases: ['ChatGPT'] },
      ],
      'B',
      'aliases[0]',
    ],
    ['answers.brand_duplicate', [{ name: 'A' }, { name: 'A' }], 'A', 'name'],
    ['answers.phrase_empty', [{ name: 'A', exclude: ['-'] }], 'A', 'exclude[0]'],
    ['answers.brands_invalid', [{ name: 'A', alias: ['x'] }], 'A', ''],
    ['answers.brands_invalid', [{ name: 'A', aliases: ['x', 3] }], 'A', 'aliases[1]'],
    ['answers.brands_invalid', [{ aliases: ['x'] }], '#1', 'name'],
    ['answers.brands_invalid', 'nothing', null, ''],
  ])('%s names brand and field', (code, brands, brand, field) => {
    expect(() => parseBrands(typeof brands === 'string' ? brands : { brands })).toThrow(
      expect.objectContaining({ code, errorClass: 'permanent', detail: { brand, field } }),
    );
  });
});

describe('aliases of a task', () => {
  const table = parseBrands([{ name: '豆包', aliases: ['豆包'] }, { name: 'Kimi' }]);
  test('they extend the brand, and remember where they come from', () => {
    const { brands } = withTaskAliases(table, '豆包', ['豆包', 'Doubao']);
    expect(brands[0]!.aliases.map((alias) => [alias.text, alias.origin])).toEqual([
      ['豆包', 'rulebook'],
      ['Doubao', 'task'],
    ]);
    expect(withTaskAliases(table, '元宝', ['腾讯元宝']).brands.at(-1)).toMatchObject({
      name: '元宝',
      aliases: [{ text: '腾讯元宝', origin: 'task' }],
    });
    expect(withTaskAliases(noBrands, '元宝', []).brands[0]!.aliases[0]).toMatchObject({ text: '元宝', origin: 'task' });
  });
  test('an alias of another brand is refused', () => {
    expect(() => withTaskAliases(table, '豆包', ['kimi'])).toThrow(
      expect.objectContaining({ code: 'answers.alias_collision' }),
    );
  });
  test('the same aliases are compiled once', () => {
    expect(withTaskAliases(table, '豆包', ['豆包'])).toBe(table);
    const [first, again] = [withTaskAliases(table, '豆包', ['Doubao']), withTaskAliases(table, '豆包', ['Doubao'])];
    expect(compileBrands(first)).toBe(compileBrands(again));
  });
});

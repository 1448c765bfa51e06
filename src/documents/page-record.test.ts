import { expect, test } from 'vitest';
import { type PageRecord, pageAt, recordPage } from './page-record.ts';

const withoutText = (page: number): PageRecord => ({
  page,
  start: null,
  method: 'none',
  characters: 0,
  score: null,
  warnings: [],
});

test('a place belongs to the last page that begins before it', () => {
  const pages = [withoutText(1), recordPage(2, 'second', 0), withoutText(3), recordPage(4, 'fourth', 8)];
  expect([0, 5, 7, 8, 99].map((offset) => pageAt(pages, offset))).toEqual([2, 2, 2, 4, 4]);
  expect(pageAt([recordPage(1, 'a', 3)], 2)).toBeNull();
  expect(pageAt([], 0)).toBeNull();
});

test('a page of white space has no text, whatever place it is given', () => {
  expect(recordPage(1, ' \n', 7)).toMatchObject({ start: null, characters: 0, score: null });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOrder, findDates } from './normalise-date.ts';

const first = (text: string, order: Parameters<typeof findDates>[1] = null) => findDates(text, order)[0];

test.each([
  ['2026年3月5日', '2026-03-05'],
  ['2026 年 03 月 05 日', '2026-03-05'],
  ['二〇二六年三月五日', '2026-03-05'],
  ['二○二六年十二月三十一日', '2026-12-31'],
  ['2026-5-4', '2026-05-04'],
  ['2026/3/28 19:05:44', '2026-03-28'],
  ['05.03.2026', '2026-03-05'],
  ['March 5, 2026', '2026-03-05'],
  ['the 5th day of March 2026', '2026-03-05'],
  ['24 April 2026', '2026-04-24'],
  ['1-Jul-2026', '2026-07-01'],
  ['17/05/2026', '2026-05-17'],
  ['05/17/2026', '2026-05-17'],
])('%s is %s', (text, value) => {
  expect(first(text)).toMatchObject({ value, ambiguous: false });
});

test('numbers alone are read as the document reads them, else both ways are possible', () => {
  expect(first('03/05/2026', 'day-first')).toMatchObject({ value: '2026-05-03', ambiguous: false });
  expect(first('03/05/2026', 'month-first')).toMatchObject({ value: '2026-03-05', ambiguous: false });
  expect(first('03/05/2026')).toMatchObject({ value: '2026-03-05', ambiguous: true });
  expect(first('05/05/2026')).toMatchObject({ value: '2026-05-05', ambiguous: false });
  expect(dateOrder('Due 17/05/2026, issued 03/05/2026')).toBe('day-first');
  expect(dateOrder('Due 05/17/2026')).toBe('month-first');
  expect(dateOrder('03/05/2026, £12')).toBe('day-first');
  expect(dateOrder('03/05/2026')).toBeNull();
});

test.each(['2026-02-30', '31 April 2026', '2026年13月1日', '12.34.5678', '1.2.3', '电话 2026-0318-02'])(
  '%s is no date',
  (text) => {
    expect(findDates(text, null)).toEqual([]);
  },
);

test('every day of two centuries is found again in each of its forms', () => {
  const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2150-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const value = date.toISOString().slice(0, 10);
      const [y, m, d] = value.split('-').map(Number);
      const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(date);
      for (const text of [value, `${y}年${m}月${d}日`, `${y}/${m}/${d}`, `${d}.${m}.${y}`, long])
        expect(findDates(`x ${text} y`, null).map((found) => found.value)).toEqual([value]);
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
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

describe('case 47: day and month are never swapped by guessing', () => {
  const US = 'Larkspur Inc., 12 Avenue, Springfield, OR 97000';
  const DE = 'Holzapfel Werkzeuge GmbH, Beispielstadt. Wir danken für die Bestellung und freuen uns';
  test.each([
    ['03/04/2026', US, '2026-03-04'],
    ['03/04/2026', DE, '2026-04-03'],
    ['03/04/2026', 'Total £12.00', '2026-04-03'],
    ['03/04/2026', 'paid on 17/05/2026', '2026-04-03'],
    ['03/04/2026', 'paid on 05/17/2026', '2026-03-04'],
    ['03/04/2026', 'that is on 3 April 2026', '2026-04-03'],
    ['03/04/2026', 'that is on March 4, 2026', '2026-03-04'],
    // What the document itself shows counts more than where it comes from.
    ['03/04/2026', `${US} 27/11/2026`, '2026-04-03'],
  ])('%s beside %j is %s', (printed, beside, value) => {
    const order = dateOrder(`${printed} ${beside}`);
    expect(findDates(printed, order)).toMatchObject([{ value, ambiguous: false }]);
  });

  test.each([
    ['nothing tells', 'Thank you.'],
    ['both orders are shown', '17/05/2026 and 05/17/2026'],
    ['two countries tell different things', 'Total £12.00, USD 15.00'],
  ])('where %s it is doubtful', (_name, beside) => {
    const order = dateOrder(`03/04/2026 ${beside}`);
    expect(order).toBeNull();
    expect(findDates('03/04/2026', order)).toMatchObject([{ ambiguous: true }]);
  });

  test.each(['27/11/2026', '11/27/2026', '05/05/2026'])('%s leaves no doubt', (printed) => {
    expect(findDates(printed, null)).toMatchObject([{ ambiguous: false }]);
  });

  test.each(['Monday', '3 May', '5月4日', 'May 2026', '2026年5月', 'as of today'])(
    '%s is no date: nothing is filled in',
    (text) => {
      expect(findDates(text, null)).toEqual([]);
    },
  );
});

describe('case 48: years first, eras, figures of other scripts', () => {
  test.each([
    ['2026-5-4', '2026-05-04'],
    ['2026-05-04T08:20:00Z', '2026-05-04'],
    ['２０２６．５．４', '2026-05-04'],
    ['令和8年3月5日', '2026-03-05'],
    ['令和元年5月1日', '2019-05-01'],
    ['R8.3.5', '2026-03-05'],
    ['平成31年4月30日', '2019-04-30'],
    ['中華民國115年3月5日', '2026-03-05'],
    ['民国115年3月5日', '2026-03-05'],
    ['٢٠٢٦/٠٣/٠٥', '2026-03-05'],
    ['۲۰۲۶/۰۳/۰۵', '2026-03-05'],
    ['२०२६-०३-०५', '2026-03-05'],
  ])('%s is %s', (text, value) => {
    expect(first(text)).toMatchObject({ value, ambiguous: false });
  });

  test('the year first is never followed by the day', () => {
    expect(findDates('2026-25-03', null)).toEqual([]);
  });
});

test.each([
  ['5. März 2026', '2026-03-05'],
  ['le 5 mars 2026', '2026-03-05'],
  ['5 de marzo de 2026', '2026-03-05'],
  ['5 maggio 2026', '2026-05-05'],
  ['12 Sept 2026', '2026-09-12'],
  ['12-Sep-2026', '2026-09-12'],
  ['Mar.5,2026', '2026-03-05'],
  ['贰零贰陆年叁月零伍日', '2026-03-05'],
  ['20260305', '2026-03-05'],
  // As recognised pictures show them.
  ['2O26-O3-05', '2026-03-05'],
  ['o5/l7/2026', '2026-05-17'],
])('%s is %s', (text, value) => {
  expect(first(text)).toMatchObject({ value, ambiguous: false });
});

test.each([
  ['1 July to 31 July 2026', '2026-07-01', '2026-07-31'],
  ['1-31 July 2026', '2026-07-01', '2026-07-31'],
  ['March 1 – 31, 2026', '2026-03-01', '2026-03-31'],
  ['June 20 to July 3, 2026', '2026-06-20', '2026-07-03'],
  ['2026年3月1日至31日', '2026-03-01', '2026-03-31'],
  ['2026年3月1日至4月30日', '2026-03-01', '2026-04-30'],
  ['2026.07.01-07.31', '2026-07-01', '2026-07-31'],
  ['20260401 - 20260430', '2026-04-01', '2026-04-30'],
  ['2026-03-01-2026-03-31', '2026-03-01', '2026-03-31'],
])('of %s both days', (text, from, to) => {
  expect(findDates(text, null).map(({ value }) => value)).toEqual([from, to]);
});

test.each([
  '2026-02-30',
  '31 April 2026',
  '12.34.5678',
  '1.2.3',
  '电话 2026-0318-02',
  'FP-2026-03-18-02',
  '2026年13月1日',
  '12 Boards 2026',
])('%s is no date', (text) => {
  expect(findDates(text, null)).toEqual([]);
});

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

import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../../test/harness/cli.ts';
import { newFolder } from '../../test/harness/data-folder.ts';
import { cleanedExamples } from '../../test/harness/examples.ts';

test('demo --once cleans the examples on a fresh database, shows the two monitoring queries and ends', async () => {
  const folder = newFolder('tmp');
  // A database that is named elsewhere is none of its business.
  const env = { TMPDIR: folder, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  const ended = await run(['demo', '--once'], { cwd: '/', env });
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  const [results, hours, brands] = ended.stdout.split(/\n(?=Cleaning, by hour|Mentions, by brand)/);
  const rowsOf = (table: string | undefined) => table!.split('\n').map((line) => line.trim().split(/\s{2,}/));

  const expected = cleanedExamples().flatMap(({ task, cleaned }) =>
    cleaned.results.map((result) => ({ ...result, id: task.clean_task_id, valid: cleaned.validity.valid })),
  );
  // People see the brands that an answer names, and of one that names none a single line.
  const worthShowing = [...Map.groupBy(expected, (one) => one.id).values()].flatMap((lines) => {
    const named = lines.filter((one) => one.is_mentioned);
    return named.length && lines.length > 1 ? named : lines.slice(0, 1);
  });
  const mark = (value: boolean) => (value ? 'yes' : 'no');
  const shown = rowsOf(results).filter(([id]) => id?.startsWith('ex-'));
  expect(shown.map(([id, brand, valid, , mentions, , rank]) => [id, brand, valid, mentions, rank].join())).toEqual(
    worthShowing.map((one) =>
      [one.id, one.brand_name, mark(one.valid), one.mention_count, one.recommendation_rank ?? '–'].join(),
    ),
  );

  // By hour: an hour may end meanwhile, so it is the sums that count.
  const counted = rowsOf(hours).filter(([hour]) => /^\d{4}-\d\d-\d\d \d\d:00$/.test(hour!));
  const sum = (column: number) => counted.reduce((all, row) => all + Number(row[column]), 0);
  expect([sum(1), sum(2), sum(3)]).toEqual([
    expected.length,
    expected.length,
    expected.filter((one) => !one.valid).length,
  ]);

  const valid = Map.groupBy(
    expected.filter((one) => one.valid),
    (one) => one.brand_name,
  );
  const rates = [...valid].map(([brand, lines]) => {
    const mentioned = lines.filter((one) => one.is_mentioned).length;
    return [brand, lines.length, mentioned, Math.round((mentioned * 1000) / lines.length) / 10].map(String);
  });
  const printed = rowsOf(brands).filter((row) => row.length === 4 && row[0] !== 'brand');
  expect(printed.toSorted()).toEqual(rates.toSorted());

  // Its database is gone with it.
  expect(readdirSync(folder)).toEqual([]);
});

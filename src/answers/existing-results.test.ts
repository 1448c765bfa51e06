import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCleaning } from '../../test/harness/cleaning.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { task } from '../../test/harness/tasks.ts';

/** What migration 0005 adds, taken away again. */
const BEFORE = `
drop table answers_finding;
drop table answers_result_version;
alter table clean_result drop column machine, drop column re_cleaned_at;
alter table entity_match_detail drop column machine`;
const MIGRATION = readFileSync(join(import.meta.dirname, '../storage/migrations/0005_findings.sql'), 'utf8');

onBothDatabases('results from before people could decide about them', (ground) => {
  test('are kept by the migration, and can be decided about and cleaned again', async () => {
    const { database } = ground();
    const cleaning = await openCleaning(ground);
    await cleaning.putBrands([{ name: '豆包' }, { name: 'Kimi' }]);
    await cleaning.cleanFirst(task('old'), task('old-invalid', { answer: '' }));
    const before = [await cleaning.lines('old'), await cleaning.lines('old-invalid')];
    await database.script(BEFORE);
    await expect(cleaning.lines('old')).rejects.toThrow();

    await database.script(MIGRATION);
    expect([await cleaning.lines('old'), await cleaning.lines('old-invalid')]).toEqual(before);
    await cleaning.decide('old', { field: 'recommended', value: false, expected_revision: 1 });
    expect((await cleaning.lines('old'))[0]).toMatchObject({
      is_recommended: false,
      machine: { is_recommended: true },
    });
    await cleaning.ask(['old', 'old-invalid']);
    await cleaning.work();
    expect((await cleaning.lines('old'))[0]).toMatchObject({ is_recommended: false, by: 'human' });
    expect((await cleaning.lines('old-invalid'))[0]).toMatchObject({ is_valid: false, invalid_reason: 'empty' });
    await cleaning.decide('old', { field: 'recommended', withdraw: true, expected_revision: 2 });
    const [line] = await cleaning.lines('old');
    const { revision, re_cleaned_at, ...columns } = line!;
    const { revision: _first, re_cleaned_at: _never, ...original } = before[0]![0]!;
    expect(columns).toEqual(original);
    expect([revision, re_cleaned_at]).toEqual([3, expect.any(Date)]);
  });
});

import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { openSecrets, SECRET_UNKNOWN, SECRET_UNREADABLE } from './secrets.ts';

onBothDatabases('secrets', (ground) => {
  beforeEach(() => ground().database.script('truncate secret'));
  const secrets = openSecrets('the key of the house');
  const sealed = async (name: string) => {
    const { rows } = await ground().database.query<{ cipher: string }>('select cipher from secret where name = $1', [
      name,
    ]);
    return rows[0]?.cipher;
  };

  test('come back as they were put, and lie in no readable form', async () => {
    const { database } = ground();
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 4 }),
        async (name, value) => {
          fc.pre(!name.includes('\0'));
          await secrets.put(database, name, value);
          expect(await secrets.get(database, name)).toBe(value);
          const bytes = Buffer.from((await sealed(name))!, 'base64');
          expect(bytes.includes(Buffer.from(value))).toBe(false);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('of the same value look different each time', async () => {
    const { database } = ground();
    await secrets.put(database, 'one', 'hush');
    const first = await sealed('one');
    await secrets.put(database, 'one', 'hush');
    expect(await sealed('one')).not.toBe(first);
    expect((await database.query('select count(*) as n from secret')).rows).toEqual([{ n: 1 }]);
  });

  test('may be empty, replaced and dropped', async () => {
    const { database } = ground();
    await secrets.put(database, 'one', '');
    expect(await secrets.get(database, 'one')).toBe('');
    await secrets.put(database, 'one', 'newer');
    expect(await secrets.get(database, 'one')).toBe('newer');
    await secrets.drop(database, 'one');
    await secrets.drop(database, 'one');
    await expect(secrets.get(database, 'one')).rejects.toMatchObject({ code: SECRET_UNKNOWN, errorClass: 'permanent' });
  });

  test('are not opened by another key, under another name, or when a bit was changed', async () => {
    const { database } = ground();
    const unreadable = { code: SECRET_UNREADABLE, errorClass: 'permanent' };
    await secrets.put(database, 'one', 'hush');
    await expect(openSecrets('another key').get(database, 'one')).rejects.toMatchObject(unreadable);
    await database.query(`insert into secret select 'two', cipher, updated_at from secret where name = 'one'`);
    await expect(secrets.get(database, 'two')).rejects.toMatchObject(unreadable);
    const bytes = Buffer.from((await sealed('one'))!, 'base64');
    for (const place of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[place]! ^= 1;
      await database.query(`update secret set cipher = $1 where name = 'one'`, [changed.toString('base64')]);
      await expect(secrets.get(database, 'one')).rejects.toMatchObject(unreadable);
    }
    await database.query(`update secret set cipher = 'AAAA' where name = 'one'`);
    await expect(secrets.get(database, 'one')).rejects.toMatchObject(unreadable);
  });
});

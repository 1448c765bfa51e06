import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { openEmbedded } from './embedded.ts';
import { openPostgres } from './postgres.ts';
import { OUTSIDE_TRANSACTION } from './transaction-scope.ts';

const undefinedOf = () => undefined;
const outside = { code: OUTSIDE_TRANSACTION, errorClass: 'permanent' };

onBothDatabases('a database', (ground, kind) => {
  beforeAll(() => ground().database.script('create table thing (id integer primary key, word text)'));
  beforeEach(() => ground().database.script('truncate thing'));
  const query = <Row>(text: string, params?: readonly unknown[]) => ground().database.query<Row>(text, params);
  const words = async () =>
    (await query<{ word: string }>('select word from thing order by id')).rows.map(({ word }) => word);

  describe('returns', () => {
    test.each([
      ['int', `42`, 42],
      ['bigint', `9007199254740991::bigint`, Number.MAX_SAFE_INTEGER],
      ['bigint past what a number can tell apart, rounded', `9007199254740993::bigint`, 2 ** 53],
      ['count', `(select count(*) from generate_series(1, 3))`, 3],
      ['double', `0.1::float8`, 0.1],
      ['numeric', `12345678901234567890.1230::numeric`, '12345678901234567890.1230'],
      ['boolean', `true`, true],
      ['null', `null::text`, null],
      ['text', `'雞''s "egg" \\ 🥚'::text`, `雞's "egg" \\ 🥚`],
      ['uuid', `'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
      ['timestamptz', `'2026-03-01 08:00:00.123+08'::timestamptz`, new Date('2026-03-01T00:00:00.123Z')],
      ['jsonb', `'{"a": [1, "中", null, {"b": 1.5}]}'::jsonb`, { a: [1, '中', null, { b: 1.5 }] }],
      ['jsonb text', `'"quoted"'::jsonb`, 'quoted'],
      ['jsonb null', `'null'::jsonb`, null],
      ['int[]', `array[1, null, -3]`, [1, null, -3]],
      [
        'text[]',
        `array['', 'null', null, 'a"b', 'c\\d', '{e,f}', ' 中 ']`,
        ['', 'null', null, 'a"b', 'c\\d', '{e,f}', ' 中 '],
      ],
      ['empty array', `'{}'::text[]`, []],
      ['xid8 as text', `'18446744073709551615'::xid8::text`, '18446744073709551615'],
    ])('%s', async (_, sql, value) => {
      expect((await query(`select ${sql} as value`)).rows).toEqual([{ value }]);
    });

    test('what it was given: text, arrays, JSON, dates, numbers', async () => {
      const text = fc.string({ unit: 'binary' }).filter((one) => !one.includes('\0'));
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            text: fc.option(text),
            list: fc.array(fc.option(text)),
            json: fc.jsonValue({ noUnicodeString: false }).filter((one) => !JSON.stringify(one).includes('\\u')),
            at: fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }),
            whole: fc.maxSafeInteger(),
            half: fc.double({ noNaN: true, noDefaultInfinity: true }),
            numbers: fc.array(fc.option(fc.integer())),
            flags: fc.array(fc.boolean()),
          }),
          async (given) => {
            const { text: word, list, json, at, whole, half, numbers, flags } = given;
            const { rows } = await query(
              `select $1::text as text, $2::text[] as list, $3::jsonb as json, $4::timestamptz as at, $5::bigint as whole,
                      $6::float8 as half, $7::int[] as numbers, $8::boolean[] as flags`,
              [word, list, JSON.stringify(json), at, whole, half, numbers, flags],
            );
            expect(rows[0]).toEqual({ ...given, json: JSON.parse(JSON.stringify(json)), half: half + 0 });
          },
        ),
        { numRuns: 50 },
      );
    });

    test('arrays as columns, in their order, each null in its place', async () => {
      const { rows } = await query(
        `select id, word, n from unnest($1::uuid[], $2::text[]) with ordinality as t(id, word, n)`,
        [
          ['00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000001'],
          ['中', null],
        ],
      );
      expect(rows).toEqual([
        { id: '00000000-0000-7000-8000-000000000002', word: '中', n: 1 },
        { id: '00000000-0000-7000-8000-000000000001', word: null, n: 2 },
      ]);
    });

    test('the number of rows that a statement returned or touched', async () => {
      const count = async (text: string) => (await query(text)).rowCount;
      expect(await count(`insert into thing select n, 'w' || n from generate_series(1, 5) n`)).toBe(5);
      expect(await count('select * from thing where id < 4')).toBe(3);
      expect(await count('select * from thing where id > 9')).toBe(0);
      expect(await count(`update thing set word = 'x' where id < 3`)).toBe(2);
      expect(await count(`update thing set word = 'x' where id > 9`)).toBe(0);
      expect(await count(`update thing set word = 'y' where id < 3 returning id`)).toBe(2);
      expect(await count(`insert into thing values (5, 'again') on conflict do nothing`)).toBe(0);
      expect(await count(`with gone as (delete from thing where id > 2 returning id) select id from gone`)).toBe(3);
      expect(await count('delete from thing')).toBe(2);
    });
  });

  test('an error carries its SQLSTATE', async () => {
    await expect(query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(query('select * from nowhere')).rejects.toMatchObject({ code: '42P01' });
    await query(`insert into thing values (1, 'one')`);
    await expect(query(`insert into thing values (1, 'two')`)).rejects.toMatchObject({ code: '23505' });
  });

  test('a script runs several statements, and none of them when one fails', async () => {
    const { database } = ground();
    await database.script(`insert into thing values (1, 'one'); insert into thing values (2, 'two; three')`);
    expect(await words()).toEqual(['one', 'two; three']);
    const failing = database.script(`insert into thing values (3, 'three'); insert into thing values (1, 'again')`);
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await words()).toEqual(['one', 'two; three']);
  });

  describe('a transaction', () => {
    test('commits what it did and returns what its work returned', async () => {
      const answer = await ground().database.transaction(async (tx) => {
        await tx.query(`insert into thing values (1, 'one')`);
        await tx.query(`insert into thing values (2, 'two')`);
        return (await tx.query<{ n: number }>('select count(*) as n from thing')).rows[0]!.n;
      });
      expect(answer).toBe(2);
      expect(await words()).toEqual(['one', 'two']);
    });

    test('undoes everything when its work throws, and throws the same', async () => {
      const { database } = ground();
      const mistake = new Error('changed my mind');
      const failing = database.transaction(async (tx) => {
        await tx.query(`insert into thing values (1, 'one')`);
        throw mistake;
      });
      await expect(failing).rejects.toBe(mistake);
      const broken = database.transaction(async (tx) => {
        await tx.query(`insert into thing values (1, 'one')`);
        await tx.query('select 1 / 0');
      });
      await expect(broken).rejects.toMatchObject({ code: '22012' });
      expect(await words()).toEqual([]);
    });

    test('does not pretend to have committed when a failed statement was passed over', async () => {
      const swallowing = ground().database.transaction(async (tx) => {
        await tx.query(`insert into thing values (1, 'one')`);
        await tx.query('select 1 / 0').catch(() => {});
        return 'done';
      });
      await expect(swallowing).rejects.toThrow();
      expect(await words()).toEqual([]);
    });

    test('has the query builder too', async () => {
      await ground().database.transaction(async (tx) => {
        await tx.orm.execute(`insert into thing values (1, 'one')`);
      });
      await ground().database.orm.execute(`insert into thing values (2, 'two')`);
      expect(await words()).toEqual(['one', 'two']);
    });

    test('of several at once each is whole', async () => {
      const { database } = ground();
      await database.script(`insert into thing values (0, '0')`);
      await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          database.transaction(async (tx) => {
            const { rows } = await tx.query<{ word: string }>(`select word from thing where id = 0 for update`);
            await tx.query(`update thing set word = $1 where id = 0`, [String(Number(rows[0]!.word) + 1)]);
            await tx.query(`insert into thing values ($1, 'more')`, [n + 1]);
          }),
        ),
      );
      expect((await words()).sort()).toEqual(['8', ...Array(8).fill('more')]);
    });
  });

  describe('while a transaction is open', () => {
    const inside = (doing: () => Promise<unknown>) =>
      ground().database.transaction(async (tx) => {
        await tx.query(`insert into thing values (1, 'one')`);
        await doing();
      });

    test.each([
      ['a statement', () => query('select 1')],
      ['a script', () => ground().database.script('select 1')],
      ['the query builder', () => Promise.resolve(ground().database.orm.execute('select 1'))],
      ['a second transaction', () => ground().database.transaction(async () => {})],
    ])('%s that goes past it is refused, and all is undone', async (_, doing) => {
      // The query builder wraps what the driver throws.
      const failure: Error | undefined = await inside(doing).then(undefinedOf, (error) => error);
      expect([failure, failure?.cause]).toContainEqual(expect.objectContaining(outside));
      expect(await words()).toEqual([]);
      await query('select 1');
    });

    test.runIf(kind === 'pglite')("so is one through the queue's handle", async () => {
      const { queue } = ground();
      await queue.boss.createQueue('test.outside');
      await expect(inside(() => queue.boss.send('test.outside', {}))).rejects.toMatchObject(outside);
      await expect(inside(() => queue.boss.fetch('test.outside'))).rejects.toMatchObject(outside);
      expect(await words()).toEqual([]);
      expect(await queue.boss.fetch('test.outside')).toEqual([]);
    });

    test('others go on beside it, and it may ask another database', async () => {
      const { database } = ground();
      const other = kind === 'pglite' ? null : openPostgres({ url: inject('postgresUrl'), schema: database.schema });
      const opened = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const held = database.transaction(async (tx) => {
        await tx.query(`insert into thing values (1, 'one')`);
        opened.resolve();
        await finish.promise;
        await other?.query('select 1');
      });
      await opened.promise;
      // On the embedded database the statement waits for its turn; on PostgreSQL it has a connection of its own.
      const beside = query('select 1 as one');
      if (kind === 'postgres') expect((await beside).rows).toEqual([{ one: 1 }]);
      finish.resolve();
      await held;
      expect((await beside).rows).toEqual([{ one: 1 }]);
      await other?.close();
    });
  });
});

describe('a pool of one connection', () => {
  const open = () => openPostgres({ url: inject('postgresUrl'), schema: 'public', poolSize: 1 });

  test('takes turns, and refuses what would wait for itself', async () => {
    const database = open();
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3].map((n) =>
        database.transaction(async (tx) => {
          await tx.query('select 1');
          order.push(n);
          await tx.query('select 2');
          order.push(n);
        }),
      ),
    );
    expect(order).toEqual([1, 1, 2, 2, 3, 3]);
    await expect(database.transaction(() => database.query('select 1'))).rejects.toMatchObject(outside);
    await expect(database.transaction(() => database.transaction(async () => 1))).rejects.toMatchObject(outside);
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await database.close();
  });

  test('replaces a connection that the server ended, during a transaction or between two', async () => {
    const database = open();
    const killer = openPostgres({ url: inject('postgresUrl'), schema: 'public', poolSize: 1 });
    const end = (pid: number) => killer.query('select pg_terminate_backend($1, 5000)', [pid]);
    const cut = database.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      await end(rows[0]!.pid);
      await tx.query('select 1');
    });
    await expect(cut).rejects.toThrow();
    const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
    await end(rows[0]!.pid);
    const next = await database.query<{ pid: number }>('select pg_backend_pid() as pid').catch(() => null);
    const after = next ?? (await database.query<{ pid: number }>('select pg_backend_pid() as pid'));
    expect(after.rows[0]!.pid).not.toBe(rows[0]!.pid);
    await database.close();
    await killer.close();
  });
});

test.each([
  ['postgres', async () => openPostgres({ url: inject('postgresUrl'), schema: 'public' })],
  ['pglite', () => openEmbedded({ schema: 'public', seed: new Blob([readFileSync(inject('embeddedSeed'))]) })],
] as const)('%s closes twice, and answers no more', async (_, open) => {
  const database = await open();
  await database.query('select 1');
  await Promise.all([database.close(), database.close()]);
  await database.close();
  await expect(database.query('select 1')).rejects.toThrow();
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseBrands } from '../src/answers/brands.ts';
import { cleanAgain } from '../src/answers/clean-again.ts';
import { currentFindings, decidedView, yieldFindings } from '../src/answers/findings.ts';
import { readLabels } from '../src/answers/labels.ts';
import { sampleMachine } from '../src/answers/machine.ts';
import { cleanStage } from '../src/answers/pipeline.ts';
import { reCleanAction } from '../src/answers/replay.ts';
import { currentVersion, keepVersions, listVersions } from '../src/answers/result-versions.ts';
import { listResults } from '../src/answers/results.ts';
import { loadSamples } from '../src/answers/sample.ts';
import { saveReCleaned } from '../src/answers/save-re-cleaned.ts';
import { decide } from '../src/core/decide.ts';
import { uuid7 } from '../src/core/ids.ts';
import { readHistory, recordBirths } from '../src/core/journal.ts';
import type { Machine } from '../src/core/machine.ts';
import { move } from '../src/core/move.ts';
import { readEvents, recordEvents } from '../src/core/outbox.ts';
import { type NewRun, readRuns, recordRuns } from '../src/core/run.ts';
import { listDeadLetters, recordDeadLetters } from '../src/jobs/dead-letter.ts';
import { findStuck, reportStuck } from '../src/jobs/watchdog.ts';
import type { Database, Queryable, Tx } from '../src/storage/database.ts';
import { openGround } from './harness/databases.ts';
import { letterFor } from './harness/failed-parcels.ts';
import { PARCEL_TABLES, parcelMachine } from './harness/parcel.ts';

const readRaw = async () => new Map();
const reCleaning = reCleanAction({
  readRaw,
  stage: cleanStage({ brands: async () => ({ version: 1, compiled: parseBrands([]) }), readRaw }),
});

/**
 * Plans must not depend on fresh statistics: a table that was just loaded in bulk, and never analysed, is where
 * batches became fifteen times slower. Each statement is caught on its way to the database and explained there.
 */
const ROWS = 20_000;
const BATCH = 100;
const machine = sampleMachine as unknown as Machine;
const brands = parseBrands([{ name: '豆包' }]);
const batch = uuid7();
const tables = [
  'parcel',
  'answers_sample',
  'answers_raw',
  'clean_result',
  'entity_match_detail',
  'answers_finding',
  'answers_result_version',
  'run',
  'journal',
  'outbox',
  'dead_letter',
];

const LOAD = `
insert into parcel (id, state, version, state_since, content) select md5(n::text)::uuid, 'new', 1, now_here(), 'x' from generate_series(1, ${ROWS}) n;
insert into answers_sample (id, state, version, state_since, clean_task_id, source_task_id, batch_id, brand_aliases,
  platform, scene_type, query_text, round, max_clean_retries, created_at, accepted_at, fingerprint)
select md5(n::text)::uuid, case when n % 200 = 0 then 'validating' else 'completed' end, 1, now_here() - interval '1 hour',
  'task-' || n, 'source-' || n, 'batch-' || n % 20, '["a"]', 'doubao', 'brand', repeat('q', 200), 1, 2, now_here(), now_here(), 'f'
  from generate_series(1, ${ROWS}) n;
insert into answers_raw select id, 1, repeat('a', 300) from answers_sample;
insert into clean_result (sample, clean_task_id, source_task_id, batch_id, brand_name, platform, scene_type, is_valid,
  rulebook_version, run, cleaned_at)
select id, clean_task_id, source_task_id, batch_id, '豆包', platform, scene_type, true, 1, id, now_here() from answers_sample;
insert into entity_match_detail (sample, clean_task_id, standard_name, matched_alias, origin, surface, match_position,
  match_end, kind, is_valid_match, rule, created_at)
select id, clean_task_id, '豆包', '豆包', 'rulebook', '豆包', n, n + 2, 'explicit', true, 'alias', now_here()
  from answers_sample, generate_series(0, 4, 4) n;
insert into answers_finding (sample, revision, field, brand_name, withdrawn, value, machine_value, run, decided_by, decided_at)
select id, 2, 'rank', '豆包', false, '3', 'null', id, 'key:x', now_here() from answers_sample;
insert into answers_result_version (sample, run, cleaned_at, result)
select id, md5(id::text)::uuid, now_here(), '{"validity": {"valid": true, "reason": null, "flags": []}}' from answers_sample;
insert into run (id, machine, item, stage, content_version, attempt, worker, started_at, ended_at, outcome)
select id, 'answers.sample', id, 'answers.clean', 1, 1, 'w', now_here(), now_here(), 'failed' from answers_sample;
insert into journal (at, machine, item, kind, version, to_state, actor)
select now_here(), 'answers.sample', id, 'move', 1, 'pending', 'system' from answers_sample;
insert into outbox (at, type, item, item_seq, origin, data)
select now_here() - interval '2 hours', 'answers.cleaned', id, 1, 'live', '{}' from answers_sample;
insert into dead_letter (id, machine, item, stage, reached, content_version, cause, error_code, error_class, error_message,
  attempts, created_at, redriven_at)
select id, 'answers.sample', id, 'answers.clean', 'pending', 1, 'live', 'x', 'permanent', 'x', '[]', now_here(), now_here()
  from answers_sample`;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** The tables that a plan reads whole. */
function readWhole(plan: Plan): string[] {
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(readWhole)];
}

describe.each(['pglite', 'postgres'] as const)(`with ${ROWS} rows and no statistics on %s`, (kind) => {
  let ground: Awaited<ReturnType<typeof openGround>>;
  let big: Set<string>;
  let ids: string[];

  beforeAll(async () => {
    ground = await openGround(kind, 2);
    const { database } = ground;
    await database.script(PARCEL_TABLES);
    const { rows } = await database.query<{ name: string }>(
      `select coalesce(i.inhrelid, c.oid)::regclass::text as name from pg_class c
         left join pg_inherits i on i.inhparent = c.oid where c.oid::regclass::text = any($1::text[])`,
      [tables],
    );
    await database.script(rows.map(({ name }) => `alter table ${name} set (autovacuum_enabled = off)`).join(';'));
    await database.script(LOAD);
    const loaded = await database.query<{ name: string; known: number }>(
      `select oid::regclass::text as name, reltuples as known from pg_class
        where oid = any($1::text[]::regclass[]) and pg_relation_size(oid) > 100 * 8192`,
      [rows.map(({ name }) => name)],
    );
    big = new Set(loaded.rows.map(({ name }) => name));
    expect(loaded.rows.map(({ known }) => known)).toEqual(tables.map(() => -1));
    ids = (await database.query<{ id: string }>(`select id from answers_sample limit ${BATCH}`)).rows.map(
      ({ id }) => id,
    );
  });
  afterAll(() => ground.close());

  /** Does it in a transaction that is undone; names the big tables that one of its statements read whole. */
  async function scansOf(doing: (tx: Tx, database: Database) => Promise<unknown>): Promise<string[]> {
    const scans: string[] = [];
    const undo = new Error('undo');
    let statements = 0;
    const watch =
      (on: Tx): Queryable['query'] =>
      async (text, params) => {
        const { rows } = await on.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${text}`, params);
        scans.push(...readWhole(rows[0]!['QUERY PLAN'][0].Plan).filter((name) => big.has(name)));
        statements += 1;
        return on.query(text, params) as never;
      };
    const done = ground.database.transaction(async (real) => {
      const tx = { ...real, query: watch(real) } as Tx;
      await doing(tx, {
        ...ground.database,
        ...tx,
        transaction: (work: (tx: Tx) => Promise<unknown>) => work(tx),
      } as never);
      throw undo;
    });
    await expect(done).rejects.toBe(undo);
    expect(statements).toBeGreaterThan(0);
    return scans;
  }

  const run = (item: string): NewRun => ({
    id: uuid7(),
    machine: machine.name,
    item,
    stage: 'answers.clean',
    contentVersion: 1,
    rulebookVersion: 1,
    cause: 'live',
    worker: 'w',
    job: null,
    beganAgoMs: 0,
    endedAgoMs: 0,
    outcome: 'accepted',
  });

  test('a table that is read whole is seen', async () => {
    expect(await scansOf((tx) => tx.query('select count(query_text) from answers_sample'))).toEqual(['answers_sample']);
    expect(await scansOf((tx) => tx.query(`select from journal where reason = 'x'`))).toHaveLength(1);
  });

  test.each<[string, (tx: Tx, database: Database) => Promise<unknown>]>([
    [
      'a batch of moves',
      async (tx) => {
        const { rows } = await tx.query<{ id: string; state: string }>(
          'select id, state from unnest($1::uuid[]) as i(id) cross join lateral (select state from answers_sample t where t.id = i.id offset 0) s',
          [ids],
        );
        const moves = rows.map(({ id, state }) => ({
          item: id,
          version: 1,
          steps: state === 'validating' ? [{ from: state, to: 'valid' }] : [],
          actor: 'system' as const,
        }));
        expect((await move(tx, machine, moves)).moved.size).toBe(BATCH);
      },
    ],
    [
      'a batch of moves of short rows',
      async (tx) => {
        const steps = [{ from: 'new', to: 'checking' }];
        const moves = ids.map((item) => ({ item, version: 1, steps, actor: 'system' as const }));
        expect((await move(tx, parcelMachine as unknown as Machine, moves)).moved.size).toBe(BATCH);
      },
    ],
    ['loading a batch of samples', async (tx) => expect(await loadSamples(tx, ids)).toHaveLength(BATCH)],
    ['recording their runs', (tx) => recordRuns(tx, ids.map(run))],
    [
      'recording their births',
      (tx) =>
        recordBirths(
          tx,
          machine,
          ids.map((item) => ({ item, state: 'pending', actor: 'system' as const })),
        ),
    ],
    [
      'recording their events',
      (tx) =>
        recordEvents(
          tx,
          ids.map((item) => ({ type: 'x', item, origin: 'live' as const, data: {} })),
        ),
    ],
    [
      'recording their dead letters',
      (tx) =>
        recordDeadLetters(
          tx,
          ids.map((item) => letterFor(item, { machine: machine.name, stage: 'answers.clean' })),
        ),
    ],
    [
      'cleaning a batch again, people having decided about each',
      async (tx) => {
        const samples = await loadSamples(tx, ids);
        await yieldFindings(tx, ids.slice(50), batch);
        const done = samples.map((item) => ({
          item: { ...item, revision: 2 },
          result: cleanAgain(item, '推荐豆包：语音对话自然，适合日常问答。', brands),
          run: uuid7(),
          cause: batch,
          rulebookVersion: 2,
        }));
        await saveReCleaned(tx, done);
        expect((await currentFindings(tx, ids)).size).toBe(50);
        const shown = await listResults(tx, { clean_task_ids: [samples[0]!.cleanTaskId] }, 50);
        expect(shown).toHaveLength(1);
      },
    ],
    [
      'the newest word of a sample',
      async (tx) => {
        const [sample] = await loadSamples(tx, [ids[0]!]);
        await keepVersions(tx, [sample!]);
        expect(await currentVersion(tx, sample!)).toBeDefined();
        expect(await decidedView(tx, ids[0]!)).toHaveLength(1);
        expect(await listVersions(tx, ids[0]!)).toHaveLength(2);
      },
    ],
    [
      'a page of a replay',
      async (tx) => {
        const all = { all: true } as const;
        const last = await reCleaning.lastId(tx, all);
        expect(await reCleaning.page(tx, all, ids[100]!, last!, 100)).toHaveLength(100);
        expect(await reCleaning.page(tx, { ids: ['task-1', 'task-2', 'task-nobody'] }, null, last!, 100)).toHaveLength(
          2,
        );
      },
    ],
    ['the first page of labels', async (tx) => expect((await readLabels(tx).next()).value).toHaveLength(1000)],
    ['listing dead letters', (tx) => listDeadLetters(tx, { stage: 'answers.clean' }, 50)],
    [
      'a decision',
      (tx) =>
        decide(tx, machine, {
          item: ids[0]!,
          expectedRevision: 1,
          to: null,
          actor: 'human',
          actorId: 'x',
          reason: null,
        }),
    ],
    ['the history of one item', (tx) => readHistory(tx, [ids[0]!])],
    ['the runs of one item', (tx) => readRuns(tx, [ids[0]!])],
    ['a page of events', (tx) => readEvents(tx, { xid: '9', seq: 1 }, 100)],
    ['looking for stuck items', async (tx) => expect(await findStuck(tx, [machine])).toHaveLength(100)],
    ['telling of stuck items', async (_, database) => expect(await reportStuck(database, [machine])).toHaveLength(100)],
  ])('%s reads no big table whole', async (_, doing) => {
    expect(await scansOf(doing)).toEqual([]);
  });
});

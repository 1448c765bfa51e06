import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { cleanAnswer } from '../../src/answers/clean-answer.ts';
import { compileBrands } from '../../src/answers/compile-brands.ts';
import { acceptTasks, BRANDS_SECTION, openAnswers, parseBrands } from '../../src/answers/index.ts';
import { uuid7 } from '../../src/core/ids.ts';
import { publish } from '../../src/core/rulebook.ts';
import { openQueue, type Queue } from '../../src/jobs/queue.ts';
import { createQueues } from '../../src/jobs/worker.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres, type PostgresDatabase } from '../../src/storage/postgres.ts';
import { contend, timed } from '../measure/contender.ts';
import { openDrain } from '../measure/drain.ts';
import type { CleaningRun, CleaningSettings } from '../measure/runs.ts';
import { listenToStatements } from '../measure/statements.ts';
import { type MadeAnswer, makeAnswers } from '../texts/answers.ts';

const BATCH = 100;
/** The texts are gone through so often in the measurement of the text work alone. */
const PASSES = 3;

const brandsFile = new URL('../../examples/answers/brands.yaml', import.meta.url);
const content: unknown = parse(readFileSync(brandsFile, 'utf8'));
const brands = parseBrands(content);

/** Cleaning through the product's own worker: tasks handed in with their answers, then cleaned in one process. */
contend(async ({ url, postmaster, schema, items, warmUp, profile }: CleaningSettings): Promise<CleaningRun> => {
  const database = openPostgres({ url, schema });
  await migrate(database);
  await database.transaction((tx) => publish(tx, { section: BRANDS_SECTION, content, author: 'bench' }));
  const raw = { stores: new Map(), allowFiles: false };
  const { stages } = openAnswers({ database, newId: () => uuid7(), raw });
  const posting = await openQueue(database, { workers: false });
  for (const stage of stages) await createQueues(posting, stage);
  const answers = makeAnswers(items + warmUp, 1);

  const warming = await openDrain(database, stages);
  await handIn(database, posting, answers.slice(0, warmUp), 0);
  await warming.run(warmUp);
  await warming.stop();

  const drain = await openDrain(database, stages);
  const post = await timed(postmaster, () => handIn(database, posting, answers.slice(warmUp), warmUp));
  const listener = profile ? listenToStatements() : undefined;
  const cleaning = await timed(postmaster, () => drain.run(items));
  const statements = listener?.stop() ?? [];
  await drain.stop();
  const { rows } = await database.query<{ done: number; results: number; hits: number }>(
    `select (select count(*)::int from answers_sample where state = 'completed') as done,
            (select count(*)::int from clean_result) as results, (select count(*)::int from entity_match_detail) as hits`,
  );
  const { done, results, hits } = rows[0]!;
  await posting.stop();
  await database.close();
  return {
    ...cleaning,
    postMs: post.ms,
    bytes: Buffer.byteLength(answers.map(({ text }) => text).join('')) / answers.length,
    textMs: cleanTexts(answers.slice(warmUp)),
    statements,
    hits: hits / answers.length,
    rows: { done: done - warmUp, results: results - warmUp },
  };
});

async function handIn(database: PostgresDatabase, queue: Queue, answers: readonly MadeAnswer[], from: number) {
  for (let at = 0; at < answers.length; at += BATCH) {
    const tasks = answers.slice(at, at + BATCH).map(({ text, query, brand }, n) => ({
      clean_task_id: `bench-${from + at + n}`,
      brand_name: brand,
      brand_aliases: [brand],
      platform: 'bench',
      scene_type: 'RECOMMEND',
      query_text: query,
      answer: text,
    }));
    const { accepted } = await acceptTasks(tasks, { database, boss: queue.boss, newId: () => uuid7(), brands });
    if (accepted.length !== tasks.length) throw new Error(`${accepted.length} of ${tasks.length} tasks were accepted`);
  }
}

/** The text work alone: reading, recognising, judging and measuring, without any database. */
function cleanTexts(answers: readonly MadeAnswer[]): number {
  const compiled = compileBrands(brands);
  const began = performance.now();
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const { text, query, brand } of answers) {
      cleanAnswer({ answer: text, query_text: query, scene_type: 'RECOMMEND', brand_name: brand }, compiled);
    }
  }
  return (performance.now() - began) / PASSES;
}

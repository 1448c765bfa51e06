import { openQueue } from '../../src/jobs/queue.ts';
import { createQueues } from '../../src/jobs/worker.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres, type PostgresDatabase } from '../../src/storage/postgres.ts';
import { LINE_TABLE } from '../line/machine.ts';
import { postItems } from '../line/post.ts';
import { relayStages, walkingStage } from '../line/stages.ts';
import { addTimes, contend, timed } from '../measure/contender.ts';
import { openDrain } from '../measure/drain.ts';
import type { LineRun, LineSettings } from '../measure/runs.ts';
import { listenToStatements } from '../measure/statements.ts';

/** Five empty stages through the product's own worker: post all items, then drain the backlog. */
contend(async (settings: LineSettings): Promise<LineRun> => {
  const { url, postmaster, schema, shape, items, warmUp, prepared, profile } = settings;
  const database = openPostgres({ url, schema });
  await migrate(database);
  if (!prepared) await database.script(LINE_TABLE);
  const stages = shape === 'walk' ? [walkingStage] : relayStages;
  const first = stages[0]!.name;
  const posting = await openQueue(database, { workers: false });
  for (const stage of stages) await createQueues(posting, stage);

  const before = await countRows(database);
  const warming = await openDrain(database, stages);
  await postItems(database, posting, first, warmUp);
  await warming.run(warmUp);
  await warming.stop();

  const drain = await openDrain(database, stages);
  const listener = profile ? listenToStatements() : undefined;
  const post = await timed(postmaster, () => postItems(database, posting, first, items));
  const rest = await timed(postmaster, () => drain.run(items));
  const statements = listener?.stop() ?? [];
  await drain.stop();
  const after = await countRows(database);
  await posting.stop();
  await database.close();
  return {
    ...addTimes(post, rest),
    postMs: post.ms,
    statements,
    rows: {
      done: after.done - before.done - warmUp,
      journal: after.journal - before.journal - warmUp * 6,
      runs: after.runs - before.runs - warmUp * stages.length,
    },
  };
});

async function countRows(database: PostgresDatabase): Promise<LineRun['rows']> {
  const { rows } = await database.query<LineRun['rows']>(
    `select (select count(*)::int from line_item where state = 'done') as done,
            (select count(*)::int from journal) as journal,
            (select count(*)::int from run where outcome = 'accepted') as runs`,
  );
  return rows[0]!;
}

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkInvariants, tally } from './answers/accounts-of-samples.ts';
import { openPost } from './answers/open-post.ts';
import { sampleTask } from './answers/sample-tasks.ts';
import { type Proof, terminate, until } from './proof.ts';

const ITEMS = 100;

interface Letter {
  readonly id: string;
  readonly input_ref: string;
  readonly code: string;
  readonly reached: string;
  readonly attempts: { attempt: number; outcome: string; code: string; message: string }[];
}

export const proof: Proof = {
  claim:
    'one raw object of 100 is broken: 99 are done, one dead letter names it with the error of every attempt; mended and redriven, 100 are done',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const folder = stage.folder();
    const { house, api } = await openPost(url);
    const { database } = house;
    const pathOf = (n: number) => join(folder, `${n}.json`);
    const broken = Math.floor(stage.random() * ITEMS);
    try {
      const tasks = Array.from({ length: ITEMS }, (_, n) => {
        const { answer, ...task } = sampleTask(n);
        writeFileSync(pathOf(n), JSON.stringify({ answer }));
        return { ...task, raw_data_url: `file:${pathOf(n)}` };
      });
      const whole = readFileSync(pathOf(broken));
      writeFileSync(pathOf(broken), whole.subarray(0, whole.length - 5));
      const worker = stage.start('src/main.ts', ['worker'], { DATABASE_URL: url, SIGNALBOX_ANY_FILE: '1' });
      await api('POST', '/answers/clean-tasks', tasks);
      await until('all samples to be completed or failed', 120, async () => {
        const { completed, failed } = await tally(database);
        return completed + failed === ITEMS;
      });
      const before = await tally(database);
      const cli = (...args: string[]) =>
        execFileSync(
          process.execPath,
          [join(import.meta.dirname, '../src/main.ts'), 'dead-letters', ...args, '--json'],
          {
            env: { ...process.env, DATABASE_URL: url },
            encoding: 'utf8',
          },
        );
      const letters = cli('list')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Letter);
      stage.table(
        'Dead letters',
        ['input', 'back to', 'attempt', 'outcome', 'error'],
        letters.flatMap((letter) =>
          letter.attempts.map((a) => [
            letter.input_ref,
            letter.reached,
            a.attempt,
            a.outcome,
            `${a.code}: ${a.message}`,
          ]),
        ),
      );
      stage.equal(
        letters.map((letter) => letter.input_ref),
        [`file:${pathOf(broken)}`],
        'what the dead letters name',
      );
      stage.equal(
        letters[0]?.attempts.map((a) => a.code),
        ['answers.raw_corrupt'],
        'errors of every attempt',
      );
      const [failedLine] = (
        await api<{ items: { clean_state: string; is_valid: unknown; error: unknown }[] }>(
          'GET',
          `/answers/results/task-${broken}`,
        )
      ).items;
      stage.equal([failedLine?.clean_state, failedLine?.is_valid], ['failed', null], 'the line of the failed sample');
      stage.check(failedLine?.error !== null, 'the line of the failed sample has no error');

      writeFileSync(pathOf(broken), whole);
      stage.say(`\nmended; preview of the redrive: ${cli('preview').trim()}`);
      stage.say(`redrive: ${cli('redrive').trim()}`);
      await until('all 100 to be completed', 60, async () => (await tally(database)).completed === ITEMS);
      const after = await tally(database);
      stage.table(
        'Samples',
        ['when', 'completed', 'failed', 'results', 'open dead letters'],
        [
          ['broken', before.completed, before.failed, before.results, before.deadLetters],
          ['mended', after.completed, after.failed, after.results, after.deadLetters],
        ],
      );
      stage.equal(
        [before.completed, before.failed, before.deadLetters],
        [ITEMS - 1, 1, 1],
        'before mending: completed, failed, dead letters',
      );
      stage.equal(
        [after.completed, after.results, after.deadLetters],
        [ITEMS, ITEMS, 0],
        'after mending: completed, results, dead letters',
      );
      await checkInvariants(stage, database);
      stage.equal(await terminate(worker), 0, 'the worker ends with status');
    } finally {
      await house.stop();
    }
  },
};

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Proof } from './proof.ts';

const repository = join(import.meta.dirname, '..');

/** One safeguard taken out: a place that must stand exactly once in its file, and what is put there instead. */
interface Mutant {
  readonly without: string;
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

const MUTANTS: readonly Mutant[] = [
  {
    without: 'the fence',
    file: 'src/jobs/settle.ts',
    find: 'const held = new Set(completion.settled ?? []);',
    put: 'const held = new Set(claims.map((claim) => claim.job.id)); void completion;',
  },
  {
    without: 'the version check',
    file: 'src/core/move.ts',
    find: 'where t.id = i.id and t.version = i.version for no key update',
    put: 'where t.id = i.id for no key update',
  },
  {
    without: 'the unique key on accepted runs',
    file: 'src/storage/migrations/0000_core.sql',
    find: 'create unique index run_one_accepted',
    put: 'create index run_one_accepted',
  },
  {
    without: 'the unique key on tasks',
    file: 'src/storage/migrations/0004_answers.sql',
    find: 'clean_task_id varchar(64) not null unique,',
    put: 'clean_task_id varchar(64) not null,',
  },
  {
    without: 'the enqueue in the transaction',
    file: 'src/jobs/enqueue.ts',
    find: '{ db: inTransaction(tx) },',
    put: '{ ...(inTransaction(tx) && {}) },',
  },
  {
    without: 'the lease of a slot',
    file: 'src/jobs/slots.ts',
    find: '(s.holder is null or s.lease_until < now_here())',
    put: 'true',
  },
  {
    without: "the check of a person's revision",
    file: 'src/core/decide.ts',
    find: 'if (item.revision !== decision.expectedRevision) {',
    put: 'if (item.revision < 0) {',
  },
];

export const proof: Proof = {
  claim:
    'with the fence, the version check, a unique key, the enqueue in the transaction or the lease taken out, one at a time, the suite goes red',
  run: async (stage) => {
    const folder = copyRepository(stage.folder());
    const rows: unknown[][] = [];
    const sound = runSuite(folder);
    rows.push(['nothing', '–', sound.red ? 'RED' : 'green', sound.failed, sound.seconds]);
    stage.check(!sound.red, `the suite is red before anything is taken out:\n${sound.tail}`);
    for (const { without, file, find, put } of MUTANTS) {
      const path = join(folder, file);
      const original = readFileSync(path, 'utf8');
      const places = original.split(find).length - 1;
      if (places !== 1) {
        stage.check(false, `${file}: the place of '${without}' stands ${places} times`);
        continue;
      }
      writeFileSync(
        path,
        original.replace(find, () => put),
      );
      const { red, failed, seconds } = runSuite(folder);
      writeFileSync(path, original);
      rows.push([without, file, red ? 'red' : 'GREEN', failed, seconds]);
      stage.check(red, `the suite stays green without ${without}`);
    }
    stage.table('Mutants', ['without', 'in', 'suite', 'failed tests', 's'], rows);
  },
};

function copyRepository(folder: string): string {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: repository,
    encoding: 'utf8',
  });
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The part of the suite that is about the core, its jobs, its faults, and answers walking through them. */
const SUITE = ['src/core', 'src/jobs', 'src/answers', 'test/faults'];

function runSuite(folder: string): { red: boolean; failed: string; seconds: string; tail: string } {
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--bail', '3', ...SUITE],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const failed = /Tests\s+(?:(\d+) failed)?/.exec(stdout)?.[1] ?? '0';
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  return { red: status !== 0, failed, seconds, tail: `${stdout}\n${stderr}`.slice(-1500) };
}

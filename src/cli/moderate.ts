import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { parse } from 'yaml';
import type { Judged, LineAuditor, Policy } from '../comments/index.ts';
import { CodedError } from '../errors/coded-error.ts';
import { EXIT } from './exit-status.ts';
import { openModel } from './open-model.ts';
import { complain, printLine, printTable, wantsJson } from './output.ts';
import { readTasks, refuseUnreadable, type TaskLine } from './read-tasks.ts';

interface ModerateOptions {
  readonly policy?: string;
  readonly json?: boolean;
}

/** Comments that a model is asked about at once. */
const AT_ONCE = 8;

export function moderateCommand(): Command {
  return new Command('moderate')
    .description('audits comments, one decision a line; by the model of the environment, else by rules')
    .argument('<file>', 'comments as JSON Lines: id, content, author {name, url}, context; - reads standard input')
    .option('--policy <file>', 'policy.yaml: lengths, links, word lists, names, and what holds without a model')
    .option('--json', 'JSON Lines also on a terminal')
    .action(async (file: string, options: ModerateOptions) => {
      refuseUnreadable(file);
      const { lineAuditor } = await import('../comments/index.ts');
      const policy = await readPolicyFile(options.policy);
      const model = await openModel(process.env);
      try {
        const failed = await moderate(file, lineAuditor(policy, model?.ask ?? null), options);
        process.exitCode = failed ? EXIT.someFailed : EXIT.done;
      } finally {
        await model?.close();
      }
    });
}

/** Throws `cli.unreadable` and `comments.policies_invalid`, each naming the file. */
async function readPolicyFile(path: string | undefined): Promise<Policy> {
  const { parsePolicy, POLICIES_INVALID } = await import('../comments/index.ts');
  if (path === undefined) return parsePolicy({});
  try {
    return parsePolicy(parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const isUnreadable = (cause as NodeJS.ErrnoException).syscall !== undefined;
    const code = cause instanceof CodedError ? cause.code : isUnreadable ? 'cli.unreadable' : POLICIES_INVALID;
    throw new CodedError(code, 'permanent', `${path}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Judges the comments of a file and prints a line for each, in their order.
 * @returns how many could not be processed
 */
async function moderate(file: string, auditor: LineAuditor, options: ModerateOptions): Promise<number> {
  let failed = 0;
  let isFirst = true;
  const bad = () => {
    failed += 1;
  };
  const show = async (page: readonly TaskLine[]) => {
    const judged = await Promise.all(page.map((line) => judgeLine(file, line, auditor, bad)));
    const good = judged.filter((one) => one !== null);
    if (wantsJson(options)) for (const one of good) printLine(one);
    else if (good.length) showTable(good, isFirst);
    isFirst &&= !good.length;
  };
  let page: TaskLine[] = [];
  for await (const line of readTasks(file, bad, 'a comment')) {
    page.push(line);
    if (page.length < AT_ONCE) continue;
    await show(page);
    page = [];
  }
  await show(page);
  if (isFirst && !failed) complain(`${file}: no comments`);
  return failed;
}

async function judgeLine(
  file: string,
  { line, task }: TaskLine,
  auditor: LineAuditor,
  bad: () => void,
): Promise<Judged | null> {
  try {
    const { judged, failure } = await auditor.judge(task);
    if (failure) {
      complain(`${file}:${line}: ${failure.message} (${failure.code})`);
      bad();
    }
    return judged;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    complain(`${file}:${line}: ${error.message} (${error.code})`);
    bad();
    return null;
  }
}

function showTable(judged: readonly Judged[], isFirst: boolean): void {
  printTable(
    isFirst ? ['comment', 'decision', 'why', 'by'] : [],
    judged.map(({ id, decision, reasons, by, model }) => [
      id,
      decision,
      reasons.map(({ code, evidence }) => (evidence ? `${code}: ${evidence}` : code)).join('; '),
      model ?? by,
    ]),
  );
}

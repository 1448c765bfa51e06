import type { PgBoss } from 'pg-boss';
import { type Machine, mayMove } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import { type DeadLetterFilter, listDeadLetters, newestDeadLetter } from './dead-letter.ts';
import { enqueue } from './enqueue.ts';
import type { AnyStage } from './stage.ts';

export const STAGE_UNKNOWN = 'core.stage_unknown';

const PAGE = 500;

/**
 * Puts dead letters' items back to the stage they reached and enqueues them, page by page, each page in one
 * transaction. Items that a person moved since are left alone and their letters stay; letters written meanwhile (of an
 * item that fails again at once, say) are for the next time.
 * @returns how many went back, and how many were left.
 */
export async function redrive(
  database: Database,
  boss: PgBoss,
  stages: readonly AnyStage[],
  filter: DeadLetterFilter,
  actorId: string,
): Promise<{ redriven: number; left: number }> {
  const newest = await newestDeadLetter(database);
  if (!newest) return { redriven: 0, left: 0 };
  let after: string | undefined;
  let redriven = 0;
  let left = 0;
  for (;;) {
    const page = await listDeadLetters(database, filter, PAGE, after, newest);
    const last = page.at(-1);
    if (!last) return { redriven, left };
    after = last.id;
    const moved = await database.transaction(async (tx) => {
      const back: string[] = [];
      for (const [name, letters] of Map.groupBy(page, (letter) => letter.stage)) {
        const stage = stages.find((one) => one.name === name);
        if (!stage) throw new CodedError(STAGE_UNKNOWN, 'permanent', `there is no stage ${name} here`);
        const { rows } = await tx.query<{ id: string; state: string; version: number; cv: number }>(
          `select id, state, version, content_version as cv from ${quoteIdentifier(stage.machine.table)} where id = any($1::uuid[])`,
          [letters.map((letter) => letter.item)],
        );
        const items = new Map(rows.map((row) => [row.id, row]));
        const wanted = letters.filter((letter) => stage.machine.failed.includes(items.get(letter.item)?.state ?? ''));
        const result = await move(
          tx,
          stage.machine,
          wanted.map(({ item, reached }) => {
            const { state, version } = items.get(item)!;
            const steps = [{ from: state, to: backTo(stage.machine, state, reached) }];
            return { item, version, steps, actor: 'human' as const, actorId, reason: 'redrive' };
          }),
        );
        const gone = wanted.filter((letter) => result.moved.has(letter.item));
        await enqueue(
          tx,
          boss,
          // The content may have changed since: what is worked on is what stands there now.
          gone.map(({ item, cause, stage: queue }) => ({
            queue,
            data: { item, cv: items.get(item)!.cv, cause, lane: 'people' as const },
          })),
        );
        back.push(...gone.map((letter) => letter.id));
      }
      await tx.query(`update dead_letter set redriven_at = now_here(), redriven_by = $2 where id = any($1::uuid[])`, [
        back,
        actorId,
      ]);
      return back.length;
    });
    redriven += moved;
    left += page.length - moved;
  }
}

/** The state that was reached, where the machine lets a person return to it; else the one it offers. */
function backTo(machine: Machine, failed: string, reached: string): string {
  if (mayMove(machine, failed, reached, 'human')) return reached;
  return Object.keys(machine.edges[failed] ?? {}).find((to) => mayMove(machine, failed, to, 'human')) ?? reached;
}

import type { Database } from '../storage/database.ts';

/** Something to be done again and again, by one process at a time. */
export interface Duty {
  readonly name: string;
  readonly everySeconds: number;
  readonly run: () => Promise<unknown>;
  /** Done in every process, whatever the others do. */
  readonly everywhere?: boolean;
}

export interface DutyRunner {
  stop(): Promise<void>;
}

/**
 * Runs duties until it is stopped. Whose turn it is stands in the database; a duty that fails is tried again at its
 * next turn and its error kept, so that the watchdog can tell of one that did not run.
 */
export function startDuties(
  database: Database,
  worker: string,
  duties: readonly Duty[],
  onError: (error: unknown, where: string) => void,
): DutyRunner {
  let stopped = false;
  const running = new Set<Promise<void>>();
  const timers = duties.map((duty) => {
    let busy = false;
    const turn = async () => {
      if (stopped || busy) return;
      busy = true;
      try {
        if (duty.everywhere || (await claimTurn(database, duty, worker)))
          await perform(database, duty, worker, onError);
      } catch (error) {
        onError(error, `duty ${duty.name}`);
      } finally {
        busy = false;
      }
    };
    const go = () => {
      const one = turn().finally(() => running.delete(one));
      running.add(one);
    };
    go();
    return setInterval(go, duty.everySeconds * 1000);
  });
  return {
    stop: async () => {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}

/** A little early counts: timers of several processes drift against each other. */
const EARLY = 0.9;

async function claimTurn(database: Database, duty: Duty, worker: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into duty (name, ran_at, worker) values ($1, now_here(), $2)
     on conflict (name) do update set ran_at = excluded.ran_at, worker = excluded.worker
      where duty.ran_at < now_here() - $3 * interval '1 second'`,
    [duty.name, worker, duty.everySeconds * EARLY],
  );
  return rowCount === 1;
}

async function perform(
  database: Database,
  duty: Duty,
  worker: string,
  onError: (error: unknown, where: string) => void,
): Promise<void> {
  try {
    await duty.run();
  } catch (error) {
    onError(error, `duty ${duty.name}`);
    await database.query(
      `insert into duty (name, ran_at, worker, failed_at, error) values ($1, now_here(), $2, now_here(), $3)
       on conflict (name) do update set failed_at = excluded.failed_at, error = excluded.error`,
      [duty.name, worker, String(error).slice(0, 500)],
    );
  }
}

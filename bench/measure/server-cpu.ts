import { readdirSync, readFileSync } from 'node:fs';
import type { Queryable } from '../../src/storage/database.ts';

/** Ticks of a process's clock a second: what Linux calls USER_HZ, 100 on all its common platforms. */
const TICKS = 100;

/** The server's first process, when it runs on this machine under Linux; null otherwise. */
export async function findPostmaster(database: Queryable): Promise<number | null> {
  try {
    const { rows } = await database.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
    const pid = Number(rows[0]?.file.split('\n')[0]);
    return /postgres/.test(readFileSync(`/proc/${pid}/comm`, 'utf8')) ? pid : null;
  } catch {
    return null;
  }
}

/**
 * Processor time that a server and its children have used, in milliseconds. On a machine that is shared, this is what
 * a statement costs; the clock on the wall also shows what others do.
 */
export function serverCpuMs(postmaster: number | null): number {
  if (postmaster === null) return Number.NaN;
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = readStat(entry);
    // utime and stime of each; of the first process also what its ended children used.
    if (Number(entry) === postmaster) ticks += sum(fields, 11, 15);
    else if (Number(fields[1]) === postmaster) ticks += sum(fields, 11, 13);
  }
  return (ticks * 1000) / TICKS;
}

/** The fields of /proc/PID/stat from the third on (state, ppid, …); the name before them may hold spaces. */
function readStat(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function sum(fields: readonly string[], from: number, to: number): number {
  return fields.slice(from, to).reduce((total, field) => total + Number(field), 0);
}

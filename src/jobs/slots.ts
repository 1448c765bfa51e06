import { CodedError } from '../errors/coded-error.ts';
import type { Queryable } from '../storage/database.ts';

/** A limit that all workers share: calls at once, calls a minute, and a pause that the provider asked for. */
export interface PoolLimits {
  readonly name: string;
  readonly cap: number;
  readonly perMinute?: number | null;
}

export const POOL_UNKNOWN = 'core.pool_unknown';

/** Writes a pool's limits; a smaller cap holds from the next acquisition, slots beyond it count until they are free. */
export async function definePool(on: Queryable, { name, cap, perMinute = null }: PoolLimits): Promise<void> {
  await on.query(
    `insert into limit_pool (name, cap, per_minute, tokens, refilled_at) values ($1, $2, $3::int, coalesce($3::int, 0), now_here())
     on conflict (name) do update set cap = excluded.cap, per_minute = excluded.per_minute
      where (limit_pool.cap, limit_pool.per_minute) is distinct from (excluded.cap, excluded.per_minute)`,
    [name, cap, perMinute],
  );
  await on.query(
    `insert into limit_slot (pool, n) select $1, n from generate_series(1, $2::int) as n on conflict do nothing`,
    [name, cap],
  );
}

export interface Lease {
  readonly n: number;
}

export interface Acquired {
  readonly leases: readonly Lease[];
  /** Whether the pool has a rate: then each call is paid for in the database. */
  readonly rated: boolean;
  /** Seconds after which asking again may help; 0 when only another's release can. */
  readonly retryAfterSeconds: number;
}

/**
 * Leases up to `wanted` slots in one statement. Slots are rows; those that a lowered cap left beyond it count until they
 * are given back. The pool's row is locked first and serialises the acquirers. A slot whose lease ran out is taken over;
 * how often that happened while its holder still had it is kept (`overhangs`).
 * Throws `core.pool_unknown` for a pool that nobody defined.
 */
export async function acquireSlots(
  on: Queryable,
  request: {
    readonly pool: string;
    readonly holder: string;
    readonly worker: string;
    readonly wanted: number;
    readonly leaseSeconds: number;
  },
): Promise<Acquired> {
  const { rows } = await on.query<{ n: number | null; wait: number; rated: boolean }>(
    `with pool as materialized (
       select name, cap, per_minute,
              least(per_minute, tokens + extract(epoch from now_here() - refilled_at) * per_minute / 60.0) as filled,
              extract(epoch from paused_until - now_here()) as pause
         from limit_pool where name = $1 for no key update
     ), allowed as materialized (
       select case when pause > 0 then 0
                   else greatest(0, least($4::int, cap - held, floor(filled)::int)) end as k,
              case when pause > 0 then pause
                   when per_minute is not null and filled < 1 then (1 - filled) * 60.0 / per_minute
                   else 0 end as wait,
              per_minute is not null as rated
         from pool cross join lateral (
           select count(*)::int as held from limit_slot s
            where s.pool = $1 and s.lease_until >= now_here()) live
     ), free as materialized (
       select s.n from limit_slot s, pool
        where s.pool = $1 and s.n <= pool.cap and (s.holder is null or s.lease_until < now_here())
        order by s.n limit (select k from allowed) for no key update of s
     ), taken as (
       update limit_slot s set holder = $2, worker = $3, lease_until = now_here() + $5 * interval '1 second',
              overhangs = overhangs + (s.holder is not null)::int
         from free where s.pool = $1 and s.n = free.n
       returning s.n
     ), paid as (
       update limit_pool p set tokens = pool.filled - (select count(*) from taken), refilled_at = now_here()
         from pool where p.name = pool.name and pool.per_minute is not null
     )
     select taken.n, allowed.wait::float8 as wait, allowed.rated from allowed left join taken on true`,
    [request.pool, request.holder, request.worker, request.wanted, request.leaseSeconds],
  );
  if (!rows.length) throw new CodedError(POOL_UNKNOWN, 'permanent', `there is no pool ${request.pool}`);
  const leases = rows.flatMap(({ n }) => (n === null ? [] : [{ n }]));
  return { leases, rated: rows[0]!.rated, retryAfterSeconds: Math.max(0, rows[0]!.wait) };
}

/** Gives slots back; those that somebody took over meanwhile are left to them. */
export async function releaseSlots(
  on: Queryable,
  pool: string,
  holder: string,
  slots: readonly number[],
): Promise<void> {
  await on.query(
    `update limit_slot set holder = null, worker = null, lease_until = null
      where pool = $1 and holder = $2 and n = any($3::int[])`,
    [pool, holder, slots],
  );
}

/** Prolongs a lease that still stands; false when it ran out. */
export async function renewSlot(
  on: Queryable,
  pool: string,
  holder: string,
  n: number,
  leaseSeconds: number,
): Promise<boolean> {
  const { rowCount } = await on.query(
    `update limit_slot s set lease_until = now_here() + $4 * interval '1 second'
       from limit_pool p
      where s.pool = $1 and s.holder = $2 and s.n = $3 and s.lease_until >= now_here()
        and p.name = s.pool and s.n <= p.cap and coalesce(p.paused_until, '-infinity') <= now_here() and p.per_minute is null`,
    [pool, holder, n, leaseSeconds],
  );
  return rowCount === 1;
}

/** Nobody calls this provider before the time it named. */
export async function pausePool(on: Queryable, pool: string, seconds: number): Promise<void> {
  await on.query(
    `update limit_pool set paused_until = greatest(paused_until, now_here() + $2 * interval '1 second') where name = $1`,
    [pool, seconds],
  );
}

export interface PoolState {
  readonly name: string;
  readonly cap: number;
  readonly held: number;
  readonly lapsed: number;
  readonly overhangs: number;
  readonly pausedSeconds: number;
}

export async function readPools(on: Queryable): Promise<PoolState[]> {
  const { rows } = await on.query<PoolState>(
    `select p.name, p.cap, count(*) filter (where s.lease_until >= now_here())::int as held,
            count(*) filter (where s.lease_until < now_here())::int as lapsed, coalesce(sum(s.overhangs), 0)::int as overhangs,
            greatest(0, coalesce(extract(epoch from p.paused_until - now_here()), 0))::float8 as "pausedSeconds"
       from limit_pool p left join limit_slot s on s.pool = p.name group by p.name order by p.name`,
  );
  return rows;
}

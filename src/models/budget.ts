import { CodedError } from '../errors/coded-error.ts';
import type { Database } from '../storage/database.ts';
import type { Model } from './registry.ts';

export const BUDGET_EXHAUSTED = 'llm.budget_exhausted';

export interface Reservation {
  readonly id: string;
  readonly model: string;
  readonly period: string;
}

/**
 * Sets aside what a call may cost at most, before it is made, so that calls at once cannot overrun together.
 * A reservation of a worker that died ends by itself.
 * Throws `llm.budget_exhausted` (postponed until the day ends, UTC) when the day's budget does not hold it.
 * @returns null for a model without a budget
 */
export async function reserveBudget(
  database: Database,
  model: Model,
  need: { readonly id: string; readonly tokens: number; readonly micros: number; readonly seconds: number },
): Promise<Reservation | null> {
  const { tokens_per_day: tokens = null, micros_per_day: micros = null } = model;
  if (tokens === null && micros === null) return null;
  const outcome = await database.transaction(async (tx): Promise<Reservation | { readonly secondsLeft: number }> => {
    const { rows } = await tx.query<{ period: string; tokens: number; micros: number; left: number }>(
      `insert into budget (model, period, tokens_limit, micros_limit)
       values ($1, to_char(now_here() at time zone 'UTC', 'YYYY-MM-DD'), $2, $3)
       on conflict (model, period) do update set tokens_limit = excluded.tokens_limit, micros_limit = excluded.micros_limit
       returning period, tokens_spent as tokens, micros_spent as micros,
                 extract(epoch from date_trunc('day', now_here() at time zone 'UTC') + interval '1 day'
                                    - now_here() at time zone 'UTC')::int as left`,
      [model.id, tokens, micros],
    );
    const { period, tokens: tokensSpent, micros: microsSpent, left } = rows[0]!;
    // The row of the budget is locked by the upsert: those who reserve at once take turns.
    const { rows: open } = await tx.query<{ tokens: number; micros: number }>(
      `select coalesce(sum(tokens), 0)::bigint as tokens, coalesce(sum(micros), 0)::bigint as micros from budget_reservation
        where model = $1 and period = $2 and expires_at > now_here()`,
      [model.id, period],
    );
    const { tokens: tokensOpen, micros: microsOpen } = open[0]!;
    if (tokens !== null && tokensSpent + tokensOpen + need.tokens > tokens) return { secondsLeft: left };
    if (micros !== null && microsSpent + microsOpen + need.micros > micros) return { secondsLeft: left };
    await tx.query(
      `insert into budget_reservation (id, model, period, tokens, micros, expires_at)
       values ($1, $2, $3, $4, $5, now_here() + $6 * interval '1 second')`,
      [need.id, model.id, period, need.tokens, need.micros, need.seconds],
    );
    return { id: need.id, model: model.id, period };
  });
  if ('id' in outcome) return outcome;
  throw new CodedError(BUDGET_EXHAUSTED, 'postponed', `the budget of model '${model.id}' is used up for today`, {
    retryAfterSeconds: outcome.secondsLeft,
    detail: { model: model.id },
  });
}

/** Books what the call really cost and ends the reservation. A call that failed may have cost, too. */
export async function settleBudget(
  database: Database,
  reservation: Reservation | null,
  spent: { readonly tokens: number; readonly micros: number },
): Promise<void> {
  if (!reservation) return;
  await database.query(
    `with ended as (delete from budget_reservation where id = $1)
     update budget set tokens_spent = tokens_spent + $4, micros_spent = micros_spent + $5 where model = $2 and period = $3`,
    [reservation.id, reservation.model, reservation.period, spent.tokens, spent.micros],
  );
}

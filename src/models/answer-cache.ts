import { createHash } from 'node:crypto';
import type { Queryable, Tx } from '../storage/database.ts';

/** An answer as a model gave it, with what it cost then. */
export interface CachedAnswer {
  readonly answer: unknown;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costMicros: number;
}

/**
 * The same input, prompt, model and settings have the same key: a replay then costs only what changed.
 * Object keys are sorted, so that the order in which a program writes them does not matter.
 */
export function answerKey(parts: Readonly<Record<string, unknown>>): string {
  return createHash('sha256').update(canonical(parts)).digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export async function findAnswer(on: Queryable, key: string): Promise<CachedAnswer | null> {
  const { rows } = await on.query<CachedAnswer & { readonly answer: string }>(
    `select answer, tokens_in as "tokensIn", tokens_out as "tokensOut", cost_micros as "costMicros"
       from model_answer where key = $1`,
    [key],
  );
  const [found] = rows;
  return found ? { ...found, answer: JSON.parse(found.answer) as unknown } : null;
}

/** The answer is kept as text within JSON: jsonb itself refuses the escaped NUL and half surrogates that models write. */
export async function keepAnswer(
  on: Queryable,
  key: string,
  model: string,
  answer: CachedAnswer,
  item: string | null,
): Promise<void> {
  const text = JSON.stringify(JSON.stringify(answer.answer));
  await on.query(
    `insert into model_answer (key, model, at, answer, tokens_in, tokens_out, cost_micros, item)
     values ($1, $2, now_here(), $3::jsonb, $4, $5, $6, $7) on conflict do nothing`,
    [key, model, text, answer.tokensIn, answer.tokensOut, answer.costMicros, item],
  );
}

/** Removes what models answered about an item, in the transaction that erases its content. */
export async function forgetAnswers(tx: Tx, item: string): Promise<void> {
  await tx.query('delete from model_answer where item = $1', [item]);
}

import type { Queryable } from '../storage/database.ts';

export interface DeliveryView {
  readonly message: string;
  readonly target: string;
  readonly type: string;
  readonly state: string;
  readonly created_at: Date;
  readonly attempts: readonly {
    at: string;
    status: number | null;
    error: string | null;
    duration_ms: number;
    response: string | null;
  }[];
}

/** The messages about one item, or of all, newest first and before the one named, each with every attempt. */
export async function listDeliveries(
  on: Queryable,
  item: string | null,
  limit = 100,
  before: string | null = null,
): Promise<DeliveryView[]> {
  const { rows } = await on.query<DeliveryView>(
    `select m.id as message, m.target, m.type, m.state, m.created_at,
            coalesce((select jsonb_agg(jsonb_build_object('at', a.at, 'status', a.status, 'error', a.error_code,
                        'duration_ms', a.duration_ms, 'response', a.response) order by a.attempt)
                        from delivery_attempt a where a.message = m.id), '[]') as attempts
       from delivery_message m where ($1::uuid is null or m.item = $1) and ($3::uuid is null or m.id < $3)
      order by m.id desc limit $2`,
    [item, limit, before],
  );
  return rows;
}

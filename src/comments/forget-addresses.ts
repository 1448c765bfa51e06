import type { Queryable } from '../storage/database.ts';

/** Even a keyed hash of an address tells who wrote from the same one: after so many days it serves nothing. */
const DAYS = 30;

export async function forgetAddresses(on: Queryable): Promise<void> {
  await on.query(
    `update comments_comment set address_hash = null
      where address_hash is not null and created_at < now_here() - interval '${DAYS} days'`,
  );
}

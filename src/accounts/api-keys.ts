import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { CodedError } from '../errors/coded-error.ts';
import type { Queryable } from '../storage/database.ts';
import type { Role } from './roles.ts';

/** Who acts: a key today, a person with a session later. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly prefix: string;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export const MASTER_KEY_SHORT = 'accounts.master_key_short';
const MASTER_KEY_LENGTH = 32;

/** 256 random bits need no slow hash; the prefix tells keys apart in lists and logs. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Makes a key. It is returned once; only its hash is kept.
 * @param expiresInDays null: until it is revoked
 */
export async function createApiKey(
  on: Queryable,
  made: {
    readonly id: string;
    readonly name: string;
    readonly role: Role;
    readonly by: string;
    readonly expiresInDays?: number | null;
  },
): Promise<{ readonly id: string; readonly key: string; readonly prefix: string }> {
  const key = `sbx_${randomBytes(32).toString('base64url')}`;
  const prefix = key.slice(0, 12);
  await on.query(
    `insert into api_key (id, name, role, prefix, hash, created_at, created_by, expires_at)
     values ($1, $2, $3, $4, $5, now_here(), $6, now_here() + $7::int * interval '1 day')`,
    [made.id, made.name, made.role, prefix, hashOf(key), made.by, made.expiresInDays ?? null],
  );
  return { id: made.id, key, prefix };
}

export async function listApiKeys(on: Queryable): Promise<ApiKey[]> {
  const { rows } = await on.query<ApiKey>(
    `select id, name, role, prefix, created_at as "createdAt", created_by as "createdBy", last_used_at as "lastUsedAt",
            expires_at as "expiresAt", revoked_at as "revokedAt"
       from api_key order by id`,
  );
  return rows;
}

/** @returns false when there is no such key or it was revoked before */
export async function revokeApiKey(on: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await on.query(
    `update api_key set revoked_at = now_here() where id = $1 and revoked_at is null`,
    [id],
  );
  return rowCount === 1;
}

/** The master key's identity: for automation and first set-up. */
export const MASTER: Identity = { id: 'master', name: 'SIGNALBOX_API_KEY', role: 'owner' };

/** Throws `accounts.master_key_short` when the environment's key is shorter than 32 characters. */
export function readMasterKey(env: NodeJS.ProcessEnv): string | null {
  const key = env.SIGNALBOX_API_KEY;
  if (!key) return null;
  if (key.length >= MASTER_KEY_LENGTH) return key;
  throw new CodedError(
    MASTER_KEY_SHORT,
    'permanent',
    `SIGNALBOX_API_KEY must have at least ${MASTER_KEY_LENGTH} characters, it has ${key.length}`,
  );
}

/** Whose key this is; null for a wrong, expired or revoked one. */
export async function identify(on: Queryable, key: string, masters: readonly string[]): Promise<Identity | null> {
  for (const master of masters) if (sameSecret(key, master)) return MASTER;
  if (!key.startsWith('sbx_')) return null;
  const { rows } = await on.query<Identity>(
    `select id, name, role from api_key
      where hash = $1 and revoked_at is null and (expires_at is null or expires_at > now_here())`,
    [hashOf(key)],
  );
  const found = rows[0];
  if (!found) return null;
  // At most once a minute a key: a busy key must not write a row version for each request.
  await on.query(
    `update api_key set last_used_at = now_here()
      where id = $1 and (last_used_at is null or last_used_at < now_here() - interval '1 minute')`,
    [found.id],
  );
  return { id: `key:${found.id}`, name: found.name, role: found.role };
}

function sameSecret(a: string, b: string): boolean {
  const left = Buffer.from(hashOf(a));
  return timingSafeEqual(left, Buffer.from(hashOf(b)));
}

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../errors/coded-error.ts';
import type { Queryable } from '../storage/database.ts';

export const SECRET_UNKNOWN = 'core.secret_unknown';
export const SECRET_UNREADABLE = 'core.secret_unreadable';

/** Secrets by name: kept apart from the rulebook, encrypted with a key from the environment, never listed. */
export interface Secrets {
  put(on: Queryable, name: string, value: string): Promise<void>;
  /** Throws `core.secret_unknown`, or `core.secret_unreadable` when it was written with another key. */
  get(on: Queryable, name: string): Promise<string>;
  drop(on: Queryable, name: string): Promise<void>;
}

/** AES-256-GCM; the name is authenticated with the value, so that one secret cannot be passed off as another. */
export function openSecrets(key: string): Secrets {
  const cipherKey = createHash('sha256').update(key).digest();
  return {
    put: async (on, name, value) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, iv).setAAD(Buffer.from(name));
      const sealed = Buffer.concat([iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      await on.query(
        `insert into secret (name, cipher, updated_at) values ($1, $2, now_here())
         on conflict (name) do update set cipher = excluded.cipher, updated_at = excluded.updated_at`,
        [name, sealed.toString('base64')],
      );
    },
    get: async (on, name) => {
      const { rows } = await on.query<{ cipher: string }>('select cipher from secret where name = $1', [name]);
      if (!rows[0]) throw new CodedError(SECRET_UNKNOWN, 'permanent', `there is no secret '${name}'`);
      const sealed = Buffer.from(rows[0].cipher, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', cipherKey, sealed.subarray(0, 12))
          .setAAD(Buffer.from(name))
          .setAuthTag(sealed.subarray(-16));
        return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        const message = `the secret '${name}' was encrypted with another key`;
        throw new CodedError(SECRET_UNREADABLE, 'permanent', message, { cause });
      }
    },
    drop: async (on, name) => {
      await on.query('delete from secret where name = $1', [name]);
    },
  };
}

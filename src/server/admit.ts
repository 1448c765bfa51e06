import type { Identity } from '../accounts/api-keys.ts';
import { mayDo } from '../accounts/roles.ts';
import type { Permission } from '../core/permission.ts';
import { CodedError } from '../errors/coded-error.ts';

/**
 * Who calls, once it is known that they may.
 * Throws `auth.missing`, `auth.unknown_key`, `auth.forbidden` (detail: needs).
 */
export async function admit(
  authorization: string | undefined,
  needs: Permission,
  identify: (key: string) => Promise<Identity | null>,
): Promise<Identity> {
  const [scheme, key] = (authorization ?? '').split(' ', 2);
  if (scheme?.toLowerCase() !== 'bearer' || !key) {
    throw new CodedError('auth.missing', 'permanent', 'this route needs an API key: Authorization: Bearer …');
  }
  const identity = await identify(key);
  if (!identity) throw new CodedError('auth.unknown_key', 'permanent', 'the API key is unknown, expired or revoked');
  if (mayDo(identity.role, needs)) return identity;
  throw new CodedError('auth.forbidden', 'permanent', `a ${identity.role} may not do this`, { detail: { needs } });
}

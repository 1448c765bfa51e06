import type { Permission } from '../core/permission.ts';

/** What a person or a program may be here. */
export const ROLES = ['owner', 'editor', 'moderator', 'analyst', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What can be done, and who may. The one place where roles mean something.
 * - viewer: reads everything but secrets and keys
 * - analyst: also reads raw material, starts trials and measurements
 * - moderator: also decides about single items
 * - editor: also changes the rulebook, feeds work in, replays
 * - owner: also keys, people, settings, erasure
 */
export const PERMISSIONS = {
  read: ['viewer', 'analyst', 'moderator', 'editor', 'owner'],
  analyse: ['analyst', 'moderator', 'editor', 'owner'],
  decide: ['moderator', 'editor', 'owner'],
  submit: ['editor', 'owner'],
  configure: ['editor', 'owner'],
  replay: ['editor', 'owner'],
  operate: ['editor', 'owner'],
  own: ['owner'],
} as const satisfies Record<Permission, readonly Role[]>;

export function mayDo(role: Role, permission: Permission): boolean {
  return (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

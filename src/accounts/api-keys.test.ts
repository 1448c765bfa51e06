import { afterEach, describe, expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { uuid7 } from '../core/ids.ts';
import type { Permission } from '../core/permission.ts';
import { createApiKey, identify, listApiKeys, MASTER, readMasterKey, revokeApiKey } from './api-keys.ts';
import { mayDo, ROLES, type Role } from './roles.ts';

const newKey = (role: Role, expiresInDays: number | null = null) => ({
  id: uuid7(),
  name: `of a ${role}`,
  role,
  by: 'key:maker',
  expiresInDays,
});

onBothDatabases('an API key', (ground) => {
  const on = () => ground().database;
  afterEach(() => moveClock(on(), 0));

  test.each(ROLES)('of a %s opens what the role opens', async (role) => {
    const wanted = newKey(role);
    const { id, key } = await createApiKey(on(), wanted);
    expect(await identify(on(), key, [])).toEqual({ id: `key:${id}`, name: wanted.name, role });
  });

  test('is shown once: what is kept is a hash, and nothing lists it', async () => {
    const { id, key, prefix } = await createApiKey(on(), newKey('editor'));
    expect(key).toMatch(/^sbx_[A-Za-z0-9_-]{43}$/);
    expect(key.startsWith(prefix)).toBe(true);
    expect(prefix.length).toBeLessThan(16);
    const { rows } = await on().query<Record<string, unknown>>('select * from api_key where id = $1', [id]);
    expect(rows[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).not.toContain(key.slice(prefix.length));
    const listed = (await listApiKeys(on())).find((one) => one.id === id);
    expect(listed).toMatchObject({ role: 'editor', prefix, createdBy: 'key:maker', revokedAt: null, expiresAt: null });
    expect(Object.keys(listed!)).not.toContain('hash');
    expect(JSON.stringify(listed)).not.toContain(key.slice(prefix.length));
  });

  test('differs from every other', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => createApiKey(on(), newKey('viewer'))));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(20);
    const who = await Promise.all(keys.map(({ key }) => identify(on(), key, [])));
    expect(who.map((one) => one?.id)).toEqual(keys.map(({ id }) => `key:${id}`));
  });

  test('that is wrong in one character, cut, or no key at all opens nothing', async () => {
    const { key } = await createApiKey(on(), newKey('owner'));
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    const wrong = [
      key.slice(0, -1) + last,
      key.slice(0, -1),
      `${key}A`,
      key.toUpperCase(),
      'sbx_',
      '',
      '\0',
      ` ${key}`,
    ];
    for (const one of wrong) expect([one, await identify(on(), one, [])]).toEqual([one, null]);
    const { rows } = await on().query<{ hash: string }>('select hash from api_key limit 1');
    expect(await identify(on(), rows[0]!.hash, [])).toBeNull();
    expect(await identify(on(), `sbx_${rows[0]!.hash}`, [])).toBeNull();
  });

  test('opens nothing any more from the moment it expires', async () => {
    const { key } = await createApiKey(on(), newKey('viewer', 2));
    const forEver = await createApiKey(on(), newKey('viewer'));
    await moveClock(on(), 2 * 86_400 - 60);
    expect(await identify(on(), key, [])).toMatchObject({ role: 'viewer' });
    await moveClock(on(), 2 * 86_400 + 60);
    expect(await identify(on(), key, [])).toBeNull();
    expect(await identify(on(), forEver.key, [])).toMatchObject({ role: 'viewer' });
  });

  test('opens nothing any more once it is revoked, and is revoked once', async () => {
    const { id, key } = await createApiKey(on(), newKey('owner'));
    const other = await createApiKey(on(), newKey('owner'));
    expect(await revokeApiKey(on(), id)).toBe(true);
    expect(await identify(on(), key, [])).toBeNull();
    expect(await identify(on(), other.key, [])).toMatchObject({ role: 'owner' });
    const revokedAt = async () => (await listApiKeys(on())).find((one) => one.id === id)!.revokedAt;
    const first = await revokedAt();
    expect(first).toBeInstanceOf(Date);
    expect(await revokeApiKey(on(), id)).toBe(false);
    expect(await revokedAt()).toEqual(first);
    expect(await revokeApiKey(on(), '00000000-0000-7000-8000-ffffffffffff')).toBe(false);
  });

  test('remembers when it was last used, at most once a minute', async () => {
    const { id, key } = await createApiKey(on(), newKey('viewer'));
    const lastUsed = async () => (await listApiKeys(on())).find((one) => one.id === id)!.lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await identify(on(), key, []);
    const first = await lastUsed();
    expect(first).toBeInstanceOf(Date);
    await moveClock(on(), 30);
    await identify(on(), key, []);
    expect(await lastUsed()).toEqual(first);
    await moveClock(on(), 120);
    await identify(on(), key, []);
    expect((await lastUsed())!.getTime()).toBeGreaterThan(first!.getTime() + 100_000);
  });

  test('of the environment is the owner, whatever keys there are', async () => {
    const master = 'm'.repeat(32);
    expect(await identify(on(), master, ['other'.repeat(8), master])).toEqual(MASTER);
    expect(await identify(on(), master, [])).toBeNull();
    expect(await identify(on(), master.slice(1), [master])).toBeNull();
    expect(MASTER.role).toBe('owner');
  });
});

describe("the environment's key", () => {
  test('may be left out, and is refused when it is short', () => {
    expect(readMasterKey({})).toBeNull();
    expect(readMasterKey({ SIGNALBOX_API_KEY: '' })).toBeNull();
    expect(readMasterKey({ SIGNALBOX_API_KEY: 'k'.repeat(32) })).toBe('k'.repeat(32));
    expect(() => readMasterKey({ SIGNALBOX_API_KEY: 'k'.repeat(31) })).toThrow(
      expect.objectContaining({ code: 'accounts.master_key_short', message: expect.stringContaining('31') }),
    );
  });
});

// By hand, so that a slip in the table of permissions does not agree with itself.
const MAY: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['read'],
  analyst: ['read', 'analyse'],
  moderator: ['read', 'analyse', 'decide'],
  editor: ['read', 'analyse', 'decide', 'submit', 'configure', 'replay', 'operate'],
  owner: ['read', 'analyse', 'decide', 'submit', 'configure', 'replay', 'operate', 'own'],
};

describe('roles', () => {
  test.each(ROLES)('a %s may do what is written here and nothing else', (role) => {
    const all = MAY.owner;
    expect(all.filter((permission) => mayDo(role, permission))).toEqual(MAY[role]);
  });
});

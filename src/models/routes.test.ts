import { beforeEach, expect, test } from 'vitest';
import { onBothSites } from '../../test/harness/site.ts';

const base = { id: 'a', base_url: 'http://127.0.0.1:1/v1', model: 'm' };

onBothSites(
  'the configuration of models',
  (site) => {
    const put = (items: unknown, key?: string) =>
      site().call('PUT', '/models', { json: { items, note: 'why' }, ...(key === undefined ? {} : { key }) });
    const stored = async () =>
      (await site().house.database.query<{ name: string }>('select name from secret order by name')).rows;

    beforeEach(() => site().house.database.script('truncate rulebook, secret'));

    test('is replaced whole and read back with its defaults, beside the model of the environment', async () => {
      expect((await site().call('GET', '/models')).body).toMatchObject({ items: [], version: 0 });
      expect(await put([base, { ...base, id: 'b', api_key_env: 'B_API_KEY' }])).toMatchObject({
        status: 200,
        body: { version: 1 },
      });
      const { body } = await site().call('GET', '/models');
      expect(body).toMatchObject({
        items: [
          { ...base, concurrency: 4, timeout_s: 60, json_schema: true },
          { id: 'b', api_key_env: 'B_API_KEY' },
        ],
        of_environment: { id: 'default', model: 'from-env', api_key_env: 'OPENAI_API_KEY' },
        version: 1,
      });
      expect((await put(body.items)).body).toEqual({ version: 1 });
      expect((await put([])).body).toEqual({ version: 2 });
    });

    test('takes keys and never shows them; one that is there stays until another comes or none is needed', async () => {
      await put([{ ...base, api_key: 'sk-very-secret' }]);
      const shown = await site().call('GET', '/models');
      expect(shown.body.items[0]).not.toHaveProperty('api_key');
      expect(shown.body.items[0]).not.toHaveProperty('api_key_secret');
      const { rows } = await site().house.database.query('select content::text from rulebook');
      expect(JSON.stringify([shown.body, rows])).not.toContain('sk-very-secret');
      await put([{ ...base, model: 'other' }]);
      expect(await stored()).toEqual([{ name: 'models.a' }]);
      await put([{ ...base, api_key_env: 'A_API_KEY' }]);
      expect(await stored()).toEqual([]);
      await put([base]);
      expect((await put([{ ...base, api_key: 'sk-2' }])).status).toBe(200);
      await put([]);
      expect(await stored()).toEqual([]);
    });

    test('sends a key that is there to no other address', async () => {
      await put([{ ...base, api_key: 'sk-1' }]);
      const elsewhere = { ...base, base_url: 'http://127.0.0.2:1/v1' };
      expect(await put([elsewhere])).toMatchObject({
        status: 422,
        body: { error: { code: 'llm.models_invalid', detail: { model: 'a', field: 'api_key' } } },
      });
      expect((await put([{ ...base, base_url: 'http://127.0.0.1:1/v2' }])).status).toBe(200);
      expect((await put([{ ...elsewhere, api_key: 'sk-1' }])).status).toBe(200);
    });

    test.each([
      ['a name that stands twice', [base, base], 'llm.models_invalid'],
      ['a key and a variable', [{ ...base, api_key: 'sk-1', api_key_env: 'A_API_KEY' }], 'llm.models_invalid'],
      ["the server's own secret", [{ ...base, api_key_env: 'SIGNALBOX_SECRET_KEY' }], 'request.invalid'],
      ['an address that is none', [{ ...base, base_url: 'nowhere' }], 'request.invalid'],
      ['a word that it does not know', [{ ...base, api_key_secret: 'delivery.x' }], 'request.invalid'],
      ['a key that no header can carry', [{ ...base, api_key: 'sk\n1' }], 'request.invalid'],
      ['no list', undefined, 'request.invalid'],
    ])('refuses %s', async (_what, items, code) => {
      expect(await put(items)).toMatchObject({ status: 422, body: { error: { code } } });
      expect((await site().call('GET', '/models')).body.version).toBe(0);
      expect(await stored()).toEqual([]);
    });

    test('is the owner’s to change and everybody’s to read', async () => {
      const keyOf = async (role: string): Promise<string> =>
        (await site().call('POST', '/accounts/keys', { json: { name: role, role } })).body.key;
      const editor = await keyOf('editor');
      expect((await put([], editor)).status).toBe(403);
      expect((await site().call('GET', '/models', { key: editor })).status).toBe(200);
      expect((await site().call('GET', '/models', { key: null })).status).toBe(401);
    });
  },
  {
    workers: false,
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:2/v1', SIGNALBOX_MODEL: 'from-env', OPENAI_API_KEY: 'sk-0' },
  },
);

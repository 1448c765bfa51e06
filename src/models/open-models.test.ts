import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { question, VERDICT } from '../../test/harness/asking.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { until } from '../../test/harness/site.ts';
import { uuid7 } from '../core/ids.ts';
import { publish } from '../core/rulebook.ts';
import { openSecrets } from '../core/secrets.ts';
import { readPools } from '../jobs/slots.ts';
import type { AskModel, Models, ModelsDeps } from './index.ts';
import { openModels } from './index.ts';
import { type MockModel, type ScriptInput, startMockModel } from './mock/index.ts';
import { MODELS_SECTION } from './registry.ts';

onBothDatabases('the models of a process', (ground) => {
  const secrets = openSecrets('the key of keys');
  const open: { close(): Promise<unknown> }[] = [];
  let now: number;

  beforeEach(async () => {
    now = 0;
    await ground().database.script('truncate rulebook, secret; truncate limit_pool cascade; truncate model_answer');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const one of open.splice(0).reverse()) await one.close();
  });

  const serve = async (script: ScriptInput = { answers: [{ reply: VERDICT }] }): Promise<MockModel> => {
    const mock = await startMockModel({ script });
    open.push({ close: mock.stop });
    return mock;
  };
  const models = (changes: Partial<ModelsDeps> = {}): Models => {
    const opened = openModels({
      database: ground().database,
      secrets,
      env: {},
      newId: () => uuid7(),
      worker: 'test',
      onError: (error) => {
        throw error;
      },
      monotonicMs: () => now,
      ...changes,
    });
    open.push(opened);
    return opened;
  };
  const put = (...items: Record<string, unknown>[]) =>
    ground().database.transaction((tx) =>
      publish(tx, { section: MODELS_SECTION, content: { models: items }, author: 'test' }),
    );
  const pools = async () => (await readPools(ground().database)).map(({ name, cap, held }) => ({ name, cap, held }));
  const authorisations = () => {
    const sent: (string | null)[] = [];
    const real = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      sent.push(new Headers(init?.headers).get('authorization'));
      return real(input, init);
    });
    return sent;
  };

  test('without any there is none to ask, and that is said before anything is asked', async () => {
    const none = models();
    expect(await none.ask(null)).toBeNull();
    await expect(none.ask('gone')).rejects.toMatchObject({ code: 'llm.model_unknown', errorClass: 'permanent' });
    expect(await pools()).toEqual([]);
  });

  test('the one of the environment is the default; its limits are written with the first question', async () => {
    const mock = await serve();
    const sent = authorisations();
    const env = { OPENAI_BASE_URL: mock.url, SIGNALBOX_MODEL: 'big', SIGNALBOX_MODEL_CONCURRENCY: '3' };
    const ask = (await models({ env }).ask(null))!;
    expect(await pools()).toEqual([]);
    expect(await ask(question('a'), { requestKey: 'item-1' })).toMatchObject({ value: VERDICT, model: 'big' });
    await until(async () => expect(await pools()).toEqual([{ name: 'model:default', cap: 3, held: 0 }]));
    expect(mock.log.entries()).toMatchObject([{ model: 'big', key: 'item-1', outcome: 'answered' }]);
    await (await models({ env: { ...env, OPENAI_API_KEY: 'sk-1' } }).ask('default'))!(question('b'));
    expect(sent).toEqual([null, 'Bearer sk-1']);
  });

  test('a bad one of the environment is refused at once', () => {
    expect(() => models({ env: { OPENAI_BASE_URL: 'nowhere', SIGNALBOX_MODEL: 'm' } })).toThrow(
      expect.objectContaining({ code: 'llm.bad_settings' }),
    );
  });

  test('each of the rulebook has slots of its own; the one called default is asked where none is named, else the first', async () => {
    const mock = await serve();
    await put({ id: 'small', base_url: mock.url, model: 's' }, { id: 'large', base_url: mock.url, model: 'l' });
    const opened = models();
    const modelOf = async (id: string | null) => (await (await opened.ask(id))!(question(`to ${id}`))).model;
    expect([await modelOf(null), await modelOf('large')]).toEqual(['s', 'l']);
    await put({ id: 'small', base_url: mock.url, model: 's' }, { id: 'default', base_url: mock.url, model: 'd' });
    now = 2_000;
    expect(await modelOf(null)).toBe('d');
    expect((await pools()).map(({ name }) => name)).toEqual(['model:default', 'model:large', 'model:small']);
  });

  test('an edit counts within two seconds for those who ask already, and a model that is gone cannot be asked', async () => {
    const mock = await serve();
    await put({ id: 'a', base_url: mock.url, model: 'old', concurrency: 2 });
    const ask = (await models().ask('a'))!;
    expect((await ask(question('1'))).model).toBe('old');
    await put({ id: 'a', base_url: mock.url, model: 'new', concurrency: 5 });
    now = 1_999;
    expect((await ask(question('2'))).model).toBe('old');
    now = 2_000;
    expect((await ask(question('3'))).model).toBe('new');
    expect(await pools()).toMatchObject([{ name: 'model:a', cap: 5 }]);
    await put();
    now = 4_000;
    await expect(ask(question('4'))).rejects.toMatchObject({ code: 'llm.model_unknown' });
  });

  test('another time limit is another hand; who is being answered keeps the old one to the end', async () => {
    const mock = await serve({ answers: [{ reply: VERDICT }], faults: [{ kind: 'hang', first: 1 }] });
    await put({ id: 'a', base_url: mock.url, model: 'm', concurrency: 2 });
    const ask = (await models().ask('a'))!;
    const leave = new AbortController();
    const arrived = Promise.withResolvers<void>();
    mock.log.subscribe((_, what) => what === 'arrived' && arrived.resolve());
    const hanging = ask(question('1'), { signal: leave.signal }).catch((error: unknown) => error);
    await arrived.promise;
    await put({ id: 'a', base_url: mock.url, model: 'm', concurrency: 2, timeout_s: 5 });
    now = 2_000;
    expect((await ask(question('2'))).value).toEqual(VERDICT);
    leave.abort(new Error('no longer'));
    expect(await hanging).toMatchObject({ errorClass: 'transient' });
    await until(async () => expect(await pools()).toEqual([{ name: 'model:a', cap: 2, held: 0 }]));
  });

  test('limits that could not be written are written by the next who asks', async () => {
    const mock = await serve();
    await put({ id: 'a', base_url: mock.url, model: 'm' });
    const { database } = ground();
    let failures = 0;
    const ask = (await models({
      database: {
        ...database,
        orm: database.orm,
        transaction: (work) => database.transaction(work),
        query: async (text, params) => {
          if (text.includes('into limit_pool') && failures++ === 0) throw new Error('down');
          return database.query(text, params);
        },
      },
    }).ask('a'))!;
    await expect(ask(question('1'))).rejects.toThrow('down');
    expect((await ask(question('1'))).value).toEqual(VERDICT);
  });

  test('keys come from the variable or the secret that the model names, when it is asked', async () => {
    const mock = await serve();
    const sent = authorisations();
    await put(
      { id: 'env', base_url: mock.url, model: 'm', api_key_env: 'DEEPSEEK_API_KEY' },
      { id: 'secret', base_url: mock.url, model: 'm', api_key_secret: 'models.secret' },
    );
    const env: NodeJS.ProcessEnv = {};
    const opened = models({ env });
    const asks = (id: string, prompt: string) => opened.ask(id).then((ask: AskModel | null) => ask!(question(prompt)));
    await expect(asks('env', '1')).rejects.toMatchObject({ code: 'llm.key_missing', errorClass: 'permanent' });
    await expect(asks('secret', '1')).rejects.toMatchObject({ code: 'core.secret_unknown', errorClass: 'permanent' });
    env.DEEPSEEK_API_KEY = 'sk-env';
    await secrets.put(ground().database, 'models.secret', 'sk-secret');
    await asks('env', '1');
    await asks('secret', '2');
    await secrets.put(ground().database, 'models.secret', 'sk-newer');
    await asks('secret', '3');
    expect(sent).toEqual(['Bearer sk-env', 'Bearer sk-secret', 'Bearer sk-newer']);
  });

  test('closing turns away who waits and who comes later, and gives every slot back', async () => {
    const mock = await serve({ faults: [{ kind: 'hang' }] });
    const env = { OPENAI_BASE_URL: mock.url, SIGNALBOX_MODEL: 'm', SIGNALBOX_MODEL_CONCURRENCY: '1' };
    const opened = models({ env });
    const ask = (await opened.ask(null))!;
    const arrived = Promise.withResolvers<void>();
    mock.log.subscribe((_, what) => what === 'arrived' && arrived.resolve());
    const leave = new AbortController();
    const asked = ask(question('1'), { signal: leave.signal }).catch((error: Error) => error);
    await arrived.promise;
    const waiting = ask(question('2')).catch((error: Error) => error);
    leave.abort(new Error('no longer'));
    await Promise.all([opened.close(), asked]);
    await until(async () => expect(await pools()).toMatchObject([{ held: 0 }]));
    expect(await waiting).toMatchObject({ message: expect.stringContaining('closed') });
    await expect(ask(question('3'))).rejects.toThrow('the models are closed');
  });
});

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { type Received, type Receiver, startReceiver } from '../../test/harness/receiver.ts';
import { onBothSites, openSite, type Site, until } from '../../test/harness/site.ts';
import { clean, task } from '../../test/harness/tasks.ts';
import { messageMachine } from './machine.ts';
import { SEND_STAGE } from './send.ts';

const secretOf = new Map<string, string>();
const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

interface Message {
  readonly message: string;
  readonly target: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: readonly { status: number | null; error: string | null; response: string | null }[];
}

interface Body {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly id: string;
    readonly seq: number;
    readonly origin: string;
    readonly [field: string]: unknown;
  };
}

const bodyOf = ({ body }: Received) => JSON.parse(body) as Body;
const isAbout = (id: string) => (one: Received) => bodyOf(one).data.clean_task_id === id;

/** Replaces the list of targets; each has a secret of its own, and its path at the receiver is its id. */
async function putTargets(site: Site, receiver: Receiver, targets: readonly Record<string, unknown>[]): Promise<void> {
  const items = targets.map((target) => {
    const id = String(target.id);
    const secret = secretOf.get(id) ?? newSecret();
    secretOf.set(id, secret);
    return { url: `${receiver.url}/${id}`, secret, ...target };
  });
  const { status, body } = await site.call('PUT', '/delivery/targets', { json: { items } });
  expect([status, body]).toEqual([200, { version: expect.any(Number) }]);
}

const messages = async (site: Site, query = ''): Promise<Message[]> =>
  (await site.call('GET', `/delivery/messages?limit=500${query}`)).body.items;

const itemOf = async (site: Site, id: string): Promise<string> => (await site.call('GET', `/trace/${id}`)).body.item;

/** The message about a task to a target, once it is in the state. */
const messageIn = (site: Site, id: string, target: string, state: string): Promise<Message> =>
  until(async () => {
    const found = (await messages(site, `&item=${await itemOf(site, id)}`)).filter((one) => one.target === target);
    expect(found.map((one) => one.state)).toEqual([state]);
    return found[0]!;
  });

onBothSites(
  'an event on its way out',
  (site) => {
    let receiver: Receiver;
    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver[Symbol.asyncDispose]());
    afterEach(() => moveClock(site().house.database, 0));
    const statuses = (message: Message) => message.attempts.map(({ status }) => status);

    test('reaches each target that wants it once, signed, with type, time and data', async () => {
      await putTargets(site(), receiver, [
        { id: 'all' },
        { id: 'family', types: ['answers.*'] },
        { id: 'exact', types: ['answers.sample.completed', 'answers.sample.completed'] },
        { id: 'other', types: ['documents.*', 'answers', 'answers.sample', 'core.dead_letter.created'] },
        { id: 'off', enabled: false },
      ]);
      await clean(site(), [task('signed', { batch_id: 'B-1', platform: 'deepseek' })]);
      const item = await itemOf(site(), 'signed');
      for (const id of ['all', 'family', 'exact']) {
        await messageIn(site(), 'signed', id, 'delivered');
        const [sent, ...more] = receiver.at(`/${id}`).filter(isAbout('signed'));
        expect(more).toEqual([]);
        const { headers, body } = sent!;
        const verified = new Webhook(secretOf.get(id)!).verify(body, headers as Record<string, string>);
        expect(verified).toEqual({
          type: 'answers.sample.completed',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          data: {
            id: item,
            seq: 1,
            origin: 'live',
            clean_task_id: 'signed',
            batch_id: 'B-1',
            platform: 'deepseek',
            is_valid: true,
            invalid_reason: null,
            mentioned: ['豆包'],
          },
        });
        expect(headers['content-type']).toBe('application/json');
        expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
        for (const secret of secretOf.values()) {
          const check = () => new Webhook(secret).verify(body, headers as Record<string, string>);
          if (secret !== secretOf.get(id)) expect(check).toThrow();
        }
        expect(() => new Webhook(secretOf.get(id)!).verify(`${body} `, headers as Record<string, string>)).toThrow();
      }
      const ids = new Set(receiver.received.filter(isAbout('signed')).map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(3);
      expect((await messages(site(), `&item=${item}`)).map(({ target }) => target).toSorted()).toEqual([
        'all',
        'exact',
        'family',
      ]);
      expect([receiver.at('/other'), receiver.at('/off')]).toEqual([[], []]);
      const { body: story } = await site().call('GET', '/trace/signed');
      expect(story.deliveries.map((one: Message) => [one.target, one.state]).toSorted()).toEqual([
        ['all', 'delivered'],
        ['exact', 'delivered'],
        ['family', 'delivered'],
      ]);
    });

    test('is not made twice, though the outbox be read again from its beginning', async () => {
      await putTargets(site(), receiver, [{ id: 'once' }]);
      await clean(site(), [task('once-1'), task('once-2')]);
      await messageIn(site(), 'once-1', 'once', 'delivered');
      await messageIn(site(), 'once-2', 'once', 'delivered');
      const { database } = site().house;
      const position = async () =>
        (await database.query(`select xid::text, seq from reader where name = 'delivery'`)).rows[0];
      const end = await position();
      const before = receiver.at('/once').length;
      await database.query(`update reader set xid = '0', seq = 0 where name = 'delivery'`);
      await until(async () => expect(await position()).toEqual(end));
      // Older events are new to this target; those it had, it does not get again.
      await clean(site(), [task('once-3')]);
      await messageIn(site(), 'once-3', 'once', 'delivered');
      await until(async () => {
        const own = (await messages(site())).filter(({ target }) => target === 'once');
        expect(own.filter(({ state }) => state !== 'delivered')).toEqual([]);
      });
      for (const id of ['once-1', 'once-2', 'once-3']) expect(receiver.at('/once').filter(isAbout(id))).toHaveLength(1);
      const seen = receiver.at('/once').map(({ headers }) => headers['webhook-id']);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThan(before);
    });

    test('waits after a failure and is delivered at its time, under the same id', async () => {
      await putTargets(site(), receiver, [{ id: 'shaky' }]);
      receiver.react('/shaky', (n) => (n === 1 ? { status: 500, body: 'not now\0' } : { status: 200, body: 'thanks' }));
      await clean(site(), [task('shaken')]);
      const waiting = await messageIn(site(), 'shaken', 'shaky', 'waiting');
      expect(waiting.attempts).toMatchObject([{ status: 500, error: 'delivery.refused', response: 'not now' }]);
      await moveClock(site().house.database, 61);
      const delivered = await messageIn(site(), 'shaken', 'shaky', 'delivered');
      expect(delivered.attempts).toMatchObject([{ status: 500 }, { status: 200, error: null, response: 'thanks' }]);
      const [first, second, ...more] = receiver.at('/shaky');
      expect(more).toEqual([]);
      expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
      expect(second!.body).toBe(first!.body);
      new Webhook(secretOf.get('shaky')!).verify(second!.body, second!.headers as Record<string, string>);
    });

    test('is given up after the fourth failure, and goes again when it is put back', async () => {
      await putTargets(site(), receiver, [{ id: 'down' }, { id: 'watching' }]);
      receiver.react('/down', () => ({ status: 503 }));
      await clean(site(), [task('dropped')]);
      for (const [n, seconds] of [
        [1, 61],
        [2, 61 + 301],
        [3, 61 + 301 + 1801],
      ] as const) {
        const { message } = await messageIn(site(), 'dropped', 'down', 'waiting');
        // Settled, not only tried: the wait is counted from then.
        await until(async () => expect((await site().call('GET', `/trace/${message}`)).body.runs).toHaveLength(n));
        await moveClock(site().house.database, seconds);
      }
      const exhausted = await messageIn(site(), 'dropped', 'down', 'exhausted');
      expect(statuses(exhausted)).toEqual([503, 503, 503, 503]);
      await moveClock(site().house.database, 0);
      const letters = async () => (await site().call('GET', `/dead-letters?stage=${SEND_STAGE}`)).body.items;
      const letter = (await letters()).find((one: { item: string }) => one.item === exhausted.message);
      expect(letter).toMatchObject({
        input_ref: 'down:answers.sample.completed',
        code: 'delivery.refused',
        attempts: [{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }, { attempt: 4 }],
      });

      receiver.react('/down', () => ({ status: 200 }));
      const back = await site().call('POST', '/dead-letters/redrive', { json: { ids: [letter.id] } });
      expect(back.body).toEqual({ redriven: 1, left: 0 });
      expect(statuses(await messageIn(site(), 'dropped', 'down', 'delivered'))).toEqual([503, 503, 503, 503, 200]);
      expect(new Set(receiver.at('/down').map(({ headers }) => headers['webhook-id']))).toEqual(
        new Set([exhausted.message]),
      );
      expect((await letters()).map((one: { id: string }) => one.id)).not.toContain(letter.id);
      expect(await findBreaches(site().house.database, messageMachine, [SEND_STAGE])).toEqual([]);
    });

    test('is given up at once where the target is gone, and nobody is told of that by a message', async () => {
      await putTargets(site(), receiver, [{ id: 'gone' }, { id: 'witness' }]);
      receiver.react('/gone', () => ({ status: 410 }));
      const json = task('lost', { answer: undefined, raw_data_url: 'file:none.json' });
      await site().call('POST', '/answers/clean-tasks', { json });
      // A dead letter of a sample is told; both targets want it.
      const gone = await messageIn(site(), 'lost', 'gone', 'exhausted');
      expect(gone).toMatchObject({
        type: 'core.dead_letter.created',
        attempts: [{ status: 410, error: 'delivery.gone' }],
      });
      await messageIn(site(), 'lost', 'witness', 'delivered');
      const { database } = site().house;
      const { rows } = await database.query<{ read: boolean }>(`select type from outbox where item = $1`, [
        gone.message,
      ]);
      expect(rows).toEqual([{ type: 'core.dead_letter.created' }]);
      // The reader comes past that event, and makes nothing of it.
      await until(async () => {
        const { rows: passed } = await database.query(
          `select 1 from outbox o join reader r on r.name = 'delivery' where o.item = $1 and (o.xid, o.seq) <= (r.xid, r.seq)`,
          [gone.message],
        );
        expect(passed).toHaveLength(1);
      });
      expect(await messages(site(), `&item=${gone.message}`)).toEqual([]);
      const told = receiver.at('/witness').map((one) => bodyOf(one).data);
      expect(told.filter(({ stage }) => String(stage).startsWith('delivery.'))).toEqual([]);
      expect(told.filter(({ stage }) => stage === 'answers.clean')).toHaveLength(1);
    });

    test('follows no redirect and keeps only the beginning of what is answered', async () => {
      await putTargets(site(), receiver, [{ id: 'moved' }, { id: 'chatty' }]);
      receiver.react('/moved', () => ({ status: 302, headers: { location: `${receiver.url}/trap` } }));
      receiver.react('/chatty', () => ({ status: 200, body: '长'.repeat(5_000) }));
      await clean(site(), [task('redirected')]);
      expect(statuses(await messageIn(site(), 'redirected', 'moved', 'exhausted'))).toEqual([302]);
      expect(receiver.at('/trap')).toEqual([]);
      const chatty = await messageIn(site(), 'redirected', 'chatty', 'delivered');
      expect(chatty.attempts[0]!.response).toHaveLength(2_000);
    });

    test('has a target whose secret is written once and shown by nothing', async () => {
      await putTargets(site(), receiver, [{ id: 'kept' }]);
      const secret = secretOf.get('kept')!;
      const { body } = await site().call('GET', '/delivery/targets');
      expect(body.items).toEqual([
        { id: 'kept', kind: 'webhook', url: `${receiver.url}/kept`, types: ['*'], enabled: true },
      ]);
      const { rows } = await site().house.database.query(
        `select content::text as text from rulebook where section like 'delivery%' union all select cipher from secret`,
      );
      expect(rows.length).toBeGreaterThan(1);
      expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length));
      // An edit that leaves it out keeps it.
      const edit = { json: { items: [{ id: 'kept', url: `${receiver.url}/kept`, types: ['answers.*'] }] } };
      expect((await site().call('PUT', '/delivery/targets', edit)).status).toBe(200);
      await clean(site(), [task('kept')]);
      await messageIn(site(), 'kept', 'kept', 'delivered');
      const sent = receiver.at('/kept').find(isAbout('kept'))!;
      new Webhook(secret).verify(sent.body, sent.headers as Record<string, string>);
    });

    test.each([
      ['none, for a new target', undefined],
      ['one of another kind', 'sk_live_123456789012345678901234567890'],
      ['none behind the prefix', 'whsec_'],
      ['no base64', 'whsec_@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@'],
      ['too short a one', `whsec_${randomBytes(23).toString('base64')}`],
      ['too long a one', `whsec_${randomBytes(65).toString('base64')}`],
    ])('has no target with %s', async (_what, secret) => {
      const before = (await site().call('GET', '/delivery/targets')).body;
      const items = [{ id: 'unsigned', url: `${receiver.url}/unsigned`, ...(secret === undefined ? {} : { secret }) }];
      const { status, body } = await site().call('PUT', '/delivery/targets', { json: { items } });
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('secret')]);
      if (secret) expect(JSON.stringify(body)).not.toContain(secret.slice(6) || 'whsec_"');
      expect((await site().call('GET', '/delivery/targets')).body).toEqual(before);
    });

    test('has no two targets with one id', async () => {
      const target = { id: 'twin', url: receiver.url, secret: newSecret() };
      expect(await site().call('PUT', '/delivery/targets', { json: { items: [target, target] } })).toMatchObject({
        status: 422,
        body: { error: { code: 'delivery.targets_invalid', message: expect.stringContaining("'twin'") } },
      });
    });

    test('stands in a list that comes in pages', async () => {
      await putTargets(site(), receiver, [{ id: 'a' }, { id: 'b' }]);
      await clean(site(), [task('paged-1'), task('paged-2'), task('paged-3')]);
      for (const id of ['paged-1', 'paged-2', 'paged-3']) await messageIn(site(), id, 'b', 'delivered');
      const all = await messages(site());
      expect(all.length).toBeGreaterThan(5);
      const paged: Message[] = [];
      let next: string | null = '';
      while (next !== null) {
        const { body }: { body: { items: Message[]; next_cursor: string | null } } = await site().call(
          'GET',
          `/delivery/messages?limit=3${next && `&cursor=${next}`}`,
        );
        paged.push(...body.items);
        next = body.next_cursor;
      }
      expect(paged).toEqual(all);
    });
  },
  { env: { SIGNALBOX_ALLOW_PRIVATE: '1' } },
);

describe('a target inside the network', () => {
  test('is never asked, and of what it is nothing is kept', async () => {
    await using receiver = await startReceiver();
    const site = await openSite('pglite');
    try {
      await putTargets(site, receiver, [
        { id: 'inside' },
        { id: 'by-name', url: receiver.url.replace('127.0.0.1', 'localhost') },
      ]);
      await clean(site, [task('private')]);
      for (const target of ['inside', 'by-name']) {
        const { attempts } = await messageIn(site, 'private', target, 'exhausted');
        expect(attempts).toMatchObject([{ status: null, error: expect.stringMatching(/^net\./), response: null }]);
      }
      expect(receiver.received).toEqual([]);
    } finally {
      await site.close();
    }
  });
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { type Duty, type DutyRunner, startDuties } from './duties.ts';

const EVERY = 60;

onBothDatabases('duties', (ground) => {
  let runners: DutyRunner[];
  let errors: [unknown, string][];

  beforeEach(async () => {
    // Timers go when the test says so; what waits for the database goes by itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    runners = [];
    errors = [];
    await ground().database.script('truncate duty');
    await moveClock(ground().database, 0);
  });
  afterEach(async () => {
    for (const runner of runners) await runner.stop();
    vi.useRealTimers();
  });

  function start(duty: Partial<Duty>, worker = 'worker-1', database = ground().database): DutyRunner {
    const whole = { name: 'test.sweep', everySeconds: EVERY, run: async () => {}, ...duty };
    const runner = startDuties(database, worker, [whole], (error, where) => errors.push([error, where]));
    runners.push(runner);
    return runner;
  }

  /** So much time passes for everybody. */
  let passed = 0;
  async function pass(seconds: number): Promise<void> {
    passed += seconds;
    await moveClock(ground().database, passed);
    vi.advanceTimersByTime(seconds * 1_000);
  }
  beforeEach(() => {
    passed = 0;
  });

  /** A duty that tells of each turn. */
  function counted() {
    let turns = 0;
    let done = Promise.withResolvers<void>();
    return {
      duty: {
        run: async () => {
          turns += 1;
          done.resolve();
          done = Promise.withResolvers();
        },
      },
      next: () => done.promise,
      get turns() {
        return turns;
      },
    };
  }

  const rows = async () =>
    (
      await ground().database.query<{ name: string; worker: string; failed: boolean; error: string | null }>(
        'select name, worker, failed_at is not null as failed, error from duty order by name',
      )
    ).rows;

  test('are done at once, and again each time', async () => {
    const sweep = counted();
    const first = sweep.next();
    const runner = start(sweep.duty);
    await first;
    for (let turn = 2; turn <= 4; turn += 1) {
      const next = sweep.next();
      await pass(EVERY);
      await next;
      expect(sweep.turns).toBe(turn);
    }
    await runner.stop();
    expect(await rows()).toEqual([{ name: 'test.sweep', worker: 'worker-1', failed: false, error: null }]);
    expect(errors).toEqual([]);
  });

  test('are done by one process at a time, whichever comes first', async () => {
    const [one, other] = [counted(), counted()];
    const both = [start(one.duty, 'worker-1'), start(other.duty, 'worker-2')];
    for (const runner of both) await runner.stop();
    expect(one.turns + other.turns).toBe(1);

    // A third comes when it is not due, and when it is.
    const early = counted();
    await moveClock(ground().database, EVERY * 0.8);
    await start(early.duty, 'worker-3').stop();
    expect(early.turns).toBe(0);
    await moveClock(ground().database, EVERY);
    await start(early.duty, 'worker-3').stop();
    expect(early.turns).toBe(1);
    expect(await rows()).toMatchObject([{ worker: 'worker-3' }]);
  });

  test('that concern each process are done in each', async () => {
    const [one, other] = [counted(), counted()];
    await start({ ...one.duty, everywhere: true }, 'worker-1').stop();
    await start({ ...other.duty, everywhere: true }, 'worker-2').stop();
    expect([one.turns, other.turns]).toEqual([1, 1]);
  });

  test('go by the time of the database: a timer that is early or another clock changes nothing', async () => {
    const sweep = counted();
    const first = sweep.next();
    const runner = start(sweep.duty);
    await first;
    vi.advanceTimersByTime(EVERY * 10_000);
    await runner.stop();
    expect(sweep.turns).toBe(1);
  });

  test.each([false, true])('that fail are told of, kept, and tried again (everywhere: %s)', async (everywhere) => {
    let turns = 0;
    let failed = Promise.withResolvers<void>();
    const first = failed.promise;
    const runner = start({
      everywhere,
      run: async () => {
        turns += 1;
        failed.resolve();
        failed = Promise.withResolvers();
        throw new Error(`broken ${'x'.repeat(600)}`);
      },
    });
    await first;
    await vi.waitUntil(async () => (await rows())[0]?.failed, { interval: 1 });
    const next = failed.promise;
    await pass(EVERY);
    await next;
    await runner.stop();
    expect(turns).toBe(2);
    expect(errors).toMatchObject([
      [{ message: expect.stringContaining('broken') }, 'duty test.sweep'],
      [{ message: expect.stringContaining('broken') }, 'duty test.sweep'],
    ]);
    const error = `Error: broken ${'x'.repeat(600)}`.slice(0, 500);
    expect(await rows()).toEqual([{ name: 'test.sweep', worker: 'worker-1', failed: true, error }]);
  });

  test('do not overtake themselves, and stopping waits for one that is at it', async () => {
    let turns = 0;
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const runner = start({
      run: async () => {
        turns += 1;
        begun.resolve();
        await end.promise;
      },
    });
    await begun.promise;
    await pass(EVERY);
    await pass(EVERY);
    let stopped = false;
    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    await ground().database.query('select 1');
    expect(stopped).toBe(false);
    end.resolve();
    await stopping;
    expect(turns).toBe(1);
    await pass(EVERY);
    await runner.stop();
    expect(turns).toBe(1);
  });

  test('outlive a database that is away', async () => {
    const { database } = ground();
    let down = true;
    const shaky = {
      ...database,
      query: (...given: Parameters<typeof database.query>) =>
        down ? Promise.reject(new Error('down')) : database.query(...given),
    } as typeof database;
    const sweep = counted();
    const runner = start(sweep.duty, 'worker-1', shaky);
    await vi.waitUntil(() => errors.length, { interval: 1 });
    expect(errors).toMatchObject([[{ message: 'down' }, 'duty test.sweep']]);
    down = false;
    const next = sweep.next();
    await pass(EVERY);
    await next;
    await runner.stop();
    expect(sweep.turns).toBe(1);
  });
});

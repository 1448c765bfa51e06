import { beforeAll, beforeEach, expect, test } from 'vitest';
import { brain, PASSAGE } from '../../test/harness/brain.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { type Desk, openDesk } from '../../test/harness/desk.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import type { Machine } from '../core/machine.ts';
import { CodedError } from '../errors/coded-error.ts';
import { listDeadLetters } from '../jobs/dead-letter.ts';
import { steerBatch } from '../replay/batches.ts';
import { EXTRACT_FIELDS } from './classify-stage.ts';
import { confirm } from './decisions.ts';
import { CLASSIFY, EXTRACT_TEXT } from './extract-text-stage.ts';
import { documentMachine } from './machine.ts';
import { stageOf } from './replay-stage.ts';

const RE_CLASSIFY = stageOf('re-classify');
const STAGES = [EXTRACT_TEXT, CLASSIFY, EXTRACT_FIELDS, RE_CLASSIFY];
const refused = new CodedError('llm.request_refused', 'permanent', 'no');

onBothDatabases('a batch over documents that is cancelled', (ground) => {
  let desk: Desk;
  let calls: string[];
  let failure: CodedError | null;
  let serial = 0;

  const finish = async (count: number) =>
    desk.finish(
      ...Array.from({ length: count }, () => ({ name: 'a.txt', text: `${PASSAGE}, no. ${++serial}.\nTotal 10.00\n` })),
    );
  const cancel = (batch: string) => steerBatch(desk.batches, batch, 'cancel', 'key:test');
  const outcomes = async (id: string, batch: string) =>
    (await desk.runs(id)).filter(({ cause }) => cause === batch).map(({ outcome, code }) => `${outcome} ${code}`);
  const letters = async (ids: readonly string[]) =>
    (await listDeadLetters(ground().database, {}, 100)).filter(({ item }) => ids.includes(item));

  beforeAll(async () => {
    desk = await openDesk(ground);
    await desk.putTypes(['invoice', 'contract'].map((code) => ({ code, name: code })));
  });
  beforeEach(() => {
    failure = null;
    const mind = brain(() => {
      if (failure) throw failure;
      return { type: 'invoice' };
    });
    calls = mind.asked;
    desk.model = mind.ask;
  });

  test.each([
    ['told to wait', new CodedError('llm.rate_limited', 'postponed', 'later', { retryAfterSeconds: 1 }), 'postponed'],
    ['failed for a moment', new CodedError('llm.unavailable', 'transient', 'down'), 'failed'],
  ])('does not take up again what was %s when it ended', async (_, error, outcome) => {
    const [id] = (await finish(1)) as [string];
    const before = await desk.document(id);
    const batch = await desk.start('re-classify', { scope: { ids: [id] } });
    await desk.work('replay.dispatch');
    failure = error;
    await desk.work(RE_CLASSIFY, async (point) => {
      if (point === 'worked') await cancel(batch);
    });
    failure = null;
    calls.length = 0;
    await desk.workAll();
    expect(calls).toEqual([]);
    expect(await outcomes(id, batch)).toEqual([`${outcome} ${error.code}`, 'skipped replay.cancelled']);
    expect(await desk.document(id)).toEqual(before);
  });

  test('gives up again what it had put back, with the letter that it had', async () => {
    failure = refused;
    const ids = await finish(2);
    const before = await letters(ids);
    failure = null;
    const batch = await desk.start('re-classify', { scope: { failed: true } });
    await desk.work('replay.dispatch');
    expect((await desk.document(ids[0]!)).state).toBe('classifying');
    await cancel(batch);
    await desk.workAll();
    expect((await Promise.all(ids.map((id) => desk.document(id)))).map(({ state }) => state)).toEqual([
      'failed',
      'failed',
    ]);
    expect([before.length, await letters(ids)]).toEqual([2, before]);
    // Nothing stands in the way of another one.
    await desk.replay('re-classify', { scope: { ids } });
    expect((await desk.document(ids[0]!)).state).toBe('ready');
    expect(await letters(ids)).toEqual([]);
  });

  test('leaves alone what a person has set to work meanwhile', async () => {
    const [id] = (await finish(1)) as [string];
    const batch = await desk.start('re-classify', { scope: { ids: [id] } });
    await desk.work('replay.dispatch');
    await desk.decide(id, (document, types, giver) => confirm(document, types, { type: 'contract' }, giver));
    await cancel(batch);
    expect((await desk.document(id)).state).toBe('extracting_fields');
    await desk.workAll();
    expect(await desk.document(id)).toMatchObject({ state: 'ready', type: 'contract' });
  });

  test('after all of this the invariants hold', async () => {
    expect(await findBreaches(ground().database, documentMachine as unknown as Machine, STAGES)).toEqual([]);
  });
});

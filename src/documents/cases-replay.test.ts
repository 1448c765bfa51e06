import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brain, PASSAGE, type Said } from '../../test/harness/brain.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { type Desk, openDesk } from '../../test/harness/desk.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import type { Machine } from '../core/machine.ts';
import { CodedError } from '../errors/coded-error.ts';
import { startBatch, steerBatch } from '../replay/batches.ts';
import { retryFailed } from '../replay/retry-failed.ts';
import { EXTRACT_FIELDS } from './classify-stage.ts';
import { confirm, editFields, reject, restore } from './decisions.ts';
import { CLASSIFY, EXTRACT_TEXT } from './extract-text-stage.ts';
import { documentMachine } from './machine.ts';
import { readSuggestion, readVersion } from './read-document.ts';
import { stageOf } from './replay-stage.ts';

const TYPES = [
  {
    code: 'invoice',
    name: 'Invoice',
    fields: [
      { code: 'total', name: 'Total', type: 'money' },
      { code: 'date', name: 'Date', type: 'date' },
      { code: 'note', name: 'Note', type: 'string' },
    ],
  },
  { code: 'contract', name: 'Contract', fields: [{ code: 'party', name: 'Party', type: 'string' }] },
  { code: 'memo', name: 'Memo' },
];
const STAGES = [
  EXTRACT_TEXT,
  CLASSIFY,
  EXTRACT_FIELDS,
  ...(['re-read', 're-classify', 're-extract'] as const).map(stageOf),
];

onBothDatabases('replays over documents', (ground) => {
  let desk: Desk;
  let says: (prompt: string) => Said | Promise<Said>;
  let calls: string[];
  let serial = 0;

  /** A document with these words in it, worked on to its end. */
  const finish = async (...texts: string[]) => {
    serial += texts.length;
    return desk.finish(
      ...texts.map((text, n) => ({
        name: `${n}.txt`,
        text: `${PASSAGE}, no. ${serial}-${n}.\n${text}\nTotal 10.00\n`,
      })),
    );
  };
  const invoice = (fields: Said['fields']): Said => ({ type: 'invoice', fields });
  const values = async (id: string) => {
    const { fields } = await desk.document(id);
    return Object.fromEntries(Object.entries(fields).map(([code, { value }]) => [code, value]));
  };
  const typesOfEvents = async (id: string) =>
    (await desk.events(id)).map(({ type, origin }) => `${type.replace('documents.document.', '')} ${origin}`);
  const edit = (id: string, fields: Record<string, unknown>) =>
    desk.decide(id, (document, types, giver) => editFields(document, types, fields, giver));
  const confirmAs = (id: string, type?: string) =>
    desk.decide(id, (document, types, giver) => confirm(document, types, { type }, giver));

  beforeAll(async () => {
    desk = await openDesk(ground, 3);
    await desk.putTypes(TYPES);
  });
  beforeEach(() => {
    const mind = brain((prompt) => says(prompt));
    calls = mind.asked;
    desk.model = mind.ask;
    says = () => invoice({ total: '10.00' });
  });

  test('case 2: what left the scope or was confirmed meanwhile is skipped, and costs nothing', async () => {
    const ids = await finish('Total 10.00', 'Total 10.00', 'Total 10.00');
    await desk.start('re-classify', { scope: { ids } });
    await desk.work('replay.dispatch');
    await desk.remove(ids[1]!);
    await confirmAs(ids[2]!);
    calls.length = 0;
    await desk.workAll();
    expect(calls).toEqual(['document_type', 'document_fields']);
    expect((await Promise.all(ids.map((id) => desk.runs(id)))).map((runs) => runs.at(-1))).toMatchObject([
      { outcome: 'accepted' },
      { outcome: 'skipped', code: 'core.stage_passed' },
      { outcome: 'skipped', code: 'documents.human_decided' },
    ]);
  });

  test('cases 3 and 4: a person’s value stays with its author; filling in says what it did not use', async () => {
    says = () => invoice({ total: '10.00', note: 'machine' });
    const [id] = (await finish('Total 10.00, note machine, then 12.00 and 2026-01-02')) as [string];
    await edit(id, { note: 'keep', total: 10 });
    says = () => invoice({ total: '12.00', date: '2026-01-02' });
    await desk.replay('re-extract', { scope: { ids: [id] }, mode: 'fill_empty' });
    expect(await values(id)).toEqual({ total: 10, date: '2026-01-02', note: 'keep' });
    const { rows } = await ground().database.query<{ unused: Record<string, { value: unknown }> }>(
      'select unused from documents_version where document = $1 order by version desc limit 1',
      [id],
    );
    expect(rows[0]!.unused.total).toMatchObject({ value: 12 });
    await desk.replay('re-extract', { scope: { ids: [id] } });
    expect(await values(id)).toEqual({ total: 10, date: '2026-01-02', note: 'keep' });
    expect((await desk.document(id)).fields.note).toMatchObject({ source: 'human', edited_by: 'key:moderator' });
    await desk.replay('re-extract', { scope: { ids: [id] }, includeHuman: true });
    expect(await values(id)).toEqual({ total: 12, date: '2026-01-02', note: null });
  });

  test('case 6: what did not change since the last run is said, and reading again is done, not claimed', async () => {
    const [id] = (await finish('Total 10.00')) as [string];
    const order = { scope: { ids: [id] }, mode: 'apply', includeHuman: false, confirmCascade: true };
    const { warnings, stale } = await desk.actions['re-classify'].preview(ground().database, order);
    expect([stale, warnings]).toEqual([0, expect.arrayContaining([expect.stringContaining('nothing changed')])]);
    await desk.replay('re-read', { scope: { ids: [id] } });
    expect((await desk.document(id)).textVersion).toBe(2);
  });

  test('case 7: reclassified to a type without fields, no row is left, and one event tells of none', async () => {
    const [id] = (await finish('Total 10.00')) as [string];
    says = () => ({ type: 'memo' });
    await desk.replay('re-classify', { scope: { ids: [id] } });
    const { rows } = await ground().database.query('select from documents_field where document = $1', [id]);
    expect(rows).toHaveLength(0);
    const [, , , classified, extracted] = await desk.events(id);
    expect(classified).toMatchObject({ type: 'documents.document.classified', seq: 4, origin: 'replay' });
    expect(extracted).toMatchObject({ type: 'documents.document.fields_extracted', seq: 5, data: { fields: [] } });
  });

  test('case 10: what comes in while a batch runs is not of it, whatever order its id has', async () => {
    const ids = await finish('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const batch = await desk.start('re-extract', { scope: { all: true } });
    await desk.work('replay.dispatch');
    const later = await finish('h', 'i');
    await desk.workAll();
    for (const id of ids) expect((await desk.runs(id)).filter(({ cause }) => cause === batch)).toHaveLength(1);
    for (const id of later) expect((await desk.runs(id)).filter(({ cause }) => cause === batch)).toHaveLength(0);
  });

  test('case 12: whose dispatcher is lost after page 2 of 3 ends, and does no document twice', async () => {
    const ids = await finish('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const batch = await desk.start('re-extract', { scope: { ids } });
    for (const page of [1, 2]) {
      expect(await desk.work('replay.dispatch'), `page ${page}`).toBe(1);
      await desk.work(stageOf('re-extract'));
    }
    // Claimed and never heard of again; the supervisor gives it to the lane of second tries.
    const { boss } = ground().queue;
    const [lost] = await boss.fetch('replay.dispatch', { ignoreStartAfter: true });
    await boss.fail('replay.dispatch', lost!.id);
    await desk.workAll();
    const runs = (await Promise.all(ids.map((id) => desk.runs(id)))).flat().filter(({ cause }) => cause === batch);
    expect(runs.map(({ outcome }) => outcome)).toEqual(ids.map(() => 'accepted'));
  });

  test('case 31: what the provider puts off is done later, and no try is used up', async () => {
    const ids = await finish('a', 'b', 'c');
    let asked = 0;
    says = () => {
      asked += 1;
      if (asked % 4 !== 0) {
        throw new CodedError('llm.rate_limited', 'postponed', '429', { retryAfterSeconds: 2 });
      }
      return invoice({ total: '10.00' });
    };
    expect(await desk.replay('re-extract', { scope: { ids } })).toEqual({ accepted: 3 });
    const outcomes = (await Promise.all(ids.map((id) => desk.runs(id)))).flat().map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'postponed')).toHaveLength(9);
    expect(outcomes).not.toContain('failed');
  });

  test('cases 14 and 15: one that fails does not hold up the others, and ends; only it is tried again', async () => {
    const ids = await finish('a', 'b', 'broken one', 'd', 'e');
    let tries = 0;
    says = (prompt) => {
      if (!prompt.includes('broken one')) return invoice({});
      tries += 1;
      throw new CodedError('llm.request_refused', 'permanent', 'the provider answered 400');
    };
    const batch = await desk.start('re-extract', { scope: { ids } });
    await desk.workAll();
    const outcomes = async (cause: string) =>
      (await Promise.all(ids.map((id) => desk.runs(id)))).map(
        (runs) => runs.findLast((run) => run.cause === cause)?.outcome,
      );
    expect(await outcomes(batch)).toEqual(['accepted', 'accepted', 'failed', 'accepted', 'accepted']);
    expect(tries).toBe(1);
    expect((await desk.document(ids[2]!)).state).toBe('ready');
    says = () => invoice({});
    const again = await retryFailed(desk.batches, () => desk.actions['re-extract'], batch, 'key:test');
    await desk.workAll();
    expect(await outcomes(again.batch)).toEqual([undefined, undefined, 'accepted', undefined, undefined]);
  });

  test('case 15: what fails for a moment is tried as often as the stage says, not for ever', async () => {
    const [id] = (await finish('a')) as [string];
    let tries = 0;
    says = () => {
      tries += 1;
      throw new CodedError('llm.unavailable', 'transient', 'down');
    };
    expect(await desk.replay('re-extract', { scope: { ids: [id] } })).toEqual({ failed: 1 });
    expect([tries, (await desk.document(id)).state]).toEqual([3, 'ready']);
  });

  test('case 20: every run leaves a version, the newest is shown, and an older one comes back', async () => {
    const [id] = (await finish('10.00 or 11.00 or 12.00')) as [string];
    for (const total of ['11.00', '12.00']) {
      says = () => invoice({ total });
      await desk.replay('re-extract', { scope: { ids: [id] } });
    }
    const { rows } = await ground().database.query<{ version: number; total: number }>(
      `select version, (fields #>> '{total,value}')::float8 as total from documents_version
        where document = $1 and fields ? 'total' order by version`,
      [id],
    );
    expect(rows.map(({ total }) => total)).toEqual([10, 11, 12]);
    expect(await values(id)).toMatchObject({ total: 12 });
    const old = (await readVersion(ground().database, id, rows[0]!.version))!;
    await desk.decide(id, (document) => restore(document, old));
    expect(await values(id)).toMatchObject({ total: 10 });
  });

  test('case 22: a person confirms while the model thinks: their word stands, and nothing is told after it', async () => {
    says = () => ({ type: 'contract', confidence: 0.2, fields: {} });
    const [id] = (await finish('a contract')) as [string];
    expect((await desk.document(id)).state).toBe('in_review');
    await desk.start('re-classify', { scope: { ids: [id] } });
    await desk.work('replay.dispatch');
    says = () => ({ type: 'invoice', confidence: 0.99, fields: {} });
    await desk.work(stageOf('re-classify'), async (point) => {
      if (point === 'worked') await confirmAs(id, 'contract');
    });
    await desk.workAll();
    expect(await desk.document(id)).toMatchObject({ type: 'contract', confirmed: true, state: 'ready' });
    expect((await desk.runs(id)).map(({ outcome }) => outcome)).toContain('superseded');
    // What the machine would have said is kept for whoever wants to know.
    expect(await readSuggestion(ground().database, id)).toMatchObject({ type: 'invoice' });
    expect(await typesOfEvents(id)).toEqual(['classified live', 'fields_extracted live', 'ready live']);
  });

  test('case 23: a batch goes by the types as they were when it began', async () => {
    const ids = await finish('a', 'b', 'c', 'd', 'e');
    const version = await desk.putTypes([...TYPES]);
    await desk.start('re-extract', { scope: { ids } });
    await desk.work('replay.dispatch');
    await desk.work(stageOf('re-extract'));
    const later = await desk.putTypes(TYPES.map((type) => ({ ...type, description: 'edited in the middle' })));
    expect(later).toBe(version + 1);
    let seen = '';
    says = (prompt) => {
      seen += prompt;
      return invoice({});
    };
    await desk.workAll();
    expect(seen).not.toContain('edited in the middle');
    const { rows } = await ground().database.query<{ rulebook_version: number }>(
      'select distinct rulebook_version from documents_document where id = any($1::uuid[])',
      [ids],
    );
    expect(rows).toEqual([{ rulebook_version: version }]);
    await desk.putTypes(TYPES);
  });

  test('case 11: a claim that stalled comes back after another has ended: one result, one set of events', async () => {
    const [id] = (await finish('a')) as [string];
    says = () => invoice({ total: '10.00', note: 'paper' });
    const batch = await desk.start('re-extract', { scope: { ids: [id] } });
    await desk.work('replay.dispatch');
    await desk.work(stageOf('re-extract'), async (point) => {
      if (point !== 'worked') return;
      // What the supervisor does to a claim without a sign of life.
      await ground().database.query(
        `update ${ground().database.schema}_jobs.job set state = 'retry', retry_limit = 10 where data ->> 'cause' = $1 and state = 'active'`,
        [batch],
      );
      await desk.work(stageOf('re-extract'));
    });
    await desk.workAll();
    const runs = (await desk.runs(id)).filter(({ cause }) => cause === batch);
    expect(runs.map(({ outcome }) => outcome).sort()).toEqual(['accepted', 'lost']);
    expect((await typesOfEvents(id)).slice(3)).toEqual(['fields_extracted replay']);
  });

  test('case 18: what waits when a process ends waits once when another begins', async () => {
    const names = Array.from({ length: 30 }, (_, n) => ({ name: `${n}.txt`, text: `${PASSAGE} of case 18, ${n}` }));
    await desk.takeIn(...names);
    const again = await desk.takeIn(...names);
    expect(again.every(({ outcome }) => outcome === 'known')).toBe(true);
    const { rows } = await ground().database.query<{ n: number }>(
      `select count(*)::int as n from ${ground().database.schema}_jobs.job where name = $1 and state = 'created'`,
      [EXTRACT_TEXT],
    );
    expect(rows[0]!.n).toBe(30);
    await desk.workAll();
  });

  test('what people rejected is in no scope, and keeps its reasons', async () => {
    says = () => ({ type: 'invoice', confidence: 0.1 });
    const [id] = (await finish('a')) as [string];
    await desk.decide(id, reject);
    for (const scope of [{ review_queue: true as const }, { ids: [id] }, { all: true as const }]) {
      const batch = await desk.start('re-classify', { scope });
      await desk.workAll();
      expect((await desk.runs(id)).some(({ cause }) => cause === batch)).toBe(false);
    }
    expect(await desk.document(id)).toMatchObject({ state: 'rejected', reasons: ['type_unsure'] });
  });

  test('while a batch runs, and when the model is away, nothing that is ready looks otherwise', async () => {
    const ids = await finish('a', 'b', 'c');
    const seen: string[] = [];
    says = () => {
      throw new CodedError('llm.unavailable', 'transient', 'down');
    };
    await desk.start('re-classify', { scope: { ids } });
    await desk.work('replay.dispatch');
    await desk.work(stageOf('re-classify'), async (point) => {
      // Between these a transaction is open.
      if (point.startsWith('settle.')) return;
      seen.push(...(await Promise.all(ids.map(async (id) => (await desk.document(id)).state))));
    });
    await desk.workAll();
    expect(new Set(seen)).toEqual(new Set(['ready']));
    for (const id of ids) {
      expect(await typesOfEvents(id)).toHaveLength(3);
      expect((await desk.document(id)).state).toBe('ready');
    }
  });

  describe('an answer that is none changes nothing', () => {
    test.each([
      ['llm.invalid_output', 'transient'],
      ['llm.truncated', 'permanent'],
      ['llm.content_filter', 'permanent'],
    ] as const)('%s', async (code, errorClass) => {
      const [id] = (await finish('Total 10.00')) as [string];
      const before = await desk.document(id);
      says = () => {
        throw new CodedError(code, errorClass, 'no answer');
      };
      expect(await desk.replay('re-classify', { scope: { ids: [id] } })).toEqual({ failed: 1 });
      expect(await desk.document(id)).toEqual(before);
    });
  });

  test('case 24: an invented type asks for a person, and there is no such type since', async () => {
    says = () => ({ type: 'passport', confidence: 0.98 });
    const [id] = (await finish('a')) as [string];
    expect(await desk.document(id)).toMatchObject({ type: null, state: 'in_review', reasons: ['type_unknown'] });
  });

  test('an unsure answer puts a ready one into review, with type and fields as they were; a sure one brings it back', async () => {
    const [id] = (await finish('Total 10.00')) as [string];
    says = () => ({ type: 'contract', confidence: 0.1 });
    await desk.replay('re-classify', { scope: { ids: [id] } });
    expect(await desk.document(id)).toMatchObject({ type: 'invoice', state: 'in_review', reasons: ['type_unsure'] });
    expect(await values(id)).toMatchObject({ total: 10 });
    expect(await typesOfEvents(id)).toEqual(['classified live', 'fields_extracted live', 'ready live']);
    says = () => invoice({ total: '10.00' });
    await desk.replay('re-classify', { scope: { review_queue: true } });
    expect((await desk.document(id)).state).toBe('ready');
    expect((await typesOfEvents(id)).slice(3)).toEqual(['ready replay']);
  });

  test('the same result again is told to nobody', async () => {
    const [id] = (await finish('Total 10.00')) as [string];
    calls.length = 0;
    await desk.replay('re-classify', { scope: { ids: [id] } });
    // What was classified again is always read again, though the type stays.
    expect(calls).toEqual(['document_type', 'document_fields']);
    expect(await typesOfEvents(id)).toHaveLength(3);
  });

  test('a proposal changes nothing that is shown, and waits for a person', async () => {
    const [id] = (await finish('Total 10.00')) as [string];
    says = () => ({ type: 'contract', fields: { party: 'Total' } });
    await desk.replay('re-classify', { scope: { ids: [id] }, mode: 'propose' });
    expect(await desk.document(id)).toMatchObject({ type: 'invoice', state: 'ready' });
    expect(await readSuggestion(ground().database, id)).toMatchObject({
      type: 'contract',
      fields: { party: { value: 'Total' } },
    });
    expect(await typesOfEvents(id)).toHaveLength(3);
  });

  test('what a person decides after a batch was started is not set aside by it, though it was asked to', async () => {
    const [id] = (await finish('Total 10.00')) as [string];
    await desk.start('re-classify', { scope: { ids: [id] }, includeHuman: true });
    await confirmAs(id, 'memo');
    await desk.workAll();
    expect((await desk.document(id)).type).toBe('memo');
    await desk.replay('re-classify', { scope: { ids: [id] }, includeHuman: true });
    expect(await desk.document(id)).toMatchObject({ type: 'invoice', confirmed: false });
  });

  test('those that failed go back to their step in the batch’s name', async () => {
    says = () => {
      throw new CodedError('llm.request_refused', 'permanent', 'no');
    };
    const [id] = (await finish('Total 10.00')) as [string];
    expect(await desk.document(id)).toMatchObject({ state: 'failed' });
    says = () => invoice({ total: '10.00' });
    await desk.replay('re-classify', { scope: { failed: true } });
    expect(await desk.document(id)).toMatchObject({ state: 'ready', type: 'invoice' });
    const { rows } = await ground().database.query('select from dead_letter where item = $1 and redriven_at is null', [
      id,
    ]);
    expect(rows).toHaveLength(0);
  });

  test('reading many again must be meant', async () => {
    const ids = await finish('a', 'b');
    const order = { scope: { ids }, mode: 'apply', includeHuman: false, confirmCascade: false };
    const refused = { code: 'replay.cascade_unconfirmed', detail: { cascades_into: ['type', 'fields'] } };
    const action = desk.actions['re-read'];
    await expect(startBatch(desk.batches, { ...order, action, force: true, startedBy: 'x' })).rejects.toMatchObject(
      refused,
    );
    for (const scope of [{ ids: ids.slice(0, 1) }, { failed: true as const }]) action.check({ ...order, scope });
  });

  test('the same again while one runs is refused with its id', async () => {
    const [id] = (await finish('a')) as [string];
    const scope = { ids: [id] };
    const batch = await desk.start('re-extract', { scope });
    await expect(desk.start('re-extract', { scope, force: false })).rejects.toMatchObject({
      code: 'replay.already_running',
      detail: { batch },
    });
    await steerBatch(desk.batches, batch, 'cancel', 'x');
  });

  test('a preview says what people decided, what a model is asked, and what it may cost', async () => {
    const ids = await finish('Total 10.00', 'Total 10.00', 'Total 10.00');
    await confirmAs(ids[0]!);
    await edit(ids[1]!, { total: 11 });
    const order = { scope: { ids }, mode: 'apply', includeHuman: false, confirmCascade: true };
    const preview = await desk.actions['re-classify'].preview(ground().database, order);
    expect(preview).toMatchObject({
      items: 3,
      human_decided: 2,
      human_edited: 1,
      stages: ['type', 'fields'],
      model_calls: 2,
    });
    expect(preview.cost.high).toBeGreaterThan(0);
    const fields = { ...order, mode: 'replace' };
    expect(await desk.actions['re-extract'].preview(ground().database, fields)).toMatchObject({
      items: 3,
      model_calls: 3,
      warnings: expect.arrayContaining([expect.stringContaining('1 documents carry values that people gave')]),
    });
  });

  test('a trial says what would change and changes nothing; a measurement holds it against what people said', async () => {
    const ids = await finish('Total 10.00 of 12.00', 'Total 10.00 of 12.00');
    await confirmAs(ids[0]!);
    says = (prompt) => invoice({ total: prompt.includes('whole') ? '12.00' : '10.00' });
    const draft = { types: TYPES.map((type) => ({ ...type, description: 'the whole amount' })) };
    const action = desk.actions['re-extract'];
    const before = await Promise.all(ids.map((id) => desk.document(id)));
    const trial = await action.trial(ground().database, { ids }, 10, draft);
    expect(trial).toMatchObject({ tried: 2, changed_items: 2, by_field: { total: 2 }, moves: {} });
    const { fields, changes } = await action.measure(ground().database, draft);
    expect(fields['invoice.total']!.labels).toBeGreaterThan(0);
    expect(changes).toContainEqual(
      expect.objectContaining({ id: ids[0], field: 'invoice.total', label: 10, before: 10, after: 12 }),
    );
    expect(await Promise.all(ids.map((id) => desk.document(id)))).toEqual(before);
  });

  test('after all of this the invariants hold', async () => {
    await desk.workAll();
    expect(await findBreaches(ground().database, documentMachine as unknown as Machine, STAGES)).toEqual([]);
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../../test/harness/data-folder.ts';
import { OWNER_KEY, onBothSites, until } from '../../test/harness/site.ts';

const examples = new URL('../../examples/documents/', import.meta.url);
const example = (name: string): { name: string; bytes: Uint8Array } => ({
  name,
  bytes: readFileSync(new URL(name, examples)),
});
const { types } = parse(readFileSync(new URL('types.yaml', examples), 'utf8')) as { types: { code: string }[] };
const inbox = newFolder('inbox');

interface Uploaded {
  readonly items: readonly {
    readonly file: string;
    readonly outcome: string;
    readonly id: string;
    readonly error: { readonly code: string } | null;
  }[];
}

const letter = (words: string) => ({
  name: `${words}.txt`,
  bytes: `Harbour Lane Bakery\n\n3 March 2026\n\nMs Ada Quill\n\nDear Ms Quill,\n\nSubject: ${words}\n\nthank you.\n`,
});

onBothSites(
  'documents over HTTP',
  (site) => {
    const upload = async (...files: { name: string; bytes: Uint8Array | string }[]) => {
      const form = new FormData();
      for (const { name, bytes } of files) form.append('file', new Blob([bytes as never]), name);
      const response = await fetch(`${site().address}/api/v1/documents`, {
        method: 'POST',
        body: form,
        headers: { authorization: `Bearer ${OWNER_KEY}` },
      });
      return { status: response.status, body: (await response.json()) as Uploaded };
    };
    const settled = (id: string, ...states: string[]) =>
      until(async () => {
        const { body } = await site().call('GET', `/documents/${id}`);
        expect(states.length ? states : ['ready', 'in_review', 'failed']).toContain(body.state);
        return body;
      });
    const post = (path: string, json: unknown, method = 'POST') => site().call(method, path, { json });

    test('a file becomes text, type and fields', async () => {
      expect((await post('/documents/types', { items: types, note: 'the examples' }, 'PUT')).body).toEqual({
        version: 1,
      });
      const sent = await upload(example('d10.pdf'));
      expect(sent).toMatchObject({
        status: 201,
        body: { items: [{ file: 'd10.pdf', outcome: 'stored', error: null }] },
      });
      const { id } = sent.body.items[0]!;
      const found = await settled(id);
      expect(found).toMatchObject({ type: 'invoice', by: 'rules', state: 'ready', pages: 1, text_method: 'text' });
      expect(found.fields.total).toMatchObject({ value: 9858, currency: 'CNY', source: 'rules' });
      expect(found.state_history.map(({ to }: { to: string }) => to)).toEqual([
        ...['extracting_text', 'classifying', 'extracting_fields', 'ready'],
      ]);
      expect((await site().call('GET', `/documents/${id}/text`)).body.markdown).toContain('价税合计');
      expect((await site().call('GET', `/documents/${id}/runs`)).body.items).toHaveLength(3);
      const file = await fetch(`${site().address}/api/v1/documents/${id}/file`, {
        headers: { authorization: `Bearer ${OWNER_KEY}` },
      });
      expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(example('d10.pdf').bytes));
      expect((await site().call('GET', `/trace/${id}`)).status).toBe(200);
    });

    test('case 34: what is empty or is not what its name says is refused, its neighbours are stored', async () => {
      const cut = { name: 'cut.pdf', bytes: example('d10.pdf').bytes.subarray(0, 3_000) };
      const sent = await upload({ name: 'a.pdf', bytes: '' }, { name: 'b.pdf', bytes: 'hello' }, cut, letter('of 34'));
      expect(sent.status).toBe(201);
      expect(sent.body.items.map(({ outcome, error }) => error?.code ?? outcome)).toEqual([
        ...['file.empty', 'file.invalid', 'stored', 'stored'],
      ]);
      expect(await settled(sent.body.items[2]!.id)).toMatchObject({ state: 'failed', error: { code: 'pdf.invalid' } });
      expect((await settled(sent.body.items[3]!.id)).state).not.toBe('failed');
      const refused = await upload({ name: 'a.pdf', bytes: '' }, { name: 'b.pdf', bytes: 'hello' });
      expect([refused.status, refused.body.items.length]).toEqual([400, 2]);
    });

    test('case 35: the same content is one document by whatever name, and does not poison its neighbours', async () => {
      const one = letter('of 35');
      const [first, second] = await Promise.all([
        upload({ ...one, name: 'first.txt' }),
        upload({ ...one, name: 'second.txt' }, letter('another of 35')),
      ]);
      const ids = new Set([first.body.items[0]!.id, second.body.items[0]!.id]);
      expect(ids.size).toBe(1);
      expect([first, second].map(({ body }) => body.items[0]!.outcome).sort()).toEqual(['known', 'stored']);
      expect(second.body.items[1]).toMatchObject({ outcome: 'stored' });
      const again = await upload({ ...one, name: 'third.txt' });
      expect(again).toMatchObject({ status: 409, body: { items: [{ outcome: 'known', id: [...ids][0] }] } });
    });

    test('case 35: one that failed or was deleted does not stand in the way of its content', async () => {
      const broken = { name: 'broken.pdf', bytes: example('d10.pdf').bytes.subarray(0, 5_000) };
      const first = (await upload(broken)).body.items[0]!;
      await settled(first.id, 'failed');
      const second = (await upload(broken)).body.items[0]!;
      expect(second).toMatchObject({ outcome: 'stored' });
      expect((await site().call('GET', `/documents/${first.id}`)).status).toBe(410);
      await settled(second.id, 'failed');
      expect((await site().call('DELETE', `/documents/${second.id}`)).body).toEqual({
        id: second.id,
        state: 'deleted',
      });
      expect((await site().call('DELETE', `/documents/${second.id}`)).status).toBe(410);
      expect((await upload(broken)).body.items[0]).toMatchObject({ outcome: 'stored' });
    });

    test('review: claimed, corrected, confirmed; a late word is refused with the newer one', async () => {
      const { id } = (await upload(letter('for review'))).body.items[0]!;
      const found = await settled(id);
      const base = `/documents/${id}`;
      expect((await post(`${base}/review`, { expected_revision: found.revision })).status).toBe(200);
      const waiting = (await site().call('GET', base)).body;
      expect(waiting.state).toBe('in_review');
      expect((await post(`${base}/claim`, {})).body).toMatchObject({ id });
      const other = await site().call('POST', '/accounts/keys', { json: { name: 'moderator', role: 'moderator' } });
      const late = { json: { expected_revision: waiting.revision, type: 'letter' }, key: other.body.key };
      expect(await site().call('POST', `${base}/confirm`, late)).toMatchObject({
        status: 409,
        body: { error: { code: 'documents.claimed' } },
      });
      expect((await post(`${base}/release`, {})).status).toBe(200);
      const said = { expected_revision: waiting.revision, type: 'letter', fields: { subject: 'Flour' } };
      expect(await post(`${base}/confirm`, said)).toMatchObject({
        status: 200,
        body: { type: 'letter', confirmed: true },
      });
      expect(await post(`${base}/confirm`, said)).toMatchObject({
        status: 409,
        body: { error: { code: 'core.revision_stale' } },
      });
      expect((await post(`${base}/confirm`, { type: 'letter' })).status).toBe(422);
      const done = await settled(id);
      expect(done.fields.subject).toMatchObject({ value: 'Flour', source: 'human' });
      for (const reason of done.review_reasons) expect(done.ways_out[reason]).toMatch(/^(confirm|fields)$/);
    });

    test('reject wants a reason; rejected comes back', async () => {
      const { id } = (await upload({ name: 'odd.txt', bytes: 'nothing that anybody described' })).body.items[0]!;
      const { revision, review_reasons } = await settled(id, 'in_review');
      expect(review_reasons).toEqual(['type_unsure']);
      const base = `/documents/${id}`;
      expect((await post(`${base}/reject`, { expected_revision: revision })).status).toBe(422);
      const rejected = await post(`${base}/reject`, { expected_revision: revision, reason: 'spam' });
      expect(rejected.body).toMatchObject({ state: 'rejected', revision: revision + 1 });
      const back = await post(`${base}/recover`, { expected_revision: revision + 1 });
      expect(back.body).toMatchObject({ state: 'in_review', review_reasons: ['type_unsure'] });
      expect((await post('/documents/review/next', {})).body.item).not.toBeNull();
    });

    test('a field corrected, undone, and corrected for good', async () => {
      const { id } = (await upload(example('d01.eml'))).body.items[0]!;
      const { revision, fields } = await settled(id);
      const [code] = Object.entries<{ value: unknown }>(fields).find(([, one]) => typeof one.value === 'string') ?? [];
      if (code === undefined) throw new Error('the example has no text in a field');
      const before = fields[code].value;
      const base = `/documents/${id}`;
      const { body: edited } = await post(
        `${base}/fields`,
        { expected_revision: revision, fields: { [code]: null } },
        'PATCH',
      );
      expect(edited.fields[code]).toMatchObject({ value: null, source: 'human' });
      const { items } = (await site().call('GET', `${base}/versions`)).body;
      const old = items.find(
        (one: { fields: Record<string, { value: unknown }> }) => one.fields[code]?.value === before,
      );
      const restored = await post(`${base}/restore`, { expected_revision: revision + 1, version: old.version });
      expect(restored.body.fields[code].value).toBe(before);
    });

    test('case 8: every scope of every action, with people’s word left alone and not', async () => {
      const { items } = (await site().call('GET', '/documents?limit=2')).body;
      const ids = items.map(({ id }: { id: string }) => id);
      const scopes = [
        { ids },
        { type: 'invoice' },
        { all: true },
        { review_queue: true },
        { failed: true },
        { filter: { stale: true } },
      ];
      for (const action of ['re-classify', 're-extract', 're-read']) {
        for (const scope of scopes) {
          for (const include_human of [true, false]) {
            const asked = { service: 'documents', action, scope, include_human };
            expect([action, scope, (await post('/replay/preview', asked)).status]).toEqual([action, scope, 200]);
          }
        }
        const none = { service: 'documents', action, scope: {} };
        expect((await post('/replay/preview', none)).status).toBe(422);
      }
      const asked = { service: 'documents', action: 're-extract', scope: { type: 'invoice' } };
      const { status, body } = await post('/replay', asked);
      expect(status).toBe(202);
      await until(async () => expect((await site().call('GET', `/replay/${body.batch}`)).body.state).toBe('done'));
      const { progress } = (await site().call('GET', `/replay/${body.batch}`)).body;
      expect(progress).toEqual({ accepted: body.preview.items });
      expect((await post('/replay', { ...asked, mode: 'guess' })).body.error.code).toBe('replay.mode_unsupported');
      const unmeant = { service: 'documents', action: 're-read', scope: { all: true } };
      expect((await post('/replay', unmeant)).body.error).toMatchObject({
        code: 'replay.cascade_unconfirmed',
        detail: { cascades_into: ['type', 'fields'] },
      });
    });

    test('types that are not right are refused, and older versions’ results are counted as stale', async () => {
      const twice = await post('/documents/types', { items: [types[0], types[0]] }, 'PUT');
      expect(twice).toMatchObject({ status: 422, body: { error: { code: 'documents.types_invalid' } } });
      await post('/documents/types', { items: types.map((type) => ({ ...type, description: 'edited' })) }, 'PUT');
      const { body } = await site().call('GET', '/documents/types');
      expect(body).toMatchObject({ version: 2, items: types.map(({ code }) => ({ code })) });
      expect(body.stale.invoice).toBeGreaterThan(0);
      const { items } = (await site().call('GET', '/documents?stale=true&type=invoice&limit=1')).body;
      expect(items).toMatchObject([{ type: 'invoice', stale: true }]);
      await post('/documents/types', { items: types }, 'PUT');
    });

    test('nothing is shown to whoever may not see it', async () => {
      for (const [method, path] of [
        ['GET', '/documents'],
        ['POST', '/documents'],
        ['PUT', '/documents/types'],
        ['POST', '/documents/review/next'],
      ] as const) {
        expect((await site().call(method, path, { key: null, ...(method === 'GET' ? {} : { json: {} }) })).status).toBe(
          401,
        );
      }
      expect((await site().call('GET', '/documents/00000000-0000-7000-8000-000000000000')).status).toBe(404);
    });

    test('what is put into the folder is taken in once, and what is refused says why', async () => {
      const folder = inbox;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'from the folder.txt'), letter(`in a folder of ${site().address}`).bytes);
      writeFileSync(join(folder, 'empty.pdf'), '');
      writeFileSync(join(folder, '.hidden'), 'still being written');
      await until(() => {
        expect(readdirSync(folder).sort()).toEqual(['.hidden', 'refused', 'taken-in']);
      });
      expect(
        readFileSync(
          join(folder, 'refused', readdirSync(join(folder, 'refused')).find((name) => name.endsWith('.txt'))!),
          'utf8',
        ),
      ).toMatch(/^file\.empty: /);
      expect(existsSync(join(folder, 'taken-in', 'from the folder.txt'))).toBe(true);
      const { items } = (await site().call('GET', '/documents?source=folder')).body;
      expect(items.map(({ file }: { file: string }) => file)).toEqual(['from the folder.txt']);
      expect(site().reported).toEqual([]);
    });
  },
  { env: { SIGNALBOX_INBOX: inbox } },
);

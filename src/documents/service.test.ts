import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { onBothSites, until } from '../../test/harness/site.ts';

const examples = new URL('../../examples/documents/', import.meta.url);
const { types } = parse(readFileSync(new URL('types.yaml', examples), 'utf8')) as { types: unknown[] };

onBothSites('documents over HTTP', (site) => {
  const upload = async (...files: { name: string; bytes: Uint8Array | string }[]) => {
    const form = new FormData();
    for (const { name, bytes } of files) form.append('file', new Blob([bytes as never]), name);
    const response = await fetch(`${site().address}/api/v1/documents`, {
      method: 'POST',
      body: form,
      headers: { authorization: 'Bearer the-owners-key-of-a-test-0123456789' },
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const settled = (id: string) =>
    until(async () => {
      const { body } = await site().call('GET', `/documents/${id}`);
      expect(['ready', 'in_review', 'failed']).toContain(body.state);
      return body;
    });

  test('a file becomes text, type and fields', async () => {
    expect((await site().call('PUT', '/documents/types', { json: { items: types } })).body).toEqual({ version: 1 });
    const name = 'd10.pdf';
    const sent = await upload({ name, bytes: readFileSync(new URL(name, examples)) });
    expect(sent).toMatchObject({ status: 201, body: { items: [{ file: name, outcome: 'stored', error: null }] } });
    const [{ id }] = sent.body.items;
    const found = await settled(id);
    expect(found).toMatchObject({ type: 'invoice', by: 'rules', state: 'ready' });
  });
});

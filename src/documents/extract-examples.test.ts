import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseTypes } from './document-types.ts';
import { openSource } from './evidence.ts';
import { extract } from './extract.ts';
import { readText } from './read-text.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const SCORER = path('../../examples/score.mjs');

interface Label {
  readonly file: string;
  readonly kind: string;
  readonly ocr: boolean;
}

const labelsOf = (folder: string): Label[] =>
  readFileSync(`${folder}/expected.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

async function extractAll(folder: string, typesFile: string, labels: readonly Label[]) {
  const types = parseTypes(parse(readFileSync(typesFile, 'utf8')));
  const all = [];
  for (const { file } of labels) {
    const document = await readText(readFileSync(`${folder}/${file}`), file);
    all.push({ file, document, ...extract(document, types) });
  }
  return all;
}

/** The figures that examples/score.mjs prints last. */
function score(folder: string, results: readonly object[]) {
  const input = results.map((result) => JSON.stringify(result)).join('\n');
  const labels = `${folder}/expected.jsonl`;
  const { stdout } = spawnSync(process.execPath, [SCORER, '--labels', labels], { input, encoding: 'utf8' });
  const [, type, digital] = /type ([\d.]+) .*digital ([\d.]+) /.exec(stdout)!;
  return { type: Number(type), digital: Number(digital) };
}

const EXAMPLES = path('../../examples/documents');
// PDF files are read by the tests of the command; what stands in the other kinds is read within seconds.
const isQuick = ({ ocr, kind }: Label) => !ocr && !kind.endsWith('pdf');

test.each([
  { folder: EXAMPLES, least: null },
  { folder: `${EXAMPLES}/held-out`, least: { type: 0.96, digital: 0.95 } },
  { folder: `${EXAMPLES}/held-out/other-layouts`, types: EXAMPLES, least: { type: 0.97, digital: 0.95 } },
])('the documents of $folder are read, and every value says where it stands', async ({ folder, types, least }) => {
  const labels = labelsOf(folder).filter(isQuick);
  const results = await extractAll(folder, `${types ?? folder}/types.yaml`, labels);
  for (const { file, document, fields } of results) {
    const source = openSource(document.markdown);
    for (const [code, { value, evidence, page, raw }] of Object.entries(fields)) {
      if (value === null) continue;
      expect(raw, `${file} ${code}`).not.toBeNull();
      expect(source.locate(evidence!), `${file} ${code}: ${evidence}`).not.toBeNull();
      expect(page, `${file} ${code}`).toBeGreaterThan(0);
    }
  }
  const figures = score(
    folder,
    results.map(({ document: _, ...result }) => result),
  );
  expect(figures.type).toBeGreaterThanOrEqual(least?.type ?? 0);
  expect(figures.digital).toBeGreaterThanOrEqual(least?.digital ?? 0);
});

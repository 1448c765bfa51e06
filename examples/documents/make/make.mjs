// Makes the files of examples/documents and expected.jsonl from the values in this folder.
//
//   npm ci && npm run make            writes into the folder above
//   node make.mjs FOLDER              writes elsewhere
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractsEn } from './contracts-en.mjs';
import { contractsZh } from './contracts-zh.mjs';
import { invoicesEn } from './invoices-en.mjs';
import { invoicesZh } from './invoices-zh.mjs';
import { letters } from './letters.mjs';
import { others } from './others.mjs';
import { random } from './random.mjs';
import { receipts } from './receipts.mjs';
import { statements } from './statements.mjs';

const folder = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));
const MADE = '2026-08-31T08:00:00Z';
const all = [invoicesZh, invoicesEn, receipts, contractsZh, contractsEn, letters, statements, others];

// Shuffled, so that neither a file's name nor its neighbours tell its type.
const chance = random(4);
const documents = all
  .flat()
  .map((document) => ({ document, place: chance() }))
  .sort((a, b) => a.place - b.place)
  .map(({ document }) => document);

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (/^d\d\d\./.test(name)) rmSync(join(folder, name));
const labels = [];
let bytes = 0;
for (const [i, document] of documents.entries()) {
  const { ext, kind, ocr, language, type, fields, ambiguous = [], note, make } = document;
  const file = `d${String(i + 1).padStart(2, '0')}.${ext}`;
  const data = await make({ seed: i + 1, made: MADE });
  bytes += data.length;
  writeFileSync(join(folder, file), data);
  labels.push({ file, kind, ocr, language, type, fields, ambiguous, ...(note ? { note } : {}) });
}
writeFileSync(join(folder, 'expected.jsonl'), labels.map((label) => `${JSON.stringify(label)}\n`).join(''));
process.stderr.write(`${documents.length} files, ${(bytes / 1e6).toFixed(1)} MB\n`);

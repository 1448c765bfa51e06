import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = new URL('../examples/documents/', import.meta.url);
const scorer = fileURLToPath(new URL('../examples/score.mjs', import.meta.url));

const kinds = ['text-pdf', 'scanned-pdf', 'mixed-pdf', 'rotated-pdf', 'docx', 'xlsx', 'eml', 'image'] as const;
const money = z.strictObject({ amount: z.string().regex(/^-?\d+\.\d{2}$/), currency: z.string().length(3).nullable() });
const value = z.union([z.string(), z.number(), money]).nullable();
const label = z.strictObject({
  file: z.string().regex(/^d\d\d\.[a-z]+$/),
  kind: z.enum(kinds),
  ocr: z.boolean(),
  language: z.enum(['zh', 'en']),
  type: z.string(),
  fields: z.record(z.string(), value),
  ambiguous: z.array(z.strictObject({ field: z.string(), accept: z.array(value).min(1), note: z.string() })),
  note: z.string().optional(),
});
const field = z.strictObject({
  code: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.enum(['string', 'number', 'money', 'date', 'boolean', 'enum', 'list']),
  required: z.boolean().optional(),
  examples: z.array(z.string()).optional(),
  values: z.array(z.strictObject({ code: z.string(), name: z.string(), examples: z.array(z.string()) })).optional(),
});
const typesFile = z.strictObject({
  types: z.array(
    z.strictObject({
      code: z.string(),
      name: z.string(),
      description: z.string(),
      confidence_threshold: z.number().min(0).max(1),
      priority: z.number().int(),
      fields: z.array(field).min(1),
    }),
  ),
});
type Label = z.infer<typeof label>;
type Field = z.infer<typeof field>;

const labels = readFileSync(new URL('expected.jsonl', folder), 'utf8')
  .trim()
  .split('\n')
  .map((line) => label.parse(JSON.parse(line)));
const { types } = typesFile.parse(parse(readFileSync(new URL('types.yaml', folder), 'utf8')));

/** What a PDF or another file is, judged by its bytes alone. */
function look(file: string) {
  const bytes = readFileSync(new URL(file, folder));
  const text = bytes.toString('latin1');
  return {
    head: text.slice(0, 8),
    text,
    fonts: /\/Type\s*\/Font\b/.test(text),
    pictures: text.includes('/DCTDecode'),
    turned: /\/Rotate (90|180|270)\b/.test(text),
  };
}

const isKind: Record<(typeof kinds)[number], (file: ReturnType<typeof look>) => boolean> = {
  'text-pdf': (file) => file.head.startsWith('%PDF-') && file.fonts && !file.pictures && !file.turned,
  'scanned-pdf': (file) => file.head.startsWith('%PDF-') && file.pictures && !file.fonts && !file.turned,
  'mixed-pdf': (file) => file.head.startsWith('%PDF-') && file.pictures && file.fonts && !file.turned,
  // Turned text says so; scans that lie sideways do not, their picture is what is turned.
  'rotated-pdf': (file) => file.head.startsWith('%PDF-') && (file.fonts ? file.turned : file.pictures),
  docx: (file) => file.head.startsWith('PK') && file.text.includes('word/document.xml'),
  xlsx: (file) => file.head.startsWith('PK') && file.text.includes('xl/workbook.xml'),
  eml: (file) => file.text.includes('\r\nMIME-Version: 1.0\r\n'),
  image: (file) => file.head.startsWith('\x89PNG') || file.head.startsWith('\xff\xd8\xff'),
};

/** Whether a label's value has the form of its field. */
function fits({ type, values }: Field, given: z.infer<typeof value>): boolean {
  if (given === null) return true;
  if (type === 'money') return typeof given === 'object';
  if (type === 'number') return typeof given === 'number';
  if (typeof given !== 'string' || given !== given.trim() || given === '') return false;
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given));
  if (type === 'enum') return values!.some(({ code }) => code === given);
  return true;
}

type Result = {
  file: string;
  type: string | null;
  fields: Record<string, { value: unknown; currency?: string | null }>;
};

/** The answer that agrees with a label, in the form in which `extract` writes. */
function perfect({ file, type, fields }: Label): Result {
  const answer: Result = { file: `examples/documents/${file}`, type: type === 'none' ? null : type, fields: {} };
  for (const [name, each] of Object.entries(fields)) {
    answer.fields[name] =
      each !== null && typeof each === 'object'
        ? { value: Number(each.amount), currency: each.currency }
        : { value: each };
  }
  return answer;
}

function score(lines: readonly (Result | string)[]) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const run = spawnSync(process.execPath, [scorer, '--wrong'], { input, encoding: 'utf8' });
  return { status: run.status, out: run.stdout, err: run.stderr };
}

const figures = (rows: readonly Label[]) => {
  const values = (ocr: boolean) =>
    rows.filter((row) => row.ocr === ocr).flatMap((row) => Object.values(row.fields).filter((each) => each !== null))
      .length;
  return { digital: values(false), scans: values(true) };
};
const shown = (right: number, of: number) => (right / of).toFixed(3);

describe('labels of the example documents', () => {
  test('there are at least 48, of every kind and in both languages', () => {
    expect(labels.length).toBeGreaterThanOrEqual(48);
    expect(new Set(labels.map((each) => each.file)).size).toBe(labels.length);
    for (const kind of kinds)
      expect(labels.filter((each) => each.kind === kind).length, kind).toBeGreaterThanOrEqual(3);
    for (const { code } of types)
      for (const language of ['zh', 'en'])
        expect(labels.filter((each) => each.type === code && each.language === language).length).toBeGreaterThanOrEqual(
          4,
        );
  });

  test.each(labels)('$file is there and is a $kind by its bytes', ({ file, kind }) => {
    expect(isKind[kind](look(file))).toBe(true);
  });

  test.each(labels)('$file is labelled with the fields of its type', ({ type, fields, ambiguous }) => {
    const wanted = type === 'none' ? [] : types.find(({ code }) => code === type)!.fields;
    expect(Object.keys(fields).sort()).toEqual(wanted.map(({ code }) => code).sort());
    for (const each of wanted) {
      expect(fits(each, fields[each.code]!), each.code).toBe(true);
      if (each.required) expect(fields[each.code], each.code).not.toBeNull();
    }
    for (const each of ambiguous) expect(Object.keys(fields)).toContain(each.field);
  });
});

describe('score.mjs', () => {
  const all = figures(labels);
  const answers = () => labels.map(perfect);
  const answerOf = (lines: Result[], file: string) => lines.find((line) => line.file.endsWith(`/${file}`))!;
  const ambiguous = labels.find((each) => each.ambiguous.length > 0)!;
  const digital = labels.find(
    (each) => each.type === 'invoice' && !each.ocr && each.fields.due_on === null && each.ambiguous.length === 0,
  )!;
  const scan = labels.find((each) => each.type === 'receipt' && each.ocr)!;

  test('gives a perfect answer 1.000 and status 0', () => {
    const run = score(answers());
    expect(run.err).toBe('');
    expect(run.out).toContain('PASS: type 1.000 (≥ 0.9), digital 1.000 (≥ 0.85), scans 1.000 (≥ 0.7);');
    expect(run.status).toBe(0);
  });

  test('counts one wrong value, one missed and one invented', () => {
    const lines = answers();
    const answer = answerOf(lines, digital.file);
    answer.fields.invoice_no = { value: 'X-1' };
    answer.fields.seller = { value: null };
    answer.fields.due_on = { value: '2026-01-01' };
    const run = score(lines);
    expect(run.out).toContain(`digital ${shown(all.digital - 2, all.digital + 1)} `);
    expect(run.out).toContain('scans 1.000 ');
    expect(run.out).toContain(`  ${digital.file}: invoice_no "X-1"`);
    expect(run.status).toBe(0);
  });

  test('takes a wrong type for all of its fields', () => {
    const lines = answers();
    answerOf(lines, scan.file).type = 'invoice';
    const lost = figures([scan]).scans;
    const run = score(lines);
    expect(run.out).toContain(`type ${shown(labels.length - 1, labels.length)} `);
    expect(run.out).toContain(`scans ${shown(all.scans - lost, all.scans)} `);
  });

  test('takes no line for a wrong one, and ends with 1 below a threshold', () => {
    const kept = labels.filter((each) => each.ocr);
    const run = score(kept.map(perfect));
    expect(run.out).toContain(
      `FAIL: type ${shown(kept.length, labels.length)} (≥ 0.9), digital 0.000 (≥ 0.85), scans 1.000`,
    );
    expect(run.out).toContain(`${kept.length} of ${labels.length} documents, ${labels.length - kept.length} missing`);
    expect(run.status).toBe(1);
  });

  test.each([
    ['type', (line: Result) => ({ ...line, type: 'letter' }), 1],
    ['currency', (line: Result) => ({ ...line, fields: { ...line.fields, total: { value: 1, currency: 'XXX' } } }), 1],
    [
      'white space and width',
      (line: Result) => ({ ...line, fields: { ...line.fields, seller: { value: wide(line.fields.seller!.value) } } }),
      0,
    ],
    [
      'decimals as text',
      (line: Result) => ({
        ...line,
        fields: {
          ...line.fields,
          total: { ...line.fields.total, value: `${line.fields.total!.value}0`.replace(/^(\d+)0$/, '$1.00') },
        },
      }),
      0,
    ],
  ] as const)('judges a difference of %s', (_name, change, wrong) => {
    const run = score(
      answers().map((line) => (line.file.endsWith(`/${digital.file}`) ? (change(line) as Result) : line)),
    );
    expect(
      run.out
        .split('\nWrong\n')[1]!
        .split('\n')
        .filter((line) => line.includes(digital.file)).length,
    ).toBe(wrong);
  });

  test('takes square brackets of any form for the same', () => {
    const letter = labels.find((each) => String(each.fields.reference ?? '').includes('〔'))!;
    const lines = answers();
    const reference = String(letter.fields.reference).replace('〔', '[').replace('〕', '］');
    answerOf(lines, letter.file).fields.reference = { value: reference };
    expect(score(lines).out).not.toContain(`  ${letter.file}: reference`);
  });

  test('takes each accepted reading of what is ambiguous, and no other', () => {
    const { field: name, accept } = ambiguous.ambiguous[0]!;
    const withValue = (given: unknown) => {
      const lines = answers();
      answerOf(lines, ambiguous.file).fields[name] = { value: given };
      return score(lines).out;
    };
    for (const each of accept) expect(withValue(each)).toContain('digital 1.000 ');
    expect(withValue('2026-05-04')).not.toContain('digital 1.000 ');
  });

  test('names and counts bad lines, and goes on', () => {
    const lines = answers();
    const bad = [
      '{',
      '[]',
      '{"type":"invoice"}',
      '{"file":"d01.eml","type":7}',
      '{"file":"d01.eml","fields":{"bank":"x"}}',
      JSON.stringify(lines[0]),
    ];
    const run = score([...lines, ...bad, '{"file":"examples/documents/README.md","type":null}']);
    const first = lines.length + 1;
    expect(run.err.split('\n').slice(0, 6)).toEqual([
      `score: line ${first}: not JSON`,
      `score: line ${first + 1}: not an object`,
      `score: line ${first + 2}: file: not a name`,
      `score: line ${first + 3}: type: not a string`,
      `score: line ${first + 4}: fields.bank: no value`,
      `score: line ${first + 5}: file: ${lines[0]!.file} has a line already`,
    ]);
    expect(run.out).toContain(`0 missing, 6 bad lines, 1 lines about other files`);
    expect(run.status).toBe(0);
  });

  test('ends with 2 where no line is about an example', () => {
    const run = score(['{"file":"other.pdf"}']);
    expect([run.status, run.err]).toEqual([2, 'score: no line is about an example document\n']);
  });
});

/** The same text with blanks between its characters and with full-width letters and brackets. */
function wide(text: unknown): string {
  return [...String(text)].map((c) => (/[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)).join(' ');
}

// Compares what `signalbox extract` finds in the example documents with the labels and prints how often it is right,
// by type, field and kind of file. It imports nothing of Signalbox.
//
//   bin/signalbox extract examples/documents/* --types examples/documents/types.yaml --json | node examples/score.mjs
//   node examples/score.mjs results.jsonl [--labels expected.jsonl] [--wrong]
//
// --wrong lists each wrong type and field. Exit status: 0 all thresholds met, 1 not, 2 nothing to compare.
// The form of a line and how values are compared stand in documents/README.md.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const THRESHOLDS = { type: 0.9, digital: 0.85, scans: 0.7 };

function fail(message) {
  process.stderr.write(`score: ${message}\n`);
  process.exit(2);
}

// ---------------------------------------------------------------------------------------------------- reading

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with a result's form, or null. */
function fault(result) {
  if (!isObject(result)) return 'not an object';
  if (typeof result.file !== 'string' || result.file === '') return 'file: not a name';
  if (result.type !== undefined && result.type !== null && typeof result.type !== 'string') return 'type: not a string';
  const fields = result.fields ?? {};
  if (!isObject(fields)) return 'fields: not an object';
  for (const [name, field] of Object.entries(fields))
    if (field !== null && !(isObject(field) && 'value' in field)) return `fields.${name}: no value`;
  return null;
}

const baseName = (file) => file.split(/[/\\]/).pop();

/** Results by file name; bad lines are named on standard error and counted. */
function readResults(text, labels) {
  const known = new Set(labels.map((label) => label.file));
  const results = new Map();
  let bad = 0;
  let others = 0;
  const reject = (line, why) => {
    bad++;
    process.stderr.write(`score: line ${line}: ${why}\n`);
  };
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    let result;
    try {
      result = JSON.parse(line);
    } catch {
      reject(i + 1, 'not JSON');
      continue;
    }
    const why = fault(result);
    if (why) reject(i + 1, why);
    else if (!known.has(baseName(result.file))) others++;
    else if (results.has(baseName(result.file))) reject(i + 1, `file: ${result.file} has a line already`);
    else results.set(baseName(result.file), result);
  }
  return { results, bad, others };
}

// ---------------------------------------------------------------------------------------------------- comparing

/** Texts are equal but for compatible forms of characters (full and half width), square brackets and white space. */
const folded = (text) =>
  String(text)
    .normalize('NFKC')
    .replace(/[〔【]/g, '[')
    .replace(/[〕】]/g, ']')
    .replace(/\s+/g, '');

/** A decimal without leading and trailing zeros, so that 1234.5 and "1234.50" are equal; null where it is none. */
function decimal(value) {
  const match = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(String(value).trim());
  if (!match) return null;
  const [, sign, whole, fraction] = match;
  const digits = fraction ? `${whole}.${fraction}` : whole;
  return digits === '0' ? '0' : sign + digits;
}

/** Whether a found field is one of the values that are right; null stands for "not there", lists keep their order. */
function equals(field, wanted) {
  const value = field?.value ?? null;
  if (wanted === null || value === null) return wanted === value;
  if (Array.isArray(wanted))
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((each, at) => equals({ value: value[at] }, each))
    );
  if (typeof wanted === 'boolean') return value === wanted;
  if (isObject(wanted))
    return decimal(value) === decimal(wanted.amount) && (field.currency ?? null) === (wanted.currency ?? null);
  if (typeof wanted === 'number') return decimal(value) === decimal(wanted);
  return typeof value === 'string' && folded(value) === folded(wanted);
}

// ---------------------------------------------------------------------------------------------------- counting

class Tally {
  rows = new Map();

  add(name, right) {
    const row = this.rows.get(name) ?? { right: 0, of: 0 };
    this.rows.set(name, { right: row.right + (right ? 1 : 0), of: row.of + 1 });
  }

  rate(name) {
    const row = this.rows.get(name);
    return row ? row.right / row.of : 1;
  }
}

/**
 * Every label counts for its type. A field counts where the label has a value or the result gives one: finding what is
 * there and inventing what is not both show, and fields that both leave empty are no free points.
 */
function compare(labels, results) {
  const types = new Tally();
  const typeByKind = new Tally();
  const fields = new Tally();
  const fieldsByType = new Tally();
  const fieldsByKind = new Tally();
  const groups = new Tally();
  const wrong = [];
  for (const label of labels) {
    const result = results.get(label.file);
    const type = result ? (result.type ?? 'none') : null;
    const group = label.ocr ? 'scans' : 'digital';
    types.add(label.type, type === label.type);
    types.add('all', type === label.type);
    typeByKind.add(label.kind, type === label.type);
    if (type !== label.type) wrong.push(`${label.file}: type ${type ?? '(no line)'}, should be ${label.type}`);
    for (const [name, value] of Object.entries(label.fields)) {
      const found = type === label.type ? (result.fields?.[name] ?? null) : null;
      const accepted = [value, ...label.ambiguous.filter((each) => each.field === name).flatMap((each) => each.accept)];
      if (value === null && (found?.value ?? null) === null) continue;
      const right = type === label.type && accepted.some((each) => equals(found, each));
      fields.add(`${label.type}.${name}`, right);
      fieldsByType.add(label.type, right);
      fieldsByKind.add(label.kind, right);
      groups.add(group, right);
      if (!right && type === label.type)
        wrong.push(
          `${label.file}: ${name} ${JSON.stringify(found?.value ?? null)} ${found?.currency ?? ''}, should be ${JSON.stringify(value)}`,
        );
    }
  }
  return { types, typeByKind, fields, fieldsByType, fieldsByKind, groups, wrong };
}

// ---------------------------------------------------------------------------------------------------- printing

const percent = ({ right, of }) => `${(right / of).toFixed(3)}  ${right}/${of}`;

function table(title, tally) {
  const rows = [...tally.rows].map(([name, row]) => `  ${name.padEnd(34)} ${percent(row)}`);
  return [title, ...rows, ''].join('\n');
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { labels: { type: 'string' }, wrong: { type: 'boolean', default: false } },
});
const labelsFile = options.labels ?? new URL('documents/expected.jsonl', import.meta.url);
let labels;
let input;
try {
  labels = readFileSync(labelsFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  input = readFileSync(positionals[0] && positionals[0] !== '-' ? positionals[0] : 0, 'utf8');
} catch (error) {
  fail(error.message);
}
const { results, bad, others } = readResults(input, labels);
if (results.size === 0) fail('no line is about an example document');

const scores = compare(labels, results);
process.stdout.write(
  [
    table('Type, by type', scores.types),
    table('Type, by kind of file', scores.typeByKind),
    table('Fields, by field', scores.fields),
    table('Fields, by type', scores.fieldsByType),
    table('Fields, by kind of file', scores.fieldsByKind),
  ].join('\n'),
);
if (options.wrong) process.stdout.write(`\nWrong\n${scores.wrong.map((line) => `  ${line}\n`).join('')}`);

const missing = labels.filter((label) => !results.has(label.file)).length;
const measured = {
  type: scores.types.rate('all'),
  digital: scores.groups.rate('digital'),
  scans: scores.groups.rate('scans'),
};
const met = Object.entries(THRESHOLDS).every(([name, least]) => measured[name] >= least);
const figures = Object.entries(THRESHOLDS).map(([name, least]) => `${name} ${measured[name].toFixed(3)} (≥ ${least})`);
process.stdout.write(
  `\n${met ? 'PASS' : 'FAIL'}: ${figures.join(', ')}; ${results.size} of ${labels.length} documents, ${missing} missing, ${bad} bad lines, ${others} lines about other files\n`,
);
process.exitCode = met ? 0 : 1;

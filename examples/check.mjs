// Compares what `signalbox clean` finds in the example answers with the labels, field by field, and recomputes the
// figures of reports from both. It imports nothing of Signalbox.
//
//   node examples/check.mjs                   cleans the examples itself
//   signalbox clean … --json | node examples/check.mjs
//   node examples/check.mjs results.jsonl     (or - for standard input)
//
// Exit status: 0 no difference, 1 differences, 2 nothing to compare.
import { spawnSync } from 'node:child_process';
import { fstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const files = {
  program: path('../bin/signalbox'),
  answers: path('answers/answers.jsonl'),
  brands: path('answers/brands.yaml'),
  expected: path('answers/expected.jsonl'),
};
/** How long an open pipe may stay silent before the examples are cleaned here; `-` waits for ever. */
const SILENCE_MS = 20_000;
const EVERY_OTHER_BRAND = '*';

// ---------------------------------------------------------------------------------------------------- reading

function fail(message) {
  process.stderr.write(`check: ${message}\n`);
  process.exit(2);
}

function readLines(text, name) {
  const lines = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      lines.push(JSON.parse(line));
    } catch {
      fail(`${name}, line ${index + 1}: not JSON`);
    }
  }
  return lines;
}

function cleanHere() {
  const run = spawnSync(files.program, ['clean', files.answers, '--brands', files.brands, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (run.error) fail(`${files.program}: ${run.error.message}`);
  if (run.status !== 0) process.stderr.write(`check: clean ended with ${run.status ?? run.signal}\n`);
  return run.stdout;
}

function standardInput(patience) {
  return new Promise((resolve) => {
    const chunks = [];
    const silence = patience === undefined ? undefined : setTimeout(() => finish(''), patience);
    const finish = (text) => {
      clearTimeout(silence);
      process.stdin.removeAllListeners();
      process.stdin.destroy();
      resolve(text);
    };
    process.stdin.on('data', (chunk) => {
      clearTimeout(silence);
      chunks.push(chunk);
    });
    process.stdin.on('error', () => finish(''));
    process.stdin.on('end', () => finish(Buffer.concat(chunks).toString('utf8')));
  });
}

function somethingIsPiped() {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile() || input.isSocket();
  } catch {
    return false;
  }
}

async function readResults(argument) {
  if (argument === '-') return readLines(await standardInput(), 'standard input');
  if (argument !== undefined) {
    try {
      return readLines(readFileSync(argument, 'utf8'), argument);
    } catch (error) {
      fail(`${argument}: ${error.message}`);
    }
  }
  const piped = somethingIsPiped() ? await standardInput(SILENCE_MS) : '';
  return piped.trim() === '' ? readLines(cleanHere(), 'the output of clean') : readLines(piped, 'standard input');
}

/** The labels as one line per task and brand: the line that holds for every other brand is spelt out. */
function readLabels(tasks, brandNames) {
  const labels = readLines(readFileSync(files.expected, 'utf8'), files.expected);
  const all = [];
  for (const task of tasks.values()) {
    const own = labels.filter((label) => label.clean_task_id === task.clean_task_id);
    if (own.length === 0) fail(`${task.clean_task_id} has no label`);
    const named = new Set(own.map((label) => label.brand_name));
    for (const label of own) {
      if (label.brand_name !== EVERY_OTHER_BRAND) all.push(label);
      else for (const name of brandNames) if (!named.has(name)) all.push({ ...label, brand_name: name });
    }
  }
  const unknown = labels.find((label) => !tasks.has(label.clean_task_id));
  if (unknown) fail(`label for ${unknown.clean_task_id}, which is not among the answers`);
  return all;
}

// -------------------------------------------------------------------------------------------------- comparing

const keyOf = (line) => `${line.clean_task_id} ${line.brand_name}`;
const textOf = (task) => (typeof task.answer === 'string' ? task.answer : (task.answer.text ?? ''));
const sorted = (values) => [...values].sort();
const hitsOf = (line, kind) =>
  (line.matches ?? []).filter(
    (hit) => hit.kind === kind && hit.is_valid_match && hit.standard_name === line.brand_name,
  );

/** What both sides are reduced to before they are compared: field → [label, result], for the fields labelled. */
function fieldsOf(label, result) {
  const fields = {};
  for (const name of [
    'is_valid',
    'invalid_reason',
    'is_mentioned',
    'mention_count',
    'is_recommended',
    'recommendation_rank',
    'rank_source',
    'rank_band',
    'has_citation',
  ]) {
    if (name in label) fields[name] = [label[name], result[name] ?? null];
  }
  fields.clean_state = ['completed', result.clean_state];
  fields.flags = [sorted(label.flags), sorted(result.flags ?? [])];

  const explicit = ({ surface, match_position, matched_alias }) => `${match_position} ${surface} (${matched_alias})`;
  const pronoun = ({ surface, match_position }) => `${match_position} ${surface}`;
  fields.matches = [label.matches.map(explicit), hitsOf(result, 'explicit').map(explicit)];
  fields.coreferences = [label.coreferences.map(pronoun), hitsOf(result, 'coreference').map(pronoun)];

  const source = ({ domain, owned_by }) => `${domain} (${owned_by ?? '-'})`;
  const sources = (line) => sorted(new Set((line.citations ?? []).map(source)));
  // An invalid answer's sources are nobody's findings.
  if (label.is_valid) fields.citations = [sources(label), sources(result)];

  const found = new Map((result.others ?? []).map((other) => [other.brand_name, other]));
  const known = new Map(label.others.map((other) => [other.brand_name, other]));
  fields.others = [sorted(known.keys()), sorted(found.keys())];
  for (const [name, other] of known) {
    for (const field of ['mention_count', 'is_recommended', 'recommendation_rank']) {
      if (field in other && found.has(name)) {
        fields[`others[${name}].${field}`] = [other[field], found.get(name)[field] ?? null];
      }
    }
  }
  return fields;
}

function compareLabels(labels, results, tasks) {
  const differences = [];
  let compared = 0;
  const found = new Map();
  for (const result of results) {
    if (found.has(keyOf(result))) differences.push({ ...result, field: 'line', expected: 'one', found: 'several' });
    found.set(keyOf(result), result);
  }
  for (const label of labels) {
    const result = found.get(keyOf(label));
    if (!result) {
      differences.push({ ...label, field: 'line', expected: 'a result', found: 'none' });
      continue;
    }
    for (const [field, [expected, value]] of Object.entries(fieldsOf(label, result))) {
      compared++;
      if (JSON.stringify(expected) !== JSON.stringify(value)) {
        differences.push({ ...label, field, expected, found: value });
      }
    }
    const text = textOf(tasks.get(label.clean_task_id));
    for (const hit of result.matches ?? []) {
      compared++;
      const surface = text.slice(hit.match_position, hit.match_end);
      if (surface !== hit.surface) {
        differences.push({ ...label, field: 'matches.surface', expected: surface, found: hit.surface });
      }
    }
  }
  const labelled = new Set(labels.map(keyOf));
  for (const result of results) {
    if (!labelled.has(keyOf(result))) {
      differences.push({ ...result, field: 'line', expected: 'none', found: 'a result' });
    }
  }
  return { differences, compared };
}

// ---------------------------------------------------------------------------------------------------- figures

/** A label or a result as reports see it: one brand in one answer. */
function observation(line, task, open) {
  return {
    brand: line.brand_name,
    platform: task.platform,
    query: task.query_text,
    day: task.created_at.slice(0, 10),
    valid: line.is_valid === true,
    reason: line.is_valid === true ? null : (line.invalid_reason ?? line.clean_state ?? 'unknown'),
    truncated: (line.flags ?? []).includes('truncated'),
    mentions: line.mention_count ?? 0,
    recommended: open ? undefined : line.is_recommended,
    rank: line.recommendation_rank ?? null,
    cited: line.has_citation ?? null,
    citedOwn: (line.citations ?? []).some((citation) => citation.owned_by === line.brand_name),
    others: (line.others ?? []).map((other) => other.mention_count),
  };
}

const GROUPINGS = [['brand'], ['platform'], ['query'], ['day'], ['brand', 'platform'], ['brand', 'query']];

/**
 * Every figure of a report, by group. The formulas stand in answers/README.md. To hold another source against the
 * labels (the report routes, say), bring its rows into the same shape: `{ "brand=豆包": { mention_rate: 0.9, … } }`.
 */
function computeFigures(observations, groupings = GROUPINGS) {
  const figures = new Map();
  for (const names of groupings) {
    const groups = Map.groupBy(observations, (one) => names.map((name) => `${name}=${one[name]}`).join(' '));
    for (const [key, group] of groups) figures.set(key, figuresOf(group, names.includes('brand')));
  }
  return figures;
}

const ratio = (numerator, denominator) => (denominator === 0 ? null : numerator / denominator);
const total = (values) => values.reduce((sum, value) => sum + value, 0);

function figuresOf(group, ofOneBrand) {
  const valid = group.filter((one) => one.valid);
  const count = (test) => valid.filter(test).length;
  const mentioned = count((one) => one.mentions > 0);
  const judged = valid.filter((one) => one.recommended !== undefined);
  const recommended = judged.filter((one) => one.recommended === true).length;
  const ranks = valid.filter((one) => one.rank !== null && !one.truncated).map((one) => one.rank);
  const known = valid.filter((one) => one.cited !== null);
  const figures = {
    results: group.length,
    valid: valid.length,
    success_rate: ratio(valid.length, group.length),
    mentioned,
    mention_rate: ratio(mentioned, valid.length),
    recommended,
    recommendation_rate: ratio(recommended, judged.length),
    recommendation_rate_of_mentioned: ratio(recommended, judged.filter((one) => one.mentions > 0).length),
    ranked: ranks.length,
    average_rank: ratio(total(ranks), ranks.length),
    citation_rate: ratio(known.filter((one) => one.cited).length, known.length),
    own_citation_rate: ratio(known.filter((one) => one.citedOwn).length, known.length),
  };
  for (const one of group) {
    if (one.reason !== null) figures[`invalid ${one.reason}`] = (figures[`invalid ${one.reason}`] ?? 0) + 1;
  }
  return ofOneBrand ? { ...figures, ...sharesOfVoice(valid) } : figures;
}

function sharesOfVoice(valid) {
  const naming = valid
    .map((one) => ({
      own: one.mentions,
      all: one.mentions + total(one.others),
      brands: (one.mentions > 0 ? 1 : 0) + one.others.filter((mentions) => mentions > 0).length,
    }))
    .filter((one) => one.all > 0);
  return {
    share_of_mentions: ratio(total(naming.map((one) => one.own)), total(naming.map((one) => one.all))),
    share_of_answers: ratio(naming.filter((one) => one.own > 0).length, total(naming.map((one) => one.brands))),
    mean_share: ratio(total(naming.map((one) => one.own / one.all)), naming.length),
  };
}

function compareFigures(expected, found) {
  const differences = [];
  let compared = 0;
  for (const group of new Set([...expected.keys(), ...found.keys()])) {
    const [left, right] = [expected.get(group) ?? {}, found.get(group) ?? {}];
    for (const figure of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compared++;
      const [a, b] = [left[figure] ?? null, right[figure] ?? null];
      const same = a === null || b === null ? a === b : Math.abs(a - b) < 1e-9;
      if (!same) differences.push({ group, figure, expected: a, found: b });
    }
  }
  return { differences, compared };
}

// --------------------------------------------------------------------------------------------------- printing

const widthOf = (text) =>
  total([...text].map((char) => (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60]/u.test(char) ? 2 : 1)));
const pad = (text, width, left) => {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return left ? text + space : space + text;
};
const percent = (value) => (value === null || value === undefined ? '-' : (100 * value).toFixed(1));
const decimal = (value) => (value === null ? '-' : value.toFixed(2));

function printTable(head, rows) {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column])].map(widthOf)));
  for (const row of [head, ...rows]) {
    console.log(
      row
        .map((cell, column) => pad(cell, widths[column], column === 0))
        .join('  ')
        .trimEnd(),
    );
  }
  console.log();
}

/** The labels' figures; a value that the output does not share is followed by the output's in brackets. */
function printFigures(expected, found, prefix, columns) {
  const rows = [];
  for (const [group, figures] of expected) {
    if (!group.startsWith(`${prefix}=`) || group.includes(' brand=') || group.includes(' platform=')) continue;
    if (prefix === 'brand' && (group.includes(' query=') || figures.mentioned === 0)) continue;
    const other = found.get(group) ?? {};
    const cells = columns.map(([, figure, show]) => {
      const [a, b] = [show(figures[figure] ?? null), show(other[figure] ?? null)];
      return a === b ? a : `${a} (${b})`;
    });
    rows.push([group.slice(prefix.length + 1), ...cells]);
  }
  printTable([prefix, ...columns.map(([title]) => title)], rows);
}

const whole = (value) => (value === null ? '0' : String(value));

function printReport(expected, found) {
  const shared = [
    ['results', 'results', whole],
    ['valid', 'valid', whole],
    ['mention %', 'mention_rate', percent],
    ['recommend %', 'recommendation_rate', percent],
    ['ranked', 'ranked', whole],
    ['avg rank', 'average_rank', decimal],
    ['cited %', 'citation_rate', percent],
  ];
  printFigures(expected, found, 'brand', [
    ...shared,
    ['own %', 'own_citation_rate', percent],
    ['SoV mentions', 'share_of_mentions', percent],
    ['SoV answers', 'share_of_answers', percent],
    ['SoV mean', 'mean_share', percent],
  ]);
  const reasons = new Set();
  for (const [group, figures] of expected) {
    if (group.startsWith('platform='))
      for (const name of Object.keys(figures)) if (name.startsWith('invalid ')) reasons.add(name);
  }
  printFigures(expected, found, 'platform', [
    ...shared.slice(0, 2),
    ['success %', 'success_rate', percent],
    ...[...reasons].sort().map((name) => [name.slice('invalid '.length), name, whole]),
  ]);
  printFigures(expected, found, 'day', shared);
}

const show = (value) => JSON.stringify(value);

/** Every difference; those that the brands of one answer share on one line, and the figures of a group on one line. */
function printDifferences(fields, figures) {
  const alike = ({ clean_task_id, field, expected, found }) => show([clean_task_id, field, expected, found]);
  for (const group of Map.groupBy(fields, alike).values()) {
    const [{ clean_task_id, field, expected, found }] = group;
    const brands = group.map((one) => one.brand_name).join(', ');
    console.log(`${clean_task_id}  ${field}: expected ${show(expected)}, found ${show(found)}  [${brands}]`);
  }
  if (fields.length > 0) console.log();
  for (const [group, ofGroup] of Map.groupBy(figures, (one) => one.group)) {
    const changes = ofGroup.map(({ figure, expected, found }) => `${figure} ${show(expected)} ≠ ${show(found)}`);
    console.log(`${group}  ${changes.join(', ')}`);
  }
  if (figures.length > 0) console.log();
}

// ------------------------------------------------------------------------------------------------------- main

const tasks = new Map(
  readLines(readFileSync(files.answers, 'utf8'), files.answers).map((task) => [task.clean_task_id, task]),
);
const brandNames = [...readFileSync(files.brands, 'utf8').matchAll(/^ {2}- name: (.+)$/gm)].map((match) =>
  match[1].trim(),
);
const labels = readLabels(tasks, brandNames);
const results = (await readResults(process.argv[2])).filter((line) => tasks.has(line.clean_task_id));
if (results.length === 0) fail('no results of the example answers in the input');

const fields = compareLabels(labels, results, tasks);
const open = new Set(labels.filter((label) => !('is_recommended' in label)).map(keyOf));
const observe = (lines) => lines.map((line) => observation(line, tasks.get(line.clean_task_id), open.has(keyOf(line))));
const expectedFigures = computeFigures(observe(labels));
const foundFigures = computeFigures(observe(results));
const figures = compareFigures(expectedFigures, foundFigures);

printReport(expectedFigures, foundFigures);
printDifferences(fields.differences, figures.differences);
const differences = fields.differences.length + figures.differences.length;
console.log(
  `${differences === 0 ? 'OK' : 'DIFFERENT'}: ${tasks.size} answers, ${labels.length} results; ` +
    `${fields.differences.length} of ${fields.compared} fields and ${figures.differences.length} of ${figures.compared} figures differ`,
);
process.exitCode = differences === 0 ? 0 : 1;

import { plainLabel } from './label-words.ts';

/** Something printed beside, behind or below a label. */
export interface LabelledValue {
  readonly label: string;
  readonly value: string;
  /** How the two stand together: the surest first. */
  readonly how: 'colon' | 'cell' | 'below';
  /** The line or cells as they are printed. */
  readonly evidence: string;
}

const MAX_LABEL = 40;

/**
 * Pairs of a label and a value in Markdown that was read from a document: `label: value`, two cells of a table or of a
 * line with a wide gap, a cell above another, and a line above another.
 */
export function labelledValues(markdown: string): LabelledValue[] {
  const pairs: LabelledValue[] = [];
  const add = (label: string, value: string, how: LabelledValue['how'], evidence: string) => {
    if (value.trim() === '') return;
    for (const name of namesOf(label)) {
      const plain = plainLabel(name);
      if (plain !== '' && plain.length <= MAX_LABEL)
        pairs.push({ label: plain, value: value.trim(), how, evidence: evidence.trim() });
    }
  };
  let above: string[] = [];
  for (const line of markdown.split('\n')) {
    if (/^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(line)) continue;
    const cells = cellsOf(line);
    if (cells.every((cell) => cell === '')) {
      if (line.trim() === '') continue;
      above = [];
      continue;
    }
    for (const [at, cell] of cells.entries()) {
      for (const [label, value] of withinCell(cell)) add(label, value, 'colon', cell);
      const next = cells[at + 1];
      if (next !== undefined && next !== '' && cell !== '') {
        if (/[:：]\s*$/.test(cell)) add(cell, next, 'colon', `${cell} ${next}`);
        else add(cell, next, 'cell', `${cell} ${next}`);
      }
      const over = above[at];
      if (over !== undefined && over !== '' && cell !== '' && (above.length === cells.length || cells.length === 1))
        add(over, cell, 'below', `${over} ${cell}`);
    }
    above = cells;
  }
  return pairs;
}

/** `委托方（甲方）` and `VAT (20%)` say one label outside of the bracket and perhaps another within. */
function* namesOf(label: string): Generator<string> {
  yield label.replace(/[（(][^（）()]*[)）]|\d+(?:\.\d+)?\s*%/g, ' ');
  for (const [, inner] of label.matchAll(/[（(]([^（）()\d%]{2,12})[)）]/g)) yield inner!;
}

function cellsOf(line: string): string[] {
  const plain = line.replace(/^\s*(?:#+|[-*>])\s+/, '').replaceAll('**', '');
  if (/^\s*\|.*\|\s*$/.test(plain))
    return plain
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());
  return plain.split(/\s{3,}|\t/).map((cell) => cell.trim());
}

/** `Invoice No.: 17  Date: 3 May` holds two pairs; a colon within a time or an address is none. */
function* withinCell(cell: string): Generator<[string, string]> {
  const colons = [...cell.matchAll(/：|(?<!\d):(?!\/\/)|(?<=\d):(?![\d/])/g)].map(({ index }) => index);
  for (const [n, colon] of colons.entries()) {
    const before = cell.slice(n === 0 ? 0 : colons[n - 1]! + 1, colon);
    const label =
      n === 0 ? before : (/(?:\s{2,}|[，,；;]|\s(?=\p{Script=Han}))([^\s，,；;]{1,20})$/u.exec(before)?.[1] ?? '');
    const rest = cell.slice(colon + 1);
    const next =
      colons[n + 1] === undefined
        ? -1
        : (/(?:\s{2,}|[，,；;]|\s(?=\p{Script=Han}))[^\s，,；;]{1,20}[:：]/u.exec(rest)?.index ?? -1);
    yield [label, next === -1 ? rest : rest.slice(0, next)];
  }
}

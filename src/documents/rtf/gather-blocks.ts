import type { Block, Cell, Span } from '../blocks.ts';

/** Puts text and what controls paragraphs and tables together to blocks. */
export interface Gathering {
  add(span: Span): void;
  /** The number or mark of the paragraph, as it is printed. */
  label(text: string): void;
  /** Takes those control words that end or describe paragraphs, cells and rows; others do nothing. */
  control(word: string, value: number | null): void;
  blocks(): Block[];
}

/** A table that is being read. */
interface OpenTable {
  cell: Block[];
  cells: Cell[];
  rows: Cell[][];
}

const ENDS = new Set(['par', 'sect', 'page', 'column']);

export function gatherBlocks(): Gathering {
  const out: Block[] = [];
  let spans: Span[] = [];
  let label = '';
  let heading: number | null = null;
  let depth = 0;
  let tables: [OpenTable, OpenTable] = [openTable(), openTable()];

  const target = (): Block[] => {
    if (depth > 0) return tables[depth > 1 ? 1 : 0].cell;
    closeTable();
    return out;
  };
  const closeTable = () => {
    const [{ rows, cells, cell }] = tables;
    if (cells.length) rows.push(cells);
    if (rows.length) out.push({ kind: 'table', rows });
    for (const block of cell) out.push(block);
    tables = [openTable(), openTable()];
  };
  const endParagraph = () => {
    const blocks = target();
    if (spans.some(({ text }) => text.trim())) {
      if (heading !== null)
        blocks.push({ kind: 'heading', level: heading, spans: label ? [{ text: `${label} ` }, ...spans] : spans });
      else if (label) blocks.push({ kind: 'item', level: 0, label, spans });
      else blocks.push({ kind: 'paragraph', spans });
    }
    spans = [];
    label = '';
  };
  const endCell = (at: 0 | 1) => {
    depth = Math.max(depth, at + 1);
    endParagraph();
    const table = tables[at];
    if (at === 0 && tables[1].rows.length) {
      table.cell.push({ kind: 'table', rows: tables[1].rows });
      tables[1] = openTable();
    }
    table.cells.push({ blocks: table.cell, columns: 1 });
    table.cell = [];
  };
  const endRow = (at: 0 | 1) => {
    tables[at].rows.push(tables[at].cells);
    tables[at].cells = [];
  };
  return {
    add: (span) => spans.push(span),
    label: (text) => {
      label = text;
    },
    control(word, value) {
      if (ENDS.has(word)) endParagraph();
      else if (word === 'pard') {
        depth = 0;
        heading = null;
      } else if (word === 'intbl') depth = Math.max(depth, 1);
      else if (word === 'itap') depth = value ?? 0;
      else if (word === 'outlinelevel') heading = value !== null && value < 9 ? value + 1 : null;
      else if (word === 'cell') {
        depth = 1;
        endCell(0);
      } else if (word === 'nestcell') endCell(1);
      else if (word === 'row') endRow(0);
      else if (word === 'nestrow') endRow(1);
    },
    blocks() {
      endParagraph();
      depth = 0;
      closeTable();
      return out;
    },
  };
}

const openTable = (): OpenTable => ({ cell: [], cells: [], rows: [] });

import { Page } from './page.mjs';

/**
 * Long texts to pages. A block is a string (paragraph), {title}, {head}, {gap}, {sides: [left lines, right lines]} or
 * {table: [columns, rows]}. `footer(n, of)` gives the line below each page.
 */
export function pagesOf(blocks, { lang, face = 'serif', size = 11, margin = 64, footer, header } = {}) {
  const pages = [];
  let page;
  let y = 0;
  const fresh = () => {
    page = new Page({ lang, face, size });
    pages.push(page);
    if (header) page.text(margin, 42, header, { size: 8.5, grey: 90 });
    y = 80;
  };
  const width = 595 - 2 * margin;
  const need = (height) => {
    if (y + height > 780) fresh();
  };
  fresh();
  for (const block of blocks) {
    if (typeof block === 'string') {
      for (const line of page.lines(block, width)) {
        need(size * 1.6);
        if (line) page.text(margin, y, line);
        y += size * 1.6;
      }
      y += size * 0.5;
    } else if (block.title) {
      page.text(297, y + 6, block.title, { size: size * 1.7, bold: true, align: 'centre' });
      y += size * 3.4;
    } else if (block.head) {
      need(size * 4);
      y += size * 0.5;
      page.text(margin, y, block.head, { bold: true });
      y += size * 1.8;
    } else if (block.page) {
      fresh();
    } else if (block.gap) {
      y += block.gap;
    } else if (block.sides) {
      const rows = Math.max(...block.sides.map((side) => side.length));
      need(rows * size * 2);
      for (let i = 0; i < rows; i++) {
        page.text(margin, y, block.sides[0][i] ?? '').text(margin + width / 2 + 10, y, block.sides[1][i] ?? '');
        y += size * 2;
      }
    } else {
      const [columns, rows] = block.table;
      need((rows.length + 1) * size * 1.9);
      y = page.table(margin, y, columns, rows) + size * 1.6;
    }
  }
  if (footer)
    for (const [i, each] of pages.entries())
      each.text(297, 812, footer(i + 1, pages.length), { size: 9, align: 'centre' });
  return pages;
}

/** Rows to a Markdown table; the first row is its head. Short rows are filled up. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (!width) return '';
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, column) => cell(row[column] ?? '')).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head!), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

/**
 * Two spaces stand for a line break or a tab: a pair of a label and its value ends there. Nothing but `|` is escaped, so
 * that a value reads as it is printed.
 */
function cell(text: string): string {
  return text
    .split(/[\r\n\t]/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join('  ')
    .replaceAll('|', '\\|');
}

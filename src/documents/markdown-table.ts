/** Rows to a Markdown table; the first row is its head. Short rows are filled up. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (!width) return '';
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, column) => cell(row[column] ?? '')).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head!), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n');
}

function cell(text: string): string {
  return text
    .trim()
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|');
}

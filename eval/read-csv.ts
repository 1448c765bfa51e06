/**
 * Reads CSV with a header line (RFC 4180: quoted cells may hold commas, line breaks and doubled quotes).
 * @returns one record a row, by the header's names
 */
export function readCsv(content: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  cell.lastIndex = content.startsWith('\ufeff') ? 1 : 0;
  while (cell.lastIndex < content.length) {
    const at = cell.lastIndex;
    const match = cell.exec(content);
    if (match === null) throw new SyntaxError(`no cell of CSV at character ${at}`);
    const [, quoted, plain = '', end] = match;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') rows.push([]);
  }
  const [header = [], ...records] = rows.filter((row) => row.length > 0);
  return records.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}

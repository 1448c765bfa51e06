/** Prints rows under their headings, numbers to the right. */
export function printTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [headings, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = headings.map((_, column) => rows.some((row) => typeof row[column] === 'number'));
  for (const row of cells) {
    const line = row.map((cell, column) =>
      isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
    console.log(line.join('  ').trimEnd());
  }
}

/** Three figures or more, none that mean nothing. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The one line that counts. */
export function verdict(name: string, ratio: number, target: number, what: string): boolean {
  const passed = ratio >= target;
  console.log(`${passed ? 'PASS' : 'FAIL'} ${name}: ${ratio.toFixed(2)}× (target ≥ ${target}×), ${what}`);
  return passed;
}

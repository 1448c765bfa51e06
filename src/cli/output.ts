import Table from 'cli-table3';

/** People get tables, programs JSON Lines: with `--json`, or where there is no terminal. */
export function wantsJson(options: { readonly json?: boolean | undefined }): boolean {
  return options.json ?? !process.stdout.isTTY;
}

export function printLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** One clear line for whoever typed the command. */
export function complain(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** A table with as many columns as the first row has; wide characters keep their columns straight. */
export function printTable(head: readonly string[], rows: readonly (readonly unknown[])[], title?: string): void {
  if (title) process.stdout.write(`\n${title}\n`);
  const table = new Table({
    head: [...head],
    style: { head: [], border: [], compact: true },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
  });
  table.push(...rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '–' : String(cell)))));
  process.stdout.write(`${table.toString()}\n`);
}

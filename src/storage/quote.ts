/** Quotes a name for use in SQL text. Names of ours only: values always travel as parameters. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

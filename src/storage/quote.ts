/** Quotes a name for use in SQL text. Names of ours only: values always travel as parameters. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a word of ours (a state, say) where the planner must see it, to find the index that is made for it. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "''")}'`;
}

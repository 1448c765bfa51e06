/** What a document has beside its text, and what the warning about it is called. */
const CODES = {
  changes: 'tracked_changes_accepted',
  hidden: 'hidden_text_left_out',
  comments: 'comments_left_out',
  pictures: 'pictures_not_read',
  charts: 'charts_not_read',
  embedded: 'embedded_files_not_read',
} as const;

export type LeftOut = keyof typeof CODES;

/** Counts what is not in the text. */
export interface LeftOutCount {
  leaveOut(what: LeftOut): void;
  /** A warning for each kind, with how many there are. */
  warnings(): string[];
}

export function countLeftOut(): LeftOutCount {
  const counts = new Map<LeftOut, number>();
  return {
    leaveOut: (what) => counts.set(what, (counts.get(what) ?? 0) + 1),
    warnings: () => [...counts].map(([what, count]) => `${CODES[what]}: ${count}`),
  };
}

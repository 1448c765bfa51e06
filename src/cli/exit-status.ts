/** 0 done; 1 some input could not be processed; 2 wrong use; 3 (`plan`) something would change. */
export const EXIT = { done: 0, someFailed: 1, wrongUse: 2, wouldChange: 3 } as const;

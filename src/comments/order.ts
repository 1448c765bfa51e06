export type Order = 'oldest' | 'newest';

/** Pinned threads first, then by time, then by id: no two comments have the same place. `c` and `t` are aliases. */
export const inOrder = (c: string, order: Order): string => {
  const way = order === 'oldest' ? 'asc' : 'desc';
  return `${c}.pinned desc, ${c}.created_at ${way}, ${c}.id ${way}`;
};

/** Whether `c` stands before `t` in that order. */
export const standsBefore = (c: string, t: string, order: Order): string =>
  `((${c}.pinned and not ${t}.pinned) or (${c}.pinned = ${t}.pinned
     and (${c}.created_at, ${c}.id) ${order === 'oldest' ? '<' : '>'} (${t}.created_at, ${t}.id)))`;

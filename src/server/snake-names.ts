type Snake<Name extends string> = Name extends `${infer Head}${infer Rest}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${Snake<Rest>}`
  : Name;

/** What a program gets as JSON: names in snake_case, times as text. */
export type SnakeNames<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? SnakeNames<One>[]
    : T extends object
      ? { [K in keyof T as K extends string ? Snake<K> : K]: SnakeNames<T[K]> }
      : T;

/** Renames the fields of what the core tells as the API names them: `startedAt` becomes `started_at`. */
export function snakeNames<T>(value: T): SnakeNames<T> {
  if (Array.isArray(value)) return value.map(snakeNames) as SnakeNames<T>;
  if (value === null || typeof value !== 'object' || value instanceof Date) return value as SnakeNames<T>;
  const renamed = Object.entries(value).map(([name, inner]) => [snake(name), snakeNames(inner)]);
  return Object.fromEntries(renamed) as SnakeNames<T>;
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Whether PostgreSQL keeps a text as it stands: its text holds every character but NUL, its jsonb no half surrogate
 * either, and the drivers turn those into replacement characters, so that two names could become one.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The text with replacement characters for what cannot be stored; as many UTF-16 units as before. */
export const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

/** A value as JSON that jsonb takes. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? storable(inner) : inner));

/** What is said of a name that is not. */
export const NOT_STORABLE = 'holds a NUL character or half of a surrogate pair';

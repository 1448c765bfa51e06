import { CodedError } from '../errors/coded-error.ts';
import type { Queryable, Tx } from '../storage/database.ts';

/** One immutable version of one section of what people configure. */
export interface RulebookVersion<Content = unknown> {
  readonly section: string;
  /** 0 is the version before the first edit: the section's empty content. */
  readonly version: number;
  readonly at: Date | null;
  readonly author: string | null;
  readonly note: string | null;
  readonly content: Content;
}

export const VERSION_UNKNOWN = 'rulebook.version_unknown';

/**
 * Publishes a new version of a section. What it held before stays readable under its number. Nothing cascades:
 * whether the past is re-run is a separate decision.
 * @returns the version: the current one again when the content is the same.
 */
export async function publish(
  tx: Tx,
  edit: { readonly section: string; readonly content: unknown; readonly author: string; readonly note?: string | null },
): Promise<number> {
  // Two editors at once take turns; the later one's version is the newer one.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('rulebook:' || $1, 0))`, [edit.section]);
  const content = JSON.stringify(edit.content);
  const { rows } = await tx.query<{ version: number }>(
    `with current as (
       select version, content from rulebook where section = $1 order by version desc limit 1
     ), written as (
       insert into rulebook (section, version, at, author, note, content)
       select $1, coalesce((select version from current), 0) + 1, now_here(), $2, $3, $4::jsonb
        where not exists (select from current where content = $4::jsonb)
       returning version
     )
     select version from written union all select version from current order by version desc limit 1`,
    [edit.section, edit.author, edit.note ?? null, content],
  );
  return rows[0]!.version;
}

/** A section at a version, or as it is now. Throws `rulebook.version_unknown` for a version that never was. */
export async function readRulebook<Content>(
  on: Queryable,
  section: string,
  empty: Content,
  version?: number,
): Promise<RulebookVersion<Content>> {
  if (version === 0) return { section, version: 0, at: null, author: null, note: null, content: empty };
  const { rows } = await on.query<RulebookVersion<Content>>(
    `select section, version, at, author, note, content from rulebook
      where section = $1 and ($2::int is null or version = $2) order by version desc limit 1`,
    [section, version ?? null],
  );
  if (rows[0]) return rows[0];
  if (version !== undefined) {
    throw new CodedError(VERSION_UNKNOWN, 'permanent', `${section} has no version ${version}`);
  }
  return { section, version: 0, at: null, author: null, note: null, content: empty };
}

/** The versions of a section, newest first, without their content. */
export async function listVersions(
  on: Queryable,
  section: string,
): Promise<Omit<RulebookVersion, 'content' | 'section'>[]> {
  const { rows } = await on.query<Omit<RulebookVersion, 'content' | 'section'>>(
    `select version, at, author, note from rulebook where section = $1 order by version desc`,
    [section],
  );
  return rows;
}

/**
 * Keeps the current version of a section ready for workers: read again at most every `maxAgeMs`, compiled once a
 * version.
 */
export function followRulebook<Content, Compiled>(options: {
  readonly section: string;
  readonly empty: Content;
  readonly compile: (content: Content) => Compiled;
  readonly maxAgeMs: number;
  readonly monotonicMs?: () => number;
}): (on: Queryable) => Promise<{ version: number; compiled: Compiled }> {
  const clock = options.monotonicMs ?? (() => performance.now());
  let readAt = Number.NEGATIVE_INFINITY;
  let current: { version: number; compiled: Compiled } | undefined;
  return async (on) => {
    if (current && clock() - readAt < options.maxAgeMs) return current;
    const { rows } = await on.query<{ version: number }>(
      `select coalesce(max(version), 0) as version from rulebook where section = $1`,
      [options.section],
    );
    const version = rows[0]?.version ?? 0;
    if (current?.version !== version) {
      const { content } = await readRulebook(on, options.section, options.empty, version);
      current = { version, compiled: options.compile(content) };
    }
    readAt = clock();
    return current;
  };
}

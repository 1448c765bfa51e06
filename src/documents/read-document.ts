import { readHistory, stateHistory } from '../core/journal.ts';
import { readRuns } from '../core/run.ts';
import type { Queryable } from '../storage/database.ts';
import { goneDocument, unknownDocument } from './decide-document.ts';
import { loadDocuments, loadTexts } from './document.ts';
import { type DocumentLine, listDocuments } from './list-documents.ts';
import { wayOut } from './review-reasons.ts';
import type { Shown, ShownField } from './shown.ts';

export interface DocumentDetails extends DocumentLine {
  readonly fields: Readonly<Record<string, ShownField>>;
  /** What settles each reason. */
  readonly ways_out: Readonly<Record<string, string>>;
  readonly text: { readonly pages: unknown; readonly warnings: readonly string[]; readonly version: number } | null;
  readonly suggestion: unknown;
  readonly state_history: unknown;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** One document with its fields, pages, suggestion and history. Throws `documents.unknown`, `documents.gone`. */
export async function readDocument(on: Queryable, id: string, version: number): Promise<DocumentDetails> {
  const [line] = await listDocuments(on, { ids: [id] }, version, 1);
  if (!line) throw unknownDocument(id);
  if (line.state === 'deleted') throw goneDocument(id);
  const [document] = await loadDocuments(on, [id]);
  const text = (await loadTexts(on, [id])).get(id);
  const { rows } = await on.query<{ suggestion: unknown }>(
    `select jsonb_build_object('run', run, 'batch', cause, 'at', at, 'rulebook_version', rulebook_version) || result as suggestion
       from documents_suggestion where document = $1`,
    [id],
  );
  const history = (await readHistory(on, [id])).get(id) ?? [];
  return {
    ...line,
    fields: document!.fields,
    ways_out: Object.fromEntries(line.review_reasons.map((reason) => [reason, wayOut(reason)])),
    text: text ? { pages: text.pages, warnings: text.warnings, version: text.version } : null,
    suggestion: rows[0]?.suggestion ?? null,
    state_history: stateHistory(history),
    error: line.state === 'failed' ? await lastError(on, id) : null,
  };
}

async function lastError(on: Queryable, id: string): Promise<{ code: string; message: string } | null> {
  const failed = ((await readRuns(on, [id])).get(id) ?? []).findLast(({ errorCode }) => errorCode !== null);
  return failed ? { code: failed.errorCode!, message: failed.errorMessage ?? '' } : null;
}

/** What was shown of it after each run and decision that changed it, newest first. */
export async function listVersions(on: Queryable, id: string): Promise<Record<string, unknown>[]> {
  const { rows } = await on.query(
    `select version, at, actor, actor_id, run, cause, rulebook_version, type, type_by as by, model, confidence, confirmed,
            review_reasons, fields, unused
       from documents_version where document = $1 order by version desc`,
    [id],
  );
  return rows as Record<string, unknown>[];
}

/** What was shown at a version of the item; null where nothing was written then. */
export async function readVersion(on: Queryable, id: string, version: number): Promise<Shown | null> {
  const { rows } = await on.query<Shown>(
    `select type, type_by as "typeBy", model, confidence, confirmed, review_reasons as reasons, type as "fieldsType", fields
       from documents_version where document = $1 and version = $2`,
    [id, version],
  );
  return rows[0] ?? null;
}

/** What a machine proposed; null without. */
export async function readSuggestion(on: Queryable, id: string): Promise<Shown | null> {
  const { rows } = await on.query<{ shown: Shown }>(
    `select result -> 'shown' as shown from documents_suggestion where document = $1`,
    [id],
  );
  return rows[0]?.shown ?? null;
}

import type { StageItem } from '../jobs/stage.ts';
import type { Queryable } from '../storage/database.ts';
import type { PageRecord } from './page-record.ts';
import type { Shown, ShownField } from './shown.ts';
import type { DocumentType } from './sniff-type.ts';

/** One file as stored, with what is shown of it. */
export interface Document extends StageItem, Shown {
  /** 1 until a person decided something about it. */
  readonly revision: number;
  readonly fileName: string;
  readonly kind: DocumentType;
  readonly sha256: string;
  readonly bytes: number;
  /** The newest text; 0 before the first. */
  readonly textVersion: number;
  readonly decidedAt: Date | null;
  readonly rulebookVersion: number | null;
}

interface Row extends Omit<Document, 'fields'> {
  readonly fields: Record<string, ShownField> | null;
}

/** Documents with their fields: one index look-up an id, whatever the statistics say. Deleted ones are among them. */
export async function loadDocuments(on: Queryable, ids: readonly string[]): Promise<Document[]> {
  const { rows } = await on.query<Row>(
    `select d.id, d.state, d.version, d.revision, d.content_version as "contentVersion", d.file_name as "fileName", d.kind,
            d.sha256, d.bytes, d.text_version as "textVersion", d.decided_at as "decidedAt",
            d.rulebook_version as "rulebookVersion", d.type, d.type_by as "typeBy", d.model, d.confidence, d.confirmed, d.fields_type as "fieldsType",
            d.review_reasons as reasons, f.fields
       from unnest($1::uuid[]) as i(id)
       cross join lateral (select * from documents_document t where t.id = i.id offset 0) d
       left join lateral (
         select jsonb_object_agg(t.code, t.value || jsonb_build_object('edited_by', t.edited_by, 'edited_at', t.edited_at)) as fields
           from documents_field t where t.document = d.id offset 0) f on true`,
    [ids],
  );
  return rows.map((row) => ({ ...row, fields: row.fields ?? {} }));
}

/** The text of a document, as the steps that follow work on it. */
export interface StoredText {
  readonly version: number;
  readonly markdown: string;
  readonly pages: readonly PageRecord[];
  readonly warnings: readonly string[];
}

/** The newest text of each document that has one. */
export async function loadTexts(on: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, StoredText>> {
  const { rows } = await on.query<StoredText & { readonly document: string }>(
    `select i.id as document, t.version, t.markdown, t.pages, t.warnings
       from unnest($1::uuid[]) as i(id)
       cross join lateral (
         select * from documents_text x where x.document = i.id order by x.version desc limit 1) t`,
    [ids],
  );
  return new Map(rows.map(({ document, ...text }) => [document, text]));
}

/** Where the file lies. */
export const blobKeyOf = (id: string): string => `documents/${id}`;

/** Whether pages of a text could not be read. */
export const isIncomplete = (pages: readonly PageRecord[]): boolean =>
  pages.some(
    ({ method, warnings }) => method === 'none' && warnings.some((one) => /^(needs_ocr|ocr_failed)/.test(one)),
  );

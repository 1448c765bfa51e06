import type { Actor } from '../core/machine.ts';
import type { Tx } from '../storage/database.ts';
import { storableJson } from '../text/storable.ts';
import type { FieldValue } from './field-value.ts';
import type { Shown, ShownField } from './shown.ts';

/** What is to be shown of a document from now on, and how it came to that. */
export interface NewShown {
  readonly document: string;
  readonly shown: Shown;
  readonly unused?: Readonly<Record<string, FieldValue>>;
  readonly actor: Actor;
  readonly actorId?: string | null;
  readonly run?: string | null;
  readonly cause: string;
  /** Of the machine's part; left as it was where it is not given. */
  readonly rulebookVersion?: number | null;
}

/**
 * Writes what is shown and keeps it as a version under the item's version. The caller holds the documents' rows, and has
 * moved or noted them before: each writing has a version of its own.
 */
export async function saveShown(tx: Tx, all: readonly NewShown[]): Promise<void> {
  if (!all.length) return;
  const documents = all.map(({ document }) => document);
  await tx.query(
    `update documents_document d
        set type = i.type, type_by = i.type_by, model = i.model, confidence = i.confidence, confirmed = i.confirmed,
            fields_type = i.fields_type, review_reasons = array(select jsonb_array_elements_text(i.reasons)),
            rulebook_version = coalesce(i.rulebook_version, d.rulebook_version)
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::bool[], $7::jsonb[], $8::int[],
                   $9::text[])
         as i(id, type, type_by, model, confidence, confirmed, reasons, rulebook_version, fields_type)
      where d.id = i.id`,
    [
      documents,
      all.map(({ shown }) => shown.type),
      all.map(({ shown }) => shown.typeBy),
      all.map(({ shown }) => shown.model),
      all.map(({ shown }) => shown.confidence),
      all.map(({ shown }) => shown.confirmed),
      all.map(({ shown }) => JSON.stringify(shown.reasons)),
      all.map(({ rulebookVersion }) => rulebookVersion ?? null),
      all.map(({ shown }) => shown.fieldsType),
    ],
  );
  await replaceFields(tx, all);
  await tx.query(
    `insert into documents_version (document, version, at, actor, actor_id, run, cause, rulebook_version, type, type_by,
            model, confidence, confirmed, review_reasons, fields, unused)
     select d.id, d.version, now_here(), i.actor, i.actor_id, i.run, i.cause, d.rulebook_version, d.type, d.type_by, d.model,
            d.confidence, d.confirmed, d.review_reasons, i.fields, i.unused
       from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::jsonb[], $7::jsonb[])
         as i(id, actor, actor_id, run, cause, fields, unused)
       join documents_document d on d.id = i.id`,
    [
      documents,
      all.map(({ actor }) => actor),
      all.map(({ actorId }) => actorId ?? null),
      all.map(({ run }) => run ?? null),
      all.map(({ cause }) => cause),
      all.map(({ shown }) => storableJson(shown.fields)),
      all.map(({ unused }) => storableJson(unused ?? {})),
    ],
  );
}

/** All fields of each document: what the type does not have any more leaves no row behind. */
async function replaceFields(tx: Tx, all: readonly NewShown[]): Promise<void> {
  const rows = all.flatMap(({ document, shown }) =>
    Object.entries(shown.fields).map(([code, field]) => ({ document, code, field })),
  );
  await tx.query('delete from documents_field where document = any($1::uuid[])', [all.map(({ document }) => document)]);
  await tx.query(
    `insert into documents_field (document, code, value, edited_by, edited_at)
     select * from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::text[], $5::timestamptz[])`,
    [
      rows.map(({ document }) => document),
      rows.map(({ code }) => code),
      rows.map(({ field }) => storableJson(plainValue(field))),
      rows.map(({ field }) => field.edited_by ?? null),
      rows.map(({ field }) => field.edited_at ?? null),
    ],
  );
}

function plainValue({ edited_by: _by, edited_at: _at, ...value }: ShownField): FieldValue {
  return value;
}

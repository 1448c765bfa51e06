import type { Done } from '../jobs/stage.ts';
import type { Tx } from '../storage/database.ts';
import { storable, storableJson } from '../text/storable.ts';
import type { Document } from './document.ts';
import type { DocumentText } from './read-text.ts';
import { textMethod } from './text-method.ts';

/** Keeps texts beside the older ones and makes them the newest, in the transaction that holds the documents' rows. */
export async function saveTexts(
  tx: Tx,
  done: readonly Pick<Done<Document, DocumentText>, 'item' | 'result' | 'run'>[],
): Promise<void> {
  if (!done.length) return;
  await tx.query(
    `with input as materialized (
       select * from unnest($1::uuid[], $2::text[], $3::jsonb[], $4::jsonb[], $5::uuid[], $6::int[], $7::int[], $8::text[])
         as i(id, markdown, pages, warnings, run, page_count, characters, method) order by id
     ), newer as (
       update documents_document d
          set text_version = d.text_version + 1, pages = i.page_count, characters = i.characters, text_method = i.method
         from input i where d.id = i.id
       returning d.id, d.text_version, i.markdown, i.pages, i.warnings, i.run
     )
     insert into documents_text (document, version, markdown, pages, warnings, run, created_at)
     select id, text_version, markdown, pages, warnings, run, now_here() from newer`,
    [
      done.map(({ item }) => item.id),
      done.map(({ result }) => storable(result.markdown)),
      done.map(({ result }) => storableJson(result.pages)),
      done.map(({ result }) => storableJson(result.warnings)),
      done.map(({ run }) => run),
      done.map(({ result }) => result.pages.length),
      done.map(({ result }) => result.pages.reduce((sum, { characters }) => sum + characters, 0)),
      done.map(({ result }) => textMethod(result.pages)),
    ],
  );
}

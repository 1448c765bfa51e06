import type { Machine } from '../core/machine.ts';
import { recordNotes } from '../core/note.ts';
import type { NewEvent } from '../core/outbox.ts';
import type { Claim, Done, Stage } from '../jobs/stage.ts';
import { CANCELLED } from '../replay/index.ts';
import type { Tx } from '../storage/database.ts';
import { storableJson } from '../text/storable.ts';
import { type Applied, applyResult, type FreshResult, restingState } from './apply-result.ts';
import type { Configured, Hand } from './configured.ts';
import { type Document, isIncomplete, loadDocuments } from './document.ts';
import { classifiedEvent, fieldsExtractedEvent, readyEvent } from './events.ts';
import { typeOf } from './extract-fields-stage.ts';
import { type FileDeps, readStored } from './extract-text-stage.ts';
import { documentMachine } from './machine.ts';
import { isHumanDecided, yields } from './protection.ts';
import type { DocumentText } from './read-text.ts';
import { saveShown } from './save-shown.ts';
import { saveTexts } from './save-text.ts';
import { type Readable, readFields, sortText } from './sort-and-read.ts';
import { handOf, prepareSteps, type StepContext } from './stage-context.ts';
import { textOf } from './text-of.ts';

/** What is done again, each with all that is made of it. */
export type Again = 're-read' | 're-classify' | 're-extract';

export const stageOf = (again: Again): string => `documents.${again}`;

interface Replayed {
  /** Read anew; null where the stored one was used. */
  readonly text: DocumentText | null;
  readonly fresh: FreshResult;
  readonly applied: Applied;
  /** It is told, not put in place. */
  readonly proposed: boolean;
  /** An edge was taken, which counts a version of the item. */
  readonly moved: boolean;
}

type ReplayClaim = Claim<typeof documentMachine, StepContext>;

/**
 * A document at rest done again from one step on to the end, in one claim: what people see changes once, to the whole new
 * result, or not at all. What a person decided is left alone unless the batch was asked to include it.
 */
export function replayStage(
  again: Again,
  deps: FileDeps & { readonly configured: Configured },
): Stage<typeof documentMachine, Document, Replayed, StepContext> {
  return {
    name: stageOf(again),
    machine: documentMachine,
    from: [],
    replayFrom: ['ready', 'in_review'],
    actor: 'ai',
    batch: 1,
    concurrency: again === 're-read' ? 1 : 4,
    expireSeconds: again === 're-read' ? 7200 : 1800,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'failed',
    load: loadDocuments,
    prepare: (on, items, causes) => prepareSteps(deps.configured, on, items, causes),
    skip: (document, { context: { order, inScope } }) => {
      if (order === null) return 'replay.batch_unknown';
      if (order.cancelled) return CANCELLED;
      if (!inScope) return 'replay.left_scope';
      if (again === 're-extract') return document.type === null ? 'documents.no_type' : null;
      return again === 're-classify' && isHumanDecided(document) && !yields(document, order)
        ? 'documents.human_decided'
        : null;
    },
    work: (document, claim) => replay(again, deps, document, claim),
    save: saveReplayed,
    saveLate: saveSuggestions,
    after: (document, result) => ({ events: result.proposed ? [] : eventsOf(document, result) }),
    inputRef: ({ id, textVersion }) => `documents_text:${id}/${textVersion}`,
  };
}

async function replay(again: Again, deps: FileDeps, document: Document, claim: ReplayClaim): Promise<Replayed> {
  const { walk, context, signal } = claim;
  const order = context.order!;
  const hand = handOf(document, claim);
  const text = again === 're-read' ? await readStored(deps, document, signal) : null;
  const includeHuman = yields(document, order);
  const keepsType = again === 're-extract' || (document.confirmed && !includeHuman);
  const textIncomplete = text !== null && !(document.confirmed && !includeHuman) ? isIncomplete(text.pages) : null;
  const found = await resultOf(document, text ?? textOf(context.text), context, hand, keepsType);
  const fresh = { ...found, textIncomplete };
  const mode = order.mode === 'fill_empty' ? 'fill_empty' : 'replace';
  const applied = applyResult(document, fresh, { mode, includeHuman });
  const proposed = order.mode === 'propose';
  const to = restingState(applied.shown);
  const moved = !proposed && to !== document.state;
  if (moved && to === 'ready') walk.take({ from: 'in_review', to: 'ready' });
  else if (moved) walk.take({ from: 'ready', to: 'in_review' });
  return { text, fresh, applied, proposed, moved };
}

/** What the steps from sorting on say; those of reading fields alone where the type stays. */
export async function resultOf(
  document: Pick<Document, 'id' | 'type'>,
  text: Readable,
  { rules, examples }: Pick<StepContext, 'rules' | 'examples'>,
  hand: Hand,
  keepsType: boolean,
): Promise<Omit<FreshResult, 'textIncomplete'>> {
  if (keepsType) {
    const type = typeOf(rules, document.type);
    return { type, fields: await readFields(text, type, hand) };
  }
  // A document is no example of itself.
  const others = examples.filter((example) => example.document !== document.id);
  const sorted = await sortText(text, rules.types, others, hand);
  if (sorted.type === null) return { sorted, type: null, fields: {} };
  const type = typeOf(rules, sorted.type);
  return { sorted, type, fields: await readFields(text, type, hand) };
}

async function saveReplayed(tx: Tx, done: readonly Done<Document, Replayed>[]): Promise<void> {
  const stayed = done.filter(({ result }) => !result.moved);
  await recordNotes(
    tx,
    documentMachine as unknown as Machine,
    stayed.map(({ item, run, result }) => {
      const reason = result.proposed ? 'documents.proposed' : 'documents.replayed';
      return { item: item.id, actor: 'ai' as const, reason, run };
    }),
  );
  const applied = done.filter(({ result }) => !result.proposed);
  await saveTexts(
    tx,
    applied.flatMap(({ item, run, result }) => (result.text === null ? [] : [{ item, run, result: result.text }])),
  );
  await saveShown(
    tx,
    applied.map(({ item, result, run, cause, rulebookVersion }) => ({
      ...{ document: item.id, shown: result.applied.shown, unused: result.applied.unused, actor: 'ai' as const },
      ...{ run, cause, rulebookVersion },
    })),
  );
  await saveSuggestions(
    tx,
    done.filter(({ result }) => result.proposed),
  );
}

/** What is only told: the newest takes the place of an older one. Of a document that is deleted nothing is kept. */
async function saveSuggestions(tx: Tx, done: readonly Done<Document, Replayed>[]): Promise<void> {
  for (const { item, result, run, cause, rulebookVersion } of done) {
    const { shown, unused } = result.applied;
    await tx.query(
      `insert into documents_suggestion (document, run, cause, at, rulebook_version, result)
       select id, $2, $3, now_here(), $4, $5::jsonb from documents_document where id = $1 and state <> 'deleted' for share
       on conflict (document) do update
          set run = excluded.run, cause = excluded.cause, at = excluded.at, rulebook_version = excluded.rulebook_version,
              result = excluded.result`,
      [item.id, run, cause, rulebookVersion, storableJson({ shown, unused })],
    );
  }
}

function eventsOf(
  { id, state }: Document,
  { applied: { shown, typeChanged, fieldsChanged }, moved }: Replayed,
): NewEvent[] {
  return [
    ...(typeChanged ? [classifiedEvent(id, shown, 'replay')] : []),
    ...(fieldsChanged ? [fieldsExtractedEvent(id, shown, 'replay')] : []),
    ...(moved && state === 'in_review' ? [readyEvent(id, shown.type, 'replay')] : []),
  ];
}

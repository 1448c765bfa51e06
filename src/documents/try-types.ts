import type { Change, Draft, Measurement, Trial } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import { applyResult, restingState } from './apply-result.ts';
import { about, type Configured, type TypeRules } from './configured.ts';
import { type Document, isIncomplete, loadDocuments, loadTexts } from './document.ts';
import { parseTypes } from './document-types.ts';
import { type FileDeps, readStored } from './extract-text-stage.ts';
import { isHumanDecided } from './protection.ts';
import { type Again, resultOf } from './replay-stage.ts';
import { isSameValue } from './shown.ts';
import type { Readable } from './sort-and-read.ts';

export type TryDeps = FileDeps & { readonly configured: Configured };

/** The types as somebody drafts them (`{types: […]}`, as in types.yaml), or as they are. */
async function rulesOf(on: Queryable, { configured }: TryDeps, draft: Draft): Promise<TypeRules> {
  if (draft === undefined) return configured.types(on);
  return { version: (await configured.types(on)).version, types: parseTypes(draft) };
}

/**
 * Does a step again for some documents by the types as drafted, and says what people would see differently. Nothing is
 * written; what a person decided is left alone, as a replay would.
 */
export async function tryTypes(
  on: Queryable,
  again: Again,
  deps: TryDeps,
  ids: readonly string[],
  draft: Draft,
): Promise<Trial> {
  const rules = await rulesOf(on, deps, draft);
  const steps = { rules, examples: await deps.configured.examples(on), hand: await deps.configured.hand(on) };
  const moves: Record<string, number> = {};
  const changes: Change[] = [];
  let tried = 0;
  for (const document of await loadDocuments(on, ids)) {
    if (again === 're-classify' && isHumanDecided(document)) continue;
    if (again === 're-extract' && document.type === null) continue;
    const text = again === 're-read' ? await readStored(deps, document, NEVER) : await storedText(on, document.id);
    if (text === null) continue;
    tried += 1;
    const keepsType = again === 're-extract' || document.confirmed;
    if (keepsType && !rules.types.some(({ code }) => code === document.type)) {
      changes.push({ id: document.id, of: null, field: 'type', before: document.type, after: null });
      continue;
    }
    const found = await resultOf(document, text, steps, about(steps.hand, document.id), keepsType);
    const textIncomplete = again === 're-read' && !document.confirmed ? isIncomplete(text.pages) : null;
    const how = { mode: 'replace', includeHuman: false } as const;
    const { shown } = applyResult(document, { ...found, textIncomplete }, how);
    const to = restingState(shown);
    if (to !== document.state) {
      const edge = `${document.state} → ${to}`;
      moves[edge] = (moves[edge] ?? 0) + 1;
      changes.push({ id: document.id, of: null, field: 'state', before: document.state, after: to });
    }
    changes.push(...differences(document, shown));
  }
  return {
    tried,
    changed_items: new Set(changes.map(({ id }) => id)).size,
    moves,
    by_field: countFields(changes),
    changes,
  };
}

const NEVER = new AbortController().signal;

async function storedText(on: Queryable, id: string): Promise<Readable | null> {
  return (await loadTexts(on, [id])).get(id) ?? null;
}

function differences(before: Document, after: Pick<Document, 'type' | 'fields'>): Change[] {
  const { id } = before;
  const type: Change[] =
    before.type === after.type ? [] : [{ id, of: null, field: 'type', before: before.type, after: after.type }];
  const codes = new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]);
  const fields = [...codes]
    .filter((code) => !isSameValue(before.fields[code], after.fields[code]))
    .map((code) => ({
      ...{ id, of: after.type, field: code },
      before: before.fields[code]?.value ?? null,
      after: after.fields[code]?.value ?? null,
    }));
  return [...type, ...fields];
}

function countFields(changes: readonly Change[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { field } of changes) counts[field] = (counts[field] ?? 0) + 1;
  return counts;
}

/** Documents that one measurement looks at: the newest ones that people confirmed. */
const MEASURED = 500;

/**
 * Holds the types as drafted, and those in force, against what people confirmed: the type, and each field of the type that
 * they confirmed (a value that they left as it was is one that they saw). Both are worked out anew, the documents being no
 * examples of themselves. Keys: `type`, `type:invoice`, `invoice.total`.
 */
export async function measureTypes(on: Queryable, deps: TryDeps, draft: Draft): Promise<Measurement> {
  const { configured } = deps;
  const examples = await configured.examples(on);
  const asking = await configured.hand(on);
  const now = { rules: await configured.types(on), examples };
  const then = { rules: await rulesOf(on, deps, draft), examples };
  const fields: Record<string, { labels: number; before: number; after: number }> = {};
  const changes: (Change & { label: unknown })[] = [];
  const count = (key: string, id: string, label: unknown, before: unknown, after: unknown, same = Object.is) => {
    fields[key] ??= { labels: 0, before: 0, after: 0 };
    const counts = fields[key];
    const [was, is] = [same(before, label), same(after, label)];
    counts.labels += 1;
    if (was) counts.before += 1;
    if (is) counts.after += 1;
    // Each difference once: `type:invoice` is counted in `type` as well.
    if (was !== is && key !== 'type') changes.push({ id, of: null, field: key, before, after, label });
  };
  for (const document of await confirmedDocuments(on)) {
    const text = await storedText(on, document.id);
    if (text === null) continue;
    const { id, type: label } = document;
    const hand = about(asking, id);
    const before = await resultOf(document, text, now, hand, false);
    const after = draft === undefined ? before : await resultOf(document, text, then, hand, false);
    const [was, is] = [before.type?.code ?? null, after.type?.code ?? null];
    if (document.confirmed) {
      count('type', id, label, was, is);
      count(`type:${label}`, id, label, was, is);
    }
    const readAs = async (steps: typeof now) =>
      steps.rules.types.some(({ code }) => code === label)
        ? (await resultOf(document, text, steps, hand, true)).fields
        : {};
    const [old, fresh] = [await readAs(now), draft === undefined ? null : await readAs(then)];
    for (const [code, said] of Object.entries(document.fields)) {
      if (!document.confirmed && said.source !== 'human') continue;
      const shown = (value: (typeof old)[string] | undefined) =>
        value?.currency ? { value: value.value, currency: value.currency } : (value?.value ?? null);
      const found = fresh ?? old;
      const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
      count(`${label}.${code}`, id, shown(said), shown(old[code]), shown(found[code]), same);
    }
  }
  return { fields, changes };
}

async function confirmedDocuments(on: Queryable): Promise<Document[]> {
  const { rows } = await on.query<{ id: string }>(
    `select t.id from documents_document t
      where t.state in ('ready', 'in_review') and t.type is not null and (t.confirmed or exists (
        select from documents_field f where f.document = t.id and f.value ->> 'source' = 'human'))
      order by t.id desc limit ${MEASURED}`,
  );
  return loadDocuments(
    on,
    rows.map(({ id }) => id),
  );
}

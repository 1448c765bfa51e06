import { isBatch } from '../jobs/enqueue.ts';
import type { Claim } from '../jobs/stage.ts';
import { type BatchOrder, readOrders } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import { type Configured, type ConfirmedExample, counting, type Hand, type TypeRules } from './configured.ts';
import { type Document, loadTexts, type StoredText } from './document.ts';
import type { documentMachine } from './machine.ts';
import { isInScope } from './replay-scope.ts';

/** What the steps of one claim share. Their stages take one job a claim, so this is about one document. */
export interface StepContext {
  readonly rules: TypeRules;
  readonly hand: Hand;
  readonly examples: readonly ConfirmedExample[];
  readonly text: StoredText | null;
  /** Of a claim that a batch caused. */
  readonly order: BatchOrder | null;
  /** Whether it is still in the scope of its batch; true for a claim that none caused. */
  readonly inScope: boolean;
}

/** A batch goes by the types as they were when it was started, however they change meanwhile. */
export async function prepareSteps(
  configured: Configured,
  on: Queryable,
  items: readonly Document[],
  causes: readonly string[],
): Promise<{ context: StepContext; rulebookVersion: number }> {
  const [cause] = causes as [string];
  const order = isBatch(cause) ? ((await readOrders(on, [cause])).get(cause) ?? null) : null;
  const rules = await configured.types(on, order?.rulebookVersion);
  const texts = await loadTexts(
    on,
    items.map(({ id }) => id),
  );
  const context: StepContext = {
    rules,
    hand: await configured.hand(on),
    examples: await configured.examples(on),
    text: texts.get(items[0]!.id) ?? null,
    order,
    inScope: order === null || (await isInScope(on, items[0]!.id, order, rules.version)),
  };
  return { context, rulebookVersion: rules.version };
}

/** Who sorts and reads in a claim: asked in its name, at its cost, and behind fresh work where a batch caused it. */
export function handOf(
  { id }: Pick<Document, 'id'>,
  {
    context,
    signal,
    spend,
    cause,
  }: Pick<Claim<typeof documentMachine, StepContext>, 'context' | 'signal' | 'spend' | 'cause'>,
): Hand {
  const priority = context.order === null ? 'live' : 'batch';
  return counting(context.hand, { signal, spend, priority, requestKey: `${id}:${cause}`, item: id });
}

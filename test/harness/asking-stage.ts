import { z } from 'zod';
import { SlotHolder } from '../../src/jobs/slot-holder.ts';
import { ask } from '../../src/models/ask.ts';
import { type Model, modelSchema } from '../../src/models/registry.ts';
import type { Database } from '../../src/storage/database.ts';
import { type ParcelStage, parcelStage } from './parcel.ts';

export const POOL = 'model:test';

export function testModel(baseUrl: string, changes: Partial<Model> = {}): Model {
  return { ...modelSchema.parse({ id: 'test', base_url: baseUrl, model: 'mock', timeout_s: 5 }), ...changes };
}

const verdict = z.object({ decision: z.enum(['approve', 'reject', 'unsure']) });

/** A model-bound stage: one call an item, one job a claim, through the real slots. */
export function askingStage(
  database: Database,
  model: Model,
  worker: string,
  concurrency: number,
  onError: (error: unknown) => void,
): { readonly stage: ParcelStage; readonly slots: SlotHolder } {
  const slots = new SlotHolder({
    database,
    pool: POOL,
    holder: crypto.randomUUID(),
    worker,
    callLimitMs: model.timeout_s * 1000,
    onError,
  });
  const stage = parcelStage(
    async (item, { walk, signal, spend }) => {
      if (walk.state === 'new') walk.take({ from: 'new', to: 'checking' });
      const question = {
        system: 'Judge the parcel.',
        prompt: `parcel ${item.content} ${item.id}`,
        schema: verdict,
        schemaName: 'verdict',
      };
      const { value, use } = await ask(model, question, {
        database,
        slots,
        apiKey: undefined,
        requestKey: item.id,
        signal,
      });
      spend(use);
      walk.take({ from: 'checking', to: 'passed' });
      return value.decision;
    },
    { batch: 1, concurrency, expireSeconds: 120, actor: 'system' },
  );
  return { stage, slots };
}

import { expect } from 'vitest';
import { z } from 'zod';
import { SlotHolder } from '../../src/jobs/slot-holder.ts';
import { definePool, readPools } from '../../src/jobs/slots.ts';
import type { AskDeps, Question } from '../../src/models/ask.ts';
import { type MockModel, type ScriptInput, startMockModel } from '../../src/models/mock/index.ts';
import { type Model, modelSchema } from '../../src/models/registry.ts';
import type { Database } from '../../src/storage/database.ts';
import { until } from './site.ts';

export const verdictSchema = z.object({ decision: z.enum(['approve', 'reject', 'unsure']), evidence: z.string() });
export type Verdict = z.infer<typeof verdictSchema>;

export const VERDICT: Verdict = { decision: 'approve', evidence: 'a fine text' };

export const question = (prompt: string, changes: Partial<Question<Verdict>> = {}): Question<Verdict> => ({
  system: 'You audit texts.',
  prompt,
  schema: verdictSchema,
  schemaName: 'verdict',
  ...changes,
});

/** What a provider was sent and how it counted. */
export interface Exchange {
  readonly headers: Headers;
  readonly body: {
    readonly messages: { role: string; content: string }[];
    readonly response_format?: { type: string; json_schema?: { name?: string; schema: unknown } };
    readonly [parameter: string]: unknown;
  };
  readonly usage: { prompt_tokens: number; completion_tokens: number } | null;
}

/** A mock provider with a model of its own, a pool and this process's hand in it. */
export interface Asking extends AsyncDisposable {
  readonly mock: MockModel;
  readonly model: Model;
  readonly deps: AskDeps;
  readonly exchanges: Exchange[];
  requests(): number;
  /** Waits until no slot of the pool is held, as it must be when nobody is asking. */
  allReleased(): Promise<void>;
}

let providers = 0;

export async function startAsking(
  database: Database,
  script: ScriptInput = { answers: [{ reply: VERDICT }] },
  changes: Partial<Model> = {},
): Promise<Asking> {
  const mock = await startMockModel({ script });
  const id = `provider-${providers++}`;
  const model = modelSchema.parse({ id, base_url: mock.url, model: 'm-1', concurrency: 2, timeout_s: 10, ...changes });
  await definePool(database, { name: id, cap: model.concurrency });
  const slots = new SlotHolder({
    database,
    pool: id,
    holder: crypto.randomUUID(),
    worker: 'test',
    callLimitMs: model.timeout_s * 1000,
  });
  const exchanges: Exchange[] = [];
  const deps: AskDeps = {
    database,
    slots,
    apiKey: 'the-key',
    fetch: async (input, init) => {
      const sent = { headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) };
      const response = await fetch(input, init);
      const told = await response
        .clone()
        .json()
        .catch(() => null);
      exchanges.push({ ...sent, usage: (told as { usage?: Exchange['usage'] } | null)?.usage ?? null });
      return response;
    },
  };
  return {
    mock,
    model,
    deps,
    exchanges,
    requests: () => mock.log.stats().requests,
    allReleased: () =>
      until(async () => {
        const pool = (await readPools(database)).find(({ name }) => name === id);
        expect({ held: pool?.held, own: slots.held }).toEqual({ held: 0, own: 0 });
      }),
    [Symbol.asyncDispose]: async () => {
      await slots.close();
      await mock.stop();
    },
  };
}

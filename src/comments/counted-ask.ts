import type { ModelUse } from '../core/run.ts';
import type { AskModel, AskOptions } from '../models/index.ts';

/** Asks in a claim's name and counts what it costs into the claim's run. */
export function countedAsk(ask: AskModel, options: AskOptions, spend: (use: ModelUse) => void): AskModel {
  return async (question) => {
    const answered = await ask(question, options);
    spend(answered.use);
    return answered;
  };
}

import { CodedError } from '../errors/coded-error.ts';
import { type AskModel, BUDGET_EXHAUSTED, MODEL_ERRORS } from '../models/index.ts';
import { audit, type Case, type Verdict } from './audit.ts';
import type { Policy } from './policy.ts';

/** What a failure means for the comment: a person decides, and is told why. */
export const failedVerdict = (code: string): Verdict => ({
  decision: 'unsure',
  reasons: [{ code: code === MODEL_ERRORS.contentFilter ? 'provider_filter' : code, evidence: '', rule: 'model' }],
  by: 'rules',
  model: null,
});

/** Audits as `audit` does; a budget that is used up does not wait for tomorrow, but for a person. */
export async function auditInBudget(of: Case, policy: Policy, ask: AskModel | null): Promise<Verdict> {
  try {
    return await audit(of, policy, ask);
  } catch (error) {
    if (error instanceof CodedError && error.code === BUDGET_EXHAUSTED) return failedVerdict('budget');
    throw error;
  }
}

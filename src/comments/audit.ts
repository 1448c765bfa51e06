import type { AskModel } from '../models/index.ts';
import { type Context, type VerdictAnswer, verdictQuestion } from './ask-verdict.ts';
import type { Policy } from './policy.ts';
import { leaks } from './prompt.ts';
import { applyRules, excerpt, type Facts, type Subject } from './rules/index.ts';

export type AuditDecision = 'approve' | 'reject' | 'unsure';

export interface Reason {
  readonly code: string;
  readonly evidence: string;
  /** The rule that found it, or `model`. */
  readonly rule: string;
}

/** What the machine says of a comment. Unsure means that a person decides. */
export interface Verdict {
  readonly decision: AuditDecision;
  readonly reasons: readonly Reason[];
  readonly by: 'rules' | 'model';
  readonly model: string | null;
}

/** What is audited, with all that is known of it. */
export interface Case {
  readonly subject: Subject;
  readonly context: Context;
  readonly facts: Facts;
  /** How the AI is called where it answers; null where it does not. */
  readonly replyName: string | null;
}

/**
 * Audits a comment: the cheap rules, then a model about what they leave open. What a rule wants a person to look at, no model
 * approves. Without a model the policy says what becomes of what no rule decides.
 * @param ask null for rules alone. Throws what it throws: a failure decides nothing.
 */
export async function audit(of: Case, policy: Policy, ask: AskModel | null): Promise<Verdict> {
  const { subject, context, facts, replyName } = of;
  const findings = applyRules(subject, policy, facts, replyName);
  const reasons = findings.map(({ code, evidence, rule }): Reason => ({ code, evidence, rule }));
  const byRules = (decision: AuditDecision, more: readonly Reason[] = []): Verdict => ({
    ...{ decision, reasons: [...reasons, ...more], by: 'rules', model: null },
  });
  if (findings.some(({ means }) => means === 'reject')) return byRules('reject');
  if (findings.length) return byRules('unsure');
  if (ask === null) {
    if (policy.without_model === 'rules') return byRules('approve');
    return byRules('unsure', [{ code: 'no_model', evidence: '', rule: 'without_model' }]);
  }
  const { value, model } = await ask(verdictQuestion(subject, context, policy));
  return { ...readAnswer(value), by: 'model', model };
}

const MODEL_RULE = 'model';

/** Models say what they were not asked in a field that is free: whoever reads the reason gets a code and a passage. */
function readAnswer({ decision, reason_code, evidence }: VerdictAnswer): Pick<Verdict, 'decision' | 'reasons'> {
  if (leaks(`${reason_code} ${evidence}`)) {
    return { decision: 'unsure', reasons: [{ code: 'model_manipulated', evidence: '', rule: MODEL_RULE }] };
  }
  const code = /^[a-z0-9][a-z0-9_.-]{0,63}$/.test(reason_code) ? reason_code : 'other';
  return { decision, reasons: [{ code, evidence: excerpt(evidence), rule: MODEL_RULE }] };
}

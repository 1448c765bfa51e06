import { type ModelUse, NO_MODEL_USE } from '../core/run.ts';
import type { AskModel } from '../models/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { DocumentTypeRule } from './document-types.ts';

/** The types that documents are sorted into, as one version of the rulebook has them. */
export interface TypeRules {
  readonly version: number;
  readonly types: readonly DocumentTypeRule[];
}

/** Who sorts and reads: a model, or rules alone. */
export interface Hand {
  readonly ask: AskModel | null;
  /** The model's id; null for rules. */
  readonly model: string | null;
}

export const BY_RULES: Hand = { ask: null, model: null };

/** A document that people confirmed, as an example of its type. */
export interface ConfirmedExample {
  readonly document: string;
  readonly type: string;
  readonly markdown: string;
}

/** What people configured, as steps are given it. */
export interface Configured {
  /** The types now, or at a version. */
  types(on: Queryable, version?: number | null): Promise<TypeRules>;
  hand(on: Queryable): Promise<Hand>;
  examples(on: Queryable): Promise<readonly ConfirmedExample[]>;
}

/** Counts what questions cost, and asks them in the claim's name. */
export function counting(
  { ask, model }: Hand,
  claim: {
    readonly signal?: AbortSignal;
    readonly requestKey?: string;
    readonly priority?: 'live' | 'batch';
    readonly item: string;
    spend(use: ModelUse): void;
  },
): Hand {
  if (ask === null) return BY_RULES;
  const { signal, requestKey, priority, item } = claim;
  const counted: AskModel = async (question, options = {}) => {
    const answered = await ask(question, { signal, requestKey, priority, item, ...options });
    claim.spend(answered.use ?? NO_MODEL_USE);
    return answered;
  };
  return { ask: counted, model };
}

/** Asks about one document outside of a claim, as a trial does; what it costs is nobody's run. */
export const about = (hand: Hand, item: string): Hand => counting(hand, { item, priority: 'batch', spend: () => {} });

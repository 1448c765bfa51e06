import { followRulebook, readRulebook } from '../core/rulebook.ts';
import type { AskModel, Model, Models } from '../models/index.ts';
import type { Queryable } from '../storage/database.ts';
import { NO_POLICIES, POLICIES_SECTION, type Policy, parsePolicies } from './policy.ts';
import { NO_SITES, parseSites, SITES_SECTION, type Site } from './site.ts';

/** The policies as one version of the rulebook has them. */
export interface PolicyRules {
  readonly version: number;
  readonly policies: ReadonlyMap<string, Policy>;
}

/** A model to ask; its id for what is told of it. */
export interface Hand {
  readonly ask: AskModel;
  readonly model: Model;
}

/** What people configured about comments, as steps are given it. */
export interface Configured {
  sites(on: Queryable): Promise<ReadonlyMap<string, Site>>;
  /** The policies now, or at a version. */
  policies(on: Queryable, version?: number | null): Promise<PolicyRules>;
  /** Null for rules alone: no model is configured, or `rules` is asked for. */
  hand(modelId: string | undefined): Promise<Hand | null>;
  /** This process means what was just written: it does not wait to notice. */
  edited(): void;
}

/** Workers take a new version within this time, in milliseconds. */
const RULEBOOK_AGE_MS = 2_000;
/** Versions of the policies that are kept compiled, for batches that go by older ones. */
const KEPT_VERSIONS = 8;
/** In place of a model's id. */
const RULES = 'rules';

export function configure(models: Pick<Models, 'ask' | 'describe'>): Configured {
  const followSites = () =>
    followRulebook({ section: SITES_SECTION, empty: NO_SITES, compile: parseSites, maxAgeMs: RULEBOOK_AGE_MS });
  const followPolicies = () =>
    followRulebook({
      ...{ section: POLICIES_SECTION, empty: NO_POLICIES, compile: parsePolicies },
      maxAgeMs: RULEBOOK_AGE_MS,
    });
  let sites = followSites();
  let policies = followPolicies();
  const older = new Map<number, PolicyRules>();
  return {
    sites: async (on) => (await sites(on)).compiled,
    policies: async (on, version) => {
      const now = await policies(on);
      if (version === undefined || version === null || version === now.version) {
        return { version: now.version, policies: now.compiled };
      }
      let found = older.get(version);
      if (!found) {
        const { content } = await readRulebook(on, POLICIES_SECTION, NO_POLICIES, version);
        found = { version, policies: parsePolicies(content) };
        if (older.size >= KEPT_VERSIONS) older.delete(older.keys().next().value!);
        older.set(version, found);
      }
      return found;
    },
    hand: async (modelId) => {
      if (modelId === RULES) return null;
      const [ask, model] = [await models.ask(modelId ?? null), await models.describe(modelId ?? null)];
      return ask === null || model === null ? null : { ask, model };
    },
    edited: () => {
      sites = followSites();
      policies = followPolicies();
    },
  };
}

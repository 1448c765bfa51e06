import { z } from '@hono/zod-openapi';
import { followRulebook, readRulebook } from '../core/rulebook.ts';
import type { Models } from '../models/index.ts';
import type { Queryable } from '../storage/database.ts';
import { BY_RULES, type Configured, type ConfirmedExample, type TypeRules } from './configured.ts';
import { parseTypes } from './document-types.ts';
import type { Price } from './preview-replay.ts';

export const TYPES_SECTION = 'documents.types';
export const SETTINGS_SECTION = 'documents.settings';
export const NO_TYPES = { types: [] };

/** How documents are worked on: which model, if any. */
export const settingsSchema = z.strictObject({
  /** A model's id; `rules` for none; left out for the one called `default`, else the first, else rules. */
  model: z.string().min(1).max(100).optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

/** Workers take a new version within this time, in milliseconds. */
const RULEBOOK_AGE_MS = 2_000;
const EXAMPLES_AGE_MS = 30_000;
/** Examples of a type: the newest that people confirmed. */
const EXAMPLES_A_TYPE = 20;
const EXAMPLE_CHARACTERS = 8_000;
/** Versions of the types that are kept compiled, for batches that go by older ones. */
const KEPT_VERSIONS = 8;

export interface Configuring extends Configured {
  price(on: Queryable): Promise<Price>;
  /** This process means what was just written: it does not wait to notice. */
  edited(): void;
}

/** What people configured about documents, as the rulebook has it. */
export function configure(
  models: Pick<Models, 'ask' | 'describe'>,
  monotonicMs = () => performance.now(),
): Configuring {
  const compile = (content: { types: unknown[] }) => (content.types.length ? parseTypes(content) : []);
  const followTypes = () =>
    followRulebook({ section: TYPES_SECTION, empty: NO_TYPES, compile, maxAgeMs: RULEBOOK_AGE_MS });
  const followSettings = () =>
    followRulebook<Settings, Settings>({
      ...{ section: SETTINGS_SECTION, empty: {}, maxAgeMs: RULEBOOK_AGE_MS },
      compile: (content) => settingsSchema.parse(content),
    });
  let types = followTypes();
  let settings = followSettings();
  let examples: { readonly at: number; readonly all: readonly ConfirmedExample[] } | null = null;
  const older = new Map<number, TypeRules>();

  const modelId = async (on: Queryable): Promise<string | null> => (await settings(on)).compiled.model ?? null;

  return {
    types: async (on, version) => {
      const now = await types(on);
      if (version === undefined || version === null || version === now.version) {
        return { version: now.version, types: now.compiled };
      }
      let found = older.get(version);
      if (!found) {
        const { content } = await readRulebook(on, TYPES_SECTION, NO_TYPES, version);
        found = { version, types: compile(content) };
        if (older.size >= KEPT_VERSIONS) older.delete(older.keys().next().value!);
        older.set(version, found);
      }
      return found;
    },
    hand: async (on) => {
      const id = await modelId(on);
      if (id === RULES) return BY_RULES;
      const [ask, model] = [await models.ask(id), await models.describe(id)];
      return ask === null || model === null ? BY_RULES : { ask, model: model.id };
    },
    price: async (on) => {
      const id = await modelId(on);
      const model = id === RULES ? null : await models.describe(id);
      return { in: model?.price_in ?? 0, out: model?.price_out ?? 0 };
    },
    examples: async (on) => {
      if (examples === null || monotonicMs() - examples.at >= EXAMPLES_AGE_MS) {
        examples = { at: monotonicMs(), all: await readExamples(on) };
      }
      return examples.all;
    },
    edited: () => {
      types = followTypes();
      settings = followSettings();
    },
  };
}

const RULES = 'rules';

/** The beginnings of what people confirmed most recently, a few of each type. */
async function readExamples(on: Queryable): Promise<ConfirmedExample[]> {
  const { rows } = await on.query<ConfirmedExample>(
    `select d.id as document, d.type, left(x.markdown, ${EXAMPLE_CHARACTERS}) as markdown
       from (select distinct type from documents_document where confirmed and state in ('ready', 'in_review')) t
       cross join lateral (
         select id, type, text_version from documents_document c
          where c.type = t.type and c.confirmed and c.state in ('ready', 'in_review')
          order by c.id desc limit ${EXAMPLES_A_TYPE}) d
       join documents_text x on x.document = d.id and x.version = d.text_version
      order by d.type, d.id desc`,
  );
  return rows;
}

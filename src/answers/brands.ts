import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';
import { foldKey } from '../text/fold.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';

/** Where an alias comes from: the cleaning task that brought it, or the rulebook. */
export type Origin = 'task' | 'rulebook';

export interface Alias {
  readonly text: string;
  readonly caseSensitive: boolean;
  /** `Qwen` also in `Qwen2.5`; for aliases that end in Latin letters or digits. */
  readonly allowVersionSuffix: boolean;
  readonly origin: Origin;
}

export interface Brand {
  readonly name: string;
  /** What is looked for; the name itself is one only where it is listed, or where nothing is. */
  readonly aliases: readonly Alias[];
  readonly domains: readonly string[];
  readonly exclude: readonly string[];
  readonly require: readonly string[];
}

/** The configured brands: every alias folds to something, and to something that no other brand has. */
export interface BrandTable {
  readonly brands: readonly Brand[];
}

const text = z.string().trim().min(1).max(200).refine(isStorable, NOT_STORABLE);
/** Names and aliases stand in columns of a hundred characters (specification §6). */
const word = text.max(100);

/** One alias as it is written in brands.yaml: a word, or a word with its flags. */
export const aliasSchema = z.union([
  word,
  z.strictObject({
    text: word,
    case_sensitive: z.boolean().default(false),
    allow_version_suffix: z.boolean().default(false),
  }),
]);

/** One brand of brands.yaml. */
export const brandSchema = z.strictObject({
  name: word,
  aliases: z.array(aliasSchema).default([]),
  domains: z.array(text).default([]),
  exclude: z.array(text).default([]),
  require: z.array(text).default([]),
});

/** brands.yaml after YAML has been read. */
export const brandsSchema = z.strictObject({ brands: z.array(brandSchema) });

/**
 * Checks a brand configuration.
 * @param input `{brands: [...]}` or the list alone
 * @throws CodedError `answers.brands_invalid` (shape), `answers.brand_duplicate`, `answers.alias_empty` (folds to nothing),
 * `answers.alias_collision` (belongs to two brands), `answers.phrase_empty` (exclude or require); all permanent, with
 * `brand` and `field` in the detail
 */
export function parseBrands(input: unknown): BrandTable {
  const parsed = brandsSchema.safeParse(Array.isArray(input) ? { brands: input } : input);
  if (!parsed.success) throw shapeError(input, parsed.error.issues[0]!);
  const brands = parsed.data.brands.map(
    (brand): Brand => ({
      name: brand.name,
      aliases: brand.aliases.length === 0 ? [plainAlias(brand.name, 'rulebook')] : brand.aliases.map(toAlias),
      domains: brand.domains.map((domain) => domain.toLowerCase().replace(/^www\./, '')),
      exclude: brand.exclude,
      require: brand.require,
    }),
  );
  return checked({ brands });
}

/** A table without brands: where nothing is configured, the aliases of the task are all there is. */
export const noBrands: BrandTable = { brands: [] };

const extended = new WeakMap<BrandTable, Map<string, BrandTable>>();
const MAX_REMEMBERED = 256;

/**
 * The table with the aliases that a task brought for its brand (`origin: task`). Aliases that the rulebook has keep
 * their flags and origin; a brand that it does not know is added. The same table and aliases give the same object
 * again, so that `compileBrands` compiles it once for all tasks of a batch.
 * @throws CodedError `answers.alias_empty`, `answers.alias_collision`
 */
export function withTaskAliases(table: BrandTable, brandName: string, aliases: readonly string[]): BrandTable {
  const key = JSON.stringify([brandName, aliases]);
  const known = extended.get(table) ?? new Map<string, BrandTable>();
  extended.set(table, known);
  let result = known.get(key);
  if (result === undefined) {
    result = extend(table, brandName, aliases);
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(key, result);
  }
  return result;
}

function extend(table: BrandTable, brandName: string, aliases: readonly string[]): BrandTable {
  const brand = table.brands.find((candidate) => candidate.name === brandName);
  const known = new Set(brand?.aliases.map((alias) => foldKey(alias.text)));
  const owners = new Map<string, string>();
  for (const other of table.brands) {
    if (other !== brand) for (const alias of other.aliases) owners.set(foldKey(alias.text), other.name);
  }
  const added: Alias[] = [];
  for (const [i, word] of aliases.entries()) {
    const key = foldKey(word);
    refuseAlias(brandName, `brand_aliases[${i}]`, word, key, owners.get(key));
    if (known.has(key)) continue;
    known.add(key);
    added.push(plainAlias(word, 'task'));
  }
  if (brand !== undefined) {
    if (added.length === 0) return table;
    const changed: Brand = { ...brand, aliases: [...brand.aliases, ...added] };
    return checked({ brands: table.brands.map((candidate) => (candidate === brand ? changed : candidate)) });
  }
  const own = added.length > 0 ? added : [plainAlias(brandName, 'task')];
  return checked({
    brands: [...table.brands, { name: brandName, aliases: own, domains: [], exclude: [], require: [] }],
  });
}

const plainAlias = (word: string, origin: Origin): Alias => ({
  text: word,
  caseSensitive: false,
  allowVersionSuffix: false,
  origin,
});

function toAlias(alias: z.infer<typeof aliasSchema>): Alias {
  if (typeof alias === 'string') return plainAlias(alias, 'rulebook');
  return {
    text: alias.text,
    caseSensitive: alias.case_sensitive,
    allowVersionSuffix: alias.allow_version_suffix,
    origin: 'rulebook',
  };
}

function checked(table: BrandTable): BrandTable {
  const names = new Set<string>();
  const owners = new Map<string, string>();
  for (const brand of table.brands) {
    if (names.has(brand.name)) throw refusal('answers.brand_duplicate', brand.name, 'name', 'is configured twice');
    names.add(brand.name);
    for (const [i, { text: word }] of brand.aliases.entries()) {
      const key = foldKey(word);
      refuseAlias(brand.name, `aliases[${i}]`, word, key, owners.get(key));
      owners.set(key, brand.name);
    }
    for (const field of ['exclude', 'require'] as const) {
      const empty = brand[field].findIndex((phrase) => foldKey(phrase) === '');
      if (empty !== -1) throw refusal('answers.phrase_empty', brand.name, `${field}[${empty}]`, 'folds to nothing');
    }
  }
  return table;
}

function refuseAlias(brand: string, field: string, word: string, key: string, owner: string | undefined): void {
  // A key of joiners and signs alone would be found everywhere.
  if (!/[\p{L}\p{N}]/u.test(key)) throw refusal('answers.alias_empty', brand, field, 'has no letter or digit');
  if (owner === undefined || owner === brand) return;
  throw refusal('answers.alias_collision', brand, field, `"${word}" already belongs to brand "${owner}"`);
}

function refusal(code: string, brand: string, field: string, what: string): CodedError {
  return new CodedError(code, 'permanent', `brand "${brand}", ${field}: ${what}`, { detail: { brand, field } });
}

function shapeError(input: unknown, issue: z.core.$ZodIssue): CodedError {
  const path = issue.path[0] === 'brands' ? issue.path.slice(1) : issue.path;
  const index = typeof path[0] === 'number' ? path[0] : null;
  const list = Array.isArray(input) ? input : (input as { brands?: unknown[] } | null)?.brands;
  const named = index === null ? undefined : (list?.[index] as { name?: unknown } | undefined)?.name;
  const brand = typeof named === 'string' ? named : index === null ? null : `#${index + 1}`;
  const field = (index === null ? path : path.slice(1)).map((part) =>
    typeof part === 'number' ? `[${part}]` : `.${String(part)}`,
  );
  const where = field.join('').replace(/^\./, '');
  const subject = brand === null ? 'brands' : `brand "${brand}"`;
  const message = `${subject}${where === '' ? '' : `, ${where}`}: ${issue.message}`;
  return new CodedError('answers.brands_invalid', 'permanent', message, { detail: { brand, field: where } });
}

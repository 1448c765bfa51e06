import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';

export const TARGETS_SECTION = 'delivery.targets';

export const targetSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, - and _'),
  kind: z.literal('webhook').default('webhook'),
  url: z.url({ protocol: /^https?$/ }),
  /** Event types; `documents.*` takes a whole family, `*` everything. */
  types: z.array(z.string().min(1)).min(1).default(['*']),
  /** The name under which the signing secret is kept. */
  secret: z.string().min(1),
  enabled: z.boolean().default(true),
});

export type Target = z.infer<typeof targetSchema>;

export const targetsSchema = z.strictObject({ targets: z.array(targetSchema).default([]) });
export type TargetsContent = z.infer<typeof targetsSchema>;

/** Throws `delivery.targets_invalid` naming the field, or the id that stands twice. */
export function parseTargets(input: unknown): TargetsContent {
  const parsed = targetsSchema.safeParse(input);
  if (!parsed.success) throw new CodedError('delivery.targets_invalid', 'permanent', z.prettifyError(parsed.error));
  const seen = new Set<string>();
  for (const { id } of parsed.data.targets) {
    if (seen.has(id)) throw new CodedError('delivery.targets_invalid', 'permanent', `two targets have the id '${id}'`);
    seen.add(id);
  }
  return parsed.data;
}

/** Whether a target wants an event. What became of deliveries is never delivered: it would feed on itself. */
export function wants(target: Target, type: string, data: Readonly<Record<string, unknown>>): boolean {
  if (!target.enabled) return false;
  if (String(data.stage ?? data.machine ?? '').startsWith('delivery.')) return false;
  return target.types.some(
    (wanted) => wanted === '*' || wanted === type || (wanted.endsWith('.*') && type.startsWith(wanted.slice(0, -1))),
  );
}

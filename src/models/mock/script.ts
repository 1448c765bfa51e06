import { readFile } from 'node:fs/promises';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { CodedError } from '../../errors/coded-error.ts';
import { fault, when } from './fault-kinds.ts';

const latency = z.union(
  [
    z.number().min(0).max(600_000),
    z
      .strictObject({ min: z.number().min(0).max(600_000), max: z.number().min(0).max(600_000) })
      .refine((range) => range.min <= range.max, 'min must not be above max'),
  ],
  'milliseconds, or {min, max}',
);

const answer = z.strictObject({
  when: when.optional(),
  /** An object is sent as JSON. */
  reply: z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], 'a text or an object'),
  reasoning: z.string().optional(),
  citations: z.array(z.string()).optional(),
  finish_reason: z.enum(['stop', 'length', 'content_filter', 'tool_calls']).optional(),
});

/**
 * For instance:
 *
 *     seed: 7
 *     latency_ms: { min: 100, max: 300 }
 *     answers:
 *       - when: { contains: 苹果, model: big }
 *         reply: { decision: approve, reason_code: ok, evidence: "" }
 *     faults:
 *       - { kind: rate_limited, rate: 0.5, retry_after: 2 }
 *       - { kind: server_error, status: 503, first: 3, when: { matches: "poison|毒" } }
 */
const script = z.strictObject({
  seed: z.union([z.string(), z.number()]).transform(String).default('0'),
  latency_ms: latency.default(0),
  mode: z.enum(['plain', 'obedient']).default('plain'),
  answers: z.array(answer).default([]),
  faults: z.array(fault).default([]),
});

/** What a person writes: every field may be left out. */
export type ScriptInput = z.input<typeof script>;
/** A checked script with its defaults. */
export type Script = z.output<typeof script>;
export type ScriptedAnswer = Script['answers'][number];

/**
 * Checks a script.
 *
 * @param source what to name in the error, a file for instance
 * @throws CodedError `mock_model.bad_script`, permanent: one line that names the first wrong field (`detail.field`)
 */
export function parseScript(value: unknown, source = 'script'): Script {
  const parsed = script.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = fieldName(issue?.path ?? []);
  const more = parsed.error.issues.length - 1;
  const rest = more > 0 ? ` (and ${more} more)` : '';
  throw badScript(`${source}: ${field}: ${issue?.message}${rest}`, { field });
}

/**
 * Reads a script from YAML or JSON.
 *
 * @throws CodedError `mock_model.bad_script`, permanent: a field, or the line where the text cannot be read
 */
export function parseScriptText(text: string, source = 'script'): Script {
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (cause) {
    const [summary] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw badScript(`${source}: ${summary?.replace(/:$/, '')}`, {}, cause);
  }
  return parseScript(value, source);
}

/**
 * Reads a script file, YAML or JSON.
 *
 * @throws CodedError `mock_model.bad_script`, permanent, also where the file cannot be read
 */
export async function readScript(file: string): Promise<Script> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
    throw badScript(`${file}: cannot be read (${why})`, {}, cause);
  }
  return parseScriptText(text, file);
}

function fieldName(path: readonly PropertyKey[]): string {
  return (
    path.map((p, i) => (typeof p === 'number' ? `[${p}]` : `${i === 0 ? '' : '.'}${String(p)}`)).join('') || 'script'
  );
}

function badScript(message: string, detail: Readonly<Record<string, unknown>>, cause?: unknown): CodedError {
  return new CodedError('mock_model.bad_script', 'permanent', message, { detail, cause });
}

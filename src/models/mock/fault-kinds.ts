import { z } from 'zod';

const pattern = z.string().refine(isPattern, 'not a regular expression');

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Which requests a rule is for; every condition that is given must hold, none given: all requests. */
export const when = z.strictObject({
  /** Stands in the text of the messages, as it is written. */
  contains: z.string().min(1).optional(),
  /** A regular expression (flags `iu`) that the text of the messages matches. */
  matches: pattern.optional(),
  /** The model's name. */
  model: z.string().min(1).optional(),
});

const retryAfter = {
  /** Seconds; null: no header. */
  retry_after: z.int().min(0).max(86_400).nullable(),
  form: z.enum(['seconds', 'http_date']).default('seconds'),
};

const conditions = {
  when: when.optional(),
  /** The share of the requests it strikes, drawn for each request's number. */
  rate: z.number().min(0).max(1).default(1),
  /** Only the first so many matching requests. */
  first: z.int().min(1).optional(),
  /** Only every so-manyth matching request. */
  every: z.int().min(1).optional(),
  /** Only requests that make more than so many at once. */
  above: z.int().min(1).optional(),
};

const plain = <const K extends string>(kind: K) => z.strictObject({ kind: z.literal(kind), ...conditions });

export const fault = z.discriminatedUnion('kind', [
  /** 429. */
  plain('rate_limited').extend({ ...retryAfter, retry_after: retryAfter.retry_after.default(1) }),
  /** 500, 502 (with a proxy's HTML) or 503. */
  plain('server_error').extend({
    ...retryAfter,
    status: z.union([z.literal(500), z.literal(502), z.literal(503)]).default(500),
    retry_after: retryAfter.retry_after.default(null),
  }),
  /** Nothing is answered until the client goes or the server stops. */
  plain('hang'),
  /** The right answer, a few bytes at a time. */
  plain('slow_stream').extend({
    interval_ms: z.int().min(1).max(600_000).default(50),
    chunk_bytes: z.int().min(1).default(16),
  }),
  /** 200 with bytes that are not JSON. */
  plain('garbage'),
  /** The answer's text ends early, with finish_reason length. */
  plain('truncated').extend({ keep: z.number().min(0).max(1).default(0.5) }),
  /** The connection closes in the middle of the body. */
  plain('truncated_body').extend({ keep: z.number().min(0).max(1).default(0.5) }),
  /** No text, finish_reason content_filter. */
  plain('content_filter'),
  /** The connection is cut before an answer. */
  plain('reset'),
  /** 401. */
  plain('unauthorized'),
  /** 400. */
  plain('bad_request'),
  /** Valid JSON that breaks the schema that was asked for. */
  plain('wrong_schema'),
  /** The answer stands inside a ```json fence. */
  plain('fenced'),
  /** No text, finish_reason stop. */
  plain('empty'),
]);

export type Fault = z.output<typeof fault>;
export type FaultKind = Fault['kind'];
export type When = z.output<typeof when>;

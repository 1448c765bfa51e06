import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';
import { answerSchema, type RawAnswer } from './task.ts';

export const RAW_CORRUPT = 'answers.raw_corrupt';

const wrapped = z.object({ answer: answerSchema });

/**
 * Reads a stored raw object: JSON, either the answer itself (a string, or `{text, …}`) or `{"answer": …}`.
 * Throws `answers.raw_corrupt` (permanent): the same bytes will not become readable by trying again.
 */
export function parseRawAnswer(bytes: Uint8Array): RawAnswer {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new CodedError(RAW_CORRUPT, 'permanent', 'the raw object is not JSON in UTF-8', { cause });
  }
  const direct = answerSchema.safeParse(value);
  if (direct.success) return direct.data;
  const inner = wrapped.safeParse(value);
  if (inner.success) return inner.data.answer;
  throw new CodedError(
    RAW_CORRUPT,
    'permanent',
    'the raw object holds no answer: expected a string, {text} or {answer}',
  );
}

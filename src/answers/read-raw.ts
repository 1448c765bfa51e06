import { CodedError } from '../errors/coded-error.ts';
import { openRawObject, type RawObjectOptions } from '../storage/blobs/index.ts';
import { parseRawAnswer } from './raw-answer.ts';
import type { Sample } from './sample.ts';
import type { RawAnswer } from './task.ts';

/** Objects read at once: files are read by a pool of four threads, stores answer in parallel. */
const AT_ONCE = 16;

/**
 * Reads the raw answers of a batch: those that came inline are there already, the others are fetched by their URL.
 * One that cannot be read is an error in its own place (`blob.*`, `answers.raw_corrupt`).
 */
export function rawReader(
  options: RawObjectOptions,
): (samples: readonly Sample[]) => Promise<Map<string, RawAnswer | Error>> {
  return async (samples) => {
    const answers = new Map<string, RawAnswer | Error>();
    const afar: Sample[] = [];
    for (const sample of samples) {
      if (sample.body !== null) answers.set(sample.id, JSON.parse(sample.body) as RawAnswer);
      else if (sample.rawDataUrl !== null) afar.push(sample);
    }
    const readOn = async () => {
      for (let sample = afar.pop(); sample; sample = afar.pop()) {
        answers.set(sample.id, await readOne(sample.rawDataUrl!, options));
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, afar.length) }, readOn));
    return answers;
  };
}

async function readOne(url: string, options: RawObjectOptions): Promise<RawAnswer | Error> {
  try {
    return parseRawAnswer(await openRawObject(url, options));
  } catch (error) {
    if (error instanceof CodedError) return error;
    return new CodedError('blob.unavailable', 'transient', `the raw object cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

import { NO_MODEL_USE } from '../../src/core/run.ts';
import type { AskModel, Question } from '../../src/models/index.ts';

export interface Answering {
  readonly ask: AskModel;
  /** What was asked, in order. */
  readonly asked: Question<unknown>[];
}

/**
 * A model that answers what a test says, in the form that was asked for: an answer of another form is refused as the real
 * ones are.
 */
export function answering(answer: (question: Question<unknown>, n: number) => unknown): Answering {
  const asked: Question<unknown>[] = [];
  const ask: AskModel = async (question) => {
    asked.push(question as Question<unknown>);
    const value = question.schema.parse(answer(question as Question<unknown>, asked.length - 1));
    return { value, model: 'mock', use: { ...NO_MODEL_USE, calls: 1 } };
  };
  return { ask, asked };
}

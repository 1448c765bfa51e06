import { NO_MODEL_USE } from '../../src/core/run.ts';
import type { AskModel, Question } from '../../src/models/index.ts';

/** What a model says of a document: its type, and the values of fields as they are printed in it. */
export interface Said {
  readonly type?: string;
  readonly confidence?: number;
  readonly fields?: Readonly<Record<string, string | null>>;
}

/** A model that says of each document what a test wants, in the forms that are asked for. */
export interface Brain {
  readonly ask: AskModel;
  /** The schemas of the questions so far, in order. */
  readonly asked: string[];
}

/**
 * @param say of the whole prompt, in which the document stands; may throw, and may wait
 */
export function brain(say: (prompt: string, question: Question<unknown>) => Said | Promise<Said>): Brain {
  const asked: string[] = [];
  const ask: AskModel = async (question) => {
    asked.push(question.schemaName);
    const said = await say(question.prompt, question as Question<unknown>);
    const value = question.schema.parse(
      question.schemaName === 'document_type' ? typeAnswer(said, question.prompt) : fieldAnswers(said, question.prompt),
    );
    return { value, model: 'test', use: { ...NO_MODEL_USE, calls: 1, tokensIn: 10, tokensOut: 5 } };
  };
  return { ask, asked };
}

/** The passage that every document of these tests has. */
export const PASSAGE = 'This is a paper';

const typeAnswer = ({ type = 'none', confidence = 0.95 }: Said, _prompt: string) => ({
  evidence: PASSAGE,
  type,
  confidence,
});

function fieldAnswers({ fields = {} }: Said, prompt: string): Record<string, unknown> {
  const codes = [...prompt.matchAll(/<field[^>]*\bcode="([^"]+)"/g)].map(([, code]) => code!);
  return Object.fromEntries(
    codes.map((code) => {
      const raw = fields[code] ?? null;
      return [code, raw === null ? null : { evidence: raw, raw, value: /^[\d.]+$/.test(raw) ? Number(raw) : raw }];
    }),
  );
}

import type { Answer } from './answer.ts';
import type { AnswerFormat } from './chat-request.ts';
import type { Fault } from './fault-kinds.ts';
import { breakSchema } from './schema/break-schema.ts';

/** Applies the faults that lie in the answer itself; the others leave it as it is. */
export function spoilAnswer(answer: Answer, fault: Fault | null, format: AnswerFormat, seed: string): Answer {
  switch (fault?.kind) {
    case 'truncated': {
      const characters = [...answer.content];
      const kept = Math.min(Math.floor(characters.length * fault.keep), Math.max(0, characters.length - 1));
      return { ...answer, content: characters.slice(0, kept).join(''), finishReason: 'length' };
    }
    case 'content_filter':
      return { content: '', reasoning: null, citations: [], finishReason: 'content_filter' };
    case 'empty':
      return { content: '', reasoning: null, citations: [], finishReason: 'stop' };
    case 'fenced':
      return { ...answer, content: `\`\`\`json\n${answer.content}\n\`\`\`` };
    case 'wrong_schema':
      return { ...answer, content: JSON.stringify(wrongShape(answer, format, seed)) };
    default:
      return answer;
  }
}

function wrongShape(answer: Answer, format: AnswerFormat, seed: string): unknown {
  if (format.type !== 'json_schema') return { unexpected: true };
  let good: unknown = null;
  try {
    good = JSON.parse(answer.content);
  } catch {
    // A scripted text or one cut by max_tokens: there is no value to spoil, so any other shape will do.
  }
  return breakSchema(format.schema, good, seed);
}

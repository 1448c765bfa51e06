import type { Answer } from './answer.ts';
import type { ChatRequest } from './chat-request.ts';
import { estimateTokens, pieces } from './tokens.ts';

export interface CompletionMeta {
  readonly id: string;
  /** Seconds since the Unix epoch. */
  readonly created: number;
  readonly model: string;
}

/** Characters in one piece of a stream: small enough that readers must put texts together. */
const PIECE = 12;
/** What the frame around a message costs beside its text, in tokens. */
const MESSAGE_FRAME = 4;

/** The body of a chat completion that is not streamed. */
export function completionBody(answer: Answer, request: ChatRequest, meta: CompletionMeta): Record<string, unknown> {
  return {
    ...head('chat.completion', meta),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.content,
          refusal: null,
          ...(answer.reasoning === null ? {} : { reasoning_content: answer.reasoning }),
          ...annotations(answer),
        },
        logprobs: null,
        finish_reason: answer.finishReason,
      },
    ],
    usage: usage(answer, request),
    ...citations(answer),
  };
}

/** The events of a streamed chat completion, each as the bytes that go over the wire, `[DONE]` included. */
export function completionEvents(answer: Answer, request: ChatRequest, meta: CompletionMeta): string[] {
  const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
    ...head('chat.completion.chunk', meta),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    // With usage asked for, OpenAI sends null in every chunk before the one that has it.
    ...(request.includeUsage ? { usage: null } : {}),
    ...more,
  });
  const chunks: object[] = [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(answer.reasoning ?? '', PIECE).map((text) => chunk({ reasoning_content: text })),
    ...pieces(answer.content, PIECE).map((text) => chunk({ content: text })),
    chunk(annotations(answer), answer.finishReason, citations(answer)),
  ];
  if (request.includeUsage) {
    chunks.push({ ...head('chat.completion.chunk', meta), choices: [], usage: usage(answer, request) });
  }
  return [...chunks.map((c) => JSON.stringify(c)), '[DONE]'].map((data) => `data: ${data}\n\n`);
}

function head(object: string, { id, created, model }: CompletionMeta) {
  return { id, object, created, model };
}

/** Token counts estimated from lengths; reasoning counts as completion, as with the real ones. */
export function usage(answer: Answer, request: Pick<ChatRequest, 'messages'>): Record<string, unknown> {
  const prompt = request.messages.reduce((sum, m) => sum + MESSAGE_FRAME + estimateTokens(m.text), 0);
  const reasoning = estimateTokens(answer.reasoning ?? '');
  const completion = estimateTokens(answer.content) + reasoning;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}

// Sources are given in both ways that are in use: a list beside the choices, and annotations of the message.
function citations(answer: Answer) {
  return answer.citations.length === 0 ? {} : { citations: answer.citations };
}

function annotations(answer: Answer) {
  if (answer.citations.length === 0) return {};
  const end_index = answer.content.length;
  return {
    annotations: answer.citations.map((url) => ({
      type: 'url_citation',
      url_citation: { url, title: url, start_index: end_index, end_index },
    })),
  };
}

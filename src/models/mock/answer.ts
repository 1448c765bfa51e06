import { type ChatRequest, lastUserText } from './chat-request.ts';
import { defaultReply } from './default-reply.ts';
import { matchesWhen } from './matches-when.ts';
import { type Obedience, obey } from './obey/obedience.ts';
import { shortHash, unit } from './random.ts';
import { fillSchema } from './schema/fill-schema.ts';
import type { Script, ScriptedAnswer } from './script.ts';
import { firstTokens, looksChinese } from './tokens.ts';

export interface Answer {
  readonly content: string;
  readonly reasoning: string | null;
  readonly citations: readonly string[];
  readonly finishReason: string;
}

/** What all chance in an answer hangs on: the script's seed, the model, the messages and the request's own seed. */
export function answerSeed(request: ChatRequest, script: Pick<Script, 'seed'>): string {
  return shortHash([script.seed, request.model, request.messagesHash, request.seed], 32);
}

/**
 * Answers a request: by the script's first answer that matches, else (in obedient mode) by the orders it reads, else
 * plausibly and in the form that was asked for. A pure function of model, messages, seeds, format and script.
 *
 * @throws CodedError `mock_model.bad_schema` where a schema cannot be read or met
 */
export function composeAnswer(request: ChatRequest, script: Script): Answer {
  const scripted = script.answers.find((answer) => matchesWhen(answer.when, request));
  const answer = scripted ? fromScript(scripted) : { ...SPOKEN, content: content(request, script) };
  const cut = request.maxTokens === null ? answer.content : firstTokens(answer.content, request.maxTokens);
  return cut === answer.content ? answer : { ...answer, content: cut, finishReason: 'length' };
}

const SPOKEN = { reasoning: null, citations: [], finishReason: 'stop' } as const;

function fromScript({ reply, reasoning, citations, finish_reason }: ScriptedAnswer): Answer {
  return {
    content: typeof reply === 'string' ? reply : JSON.stringify(reply),
    reasoning: reasoning ?? null,
    citations: citations ?? [],
    finishReason: finish_reason ?? 'stop',
  };
}

function content(request: ChatRequest, script: Script): string {
  const seed = answerSeed(request, script);
  const obedience: Obedience | null = script.mode === 'obedient' ? obey(request.messages) : null;
  if (request.format.type === 'text') return obedience?.text ?? defaultReply(request, seed);
  if (request.format.type === 'json_object') {
    return JSON.stringify(obedience?.object ?? defaultObject(request, seed));
  }
  const options = { seed, chinese: looksChinese(request.text), excerptOf: lastUserText(request) };
  const wishes = obedience === null ? {} : { wishes: obedience.wishes };
  return JSON.stringify(fillSchema(request.format.schema, { ...options, ...wishes }));
}

function defaultObject(request: ChatRequest, seed: string): Readonly<Record<string, unknown>> {
  return { answer: defaultReply(request, seed), confidence: Math.round(50 + 50 * unit(seed, 'confidence')) / 100 };
}

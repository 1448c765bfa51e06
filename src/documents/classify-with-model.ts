import type { AskModel } from '../models/index.ts';
import type { Sorted } from './apply-result.ts';
import { classificationQuestion, lengthOf, type TypeAnswer } from './classification-question.ts';
import { classifyByRules } from './classify-by-rules.ts';
import type { ConfirmedExample } from './configured.ts';
import { type DocumentTypeRule, NO_TYPE } from './document-types.ts';
import { openSource, type Source } from './evidence.ts';
import { leaks } from './prompt.ts';
import { speaksToModel } from './speaks-to-model.ts';

/** So many types are described in one question, with so many UTF-16 units in all. */
const TYPES_A_QUESTION = 40;
const UNITS_A_QUESTION = 24_000;

export interface ToClassify {
  readonly markdown: string;
  readonly types: readonly DocumentTypeRule[];
  /** Documents of these types as people sorted them. */
  readonly examples?: readonly ConfirmedExample[];
  readonly ask: AskModel;
}

/**
 * Sorts a document among the described types by asking a model; where there are too many for one question, in groups and
 * then among the winners of these. A type is taken if the model is as sure as the type wants, has shown a passage of the
 * document for it, and (where the document itself tells models what to say) the rules agree; else it stays a candidate.
 * Throws what asking throws: an answer that is none decides nothing.
 */
export async function classifyWithModel({ markdown, types, examples = [], ask }: ToClassify): Promise<Sorted> {
  if (!types.length) return NOTHING_TO_CHOOSE;
  const source = openSource(markdown);
  const ordered = types.toSorted((a, b) => b.priority - a.priority || (a.code < b.code ? -1 : 1));
  const { answer, model, winners } = await askAmong(ordered, (asked) =>
    ask(classificationQuestion(source, asked, examples)),
  );
  const confidence = confidenceOf(answer.confidence);
  const chosen = types.find(({ code }) => code === answer.type);
  const others = winners.filter((one) => one.type !== chosen?.code);
  const result = (reason: Sorted['reason']): Sorted => ({
    type: reason === null ? chosen!.code : null,
    confidence: confidence ?? 0,
    by: 'model',
    model,
    reason,
    candidates: chosen ? [{ type: chosen.code, confidence: confidence ?? 0 }, ...others] : others,
  });
  if (answer.type === NO_TYPE) return result('type_none');
  if (!chosen) return result('type_unknown');
  const isSure = confidence !== null && confidence >= chosen.confidence_threshold && isShown(answer, source);
  return result(isSure && isOwnWord(chosen, markdown, types) ? null : 'type_unsure');
}

const NOTHING_TO_CHOOSE: Sorted = {
  type: null,
  confidence: 0,
  by: 'rules',
  model: null,
  reason: 'type_none',
  candidates: [],
};

/** In place of a code that was not asked about, whether it exists or not. */
const UNASKED = '';

interface Chosen {
  readonly answer: TypeAnswer;
  readonly model: string;
  /** Who won a group, with how sure the model was. */
  readonly winners: Sorted['candidates'];
}

type AskAmong = (types: readonly DocumentTypeRule[]) => Promise<{ readonly value: TypeAnswer; readonly model: string }>;

async function askAmong(types: readonly DocumentTypeRule[], ask: AskAmong): Promise<Chosen> {
  const answers: { answer: TypeAnswer; model: string; type: DocumentTypeRule | undefined }[] = [];
  for (const group of groupsOf(types)) {
    const { value, model } = await ask(group);
    const type = group.find(({ code }) => code === value.type);
    const isAsked = type !== undefined || value.type === NO_TYPE;
    answers.push({ answer: isAsked ? value : { ...value, type: UNASKED }, model, type });
  }
  const won = answers.filter(({ type }) => type !== undefined);
  if (won.length > 1) {
    const final = await askAmong(
      won.map(({ type }) => type!),
      ask,
    );
    const winners = won
      .map(({ answer }) => ({ type: answer.type, confidence: confidenceOf(answer.confidence) ?? 0 }))
      .sort((a, b) => b.confidence - a.confidence);
    return { ...final, winners };
  }
  // An invented code says more than that nothing fits: somebody has to look.
  const decisive = won[0] ?? answers.find(({ answer }) => answer.type === UNASKED) ?? answers[0]!;
  return { answer: decisive.answer, model: decisive.model, winners: [] };
}

/** Types in their order, as many to a question as fit; none is left out. */
function groupsOf(types: readonly DocumentTypeRule[]): DocumentTypeRule[][] {
  const groups: DocumentTypeRule[][] = [[]];
  let units = 0;
  for (const type of types) {
    const group = groups.at(-1)!;
    const length = lengthOf(type);
    // Two at least, however long they are: of each group one may win, and then fewer are left.
    if (group.length > 1 && (group.length === TYPES_A_QUESTION || units + length > UNITS_A_QUESTION)) {
      groups.push([type]);
      units = length;
    } else {
      group.push(type);
      units += length;
    }
  }
  return groups;
}

/** Models say 0.9 or 90; null for what is neither. */
export function confidenceOf(said: number): number | null {
  const confidence = said > 1 && said <= 100 ? said / 100 : said;
  return confidence >= 0 && confidence <= 1 ? confidence : null;
}

const isShown = (answer: TypeAnswer, source: Source): boolean =>
  !leaks(answer) && source.locate(answer.evidence) !== null;

/** Of a document that speaks to models, what they say of it may be its own word. */
const isOwnWord = (chosen: DocumentTypeRule, markdown: string, types: readonly DocumentTypeRule[]): boolean =>
  !speaksToModel(markdown) || classifyByRules(markdown, types).type === chosen.code;

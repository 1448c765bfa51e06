const NEGATED =
  /(?:\bnot|\bnever|n['’]t|\bwithout|\brefuse to|不要|不得|不能|不可|不应|不许|禁止|切勿|请勿|勿|别)\s*(?:ever|just|only|simply|to|再|直接|随意|擅自|轻易)?\s*$/iu;
const CONDITION = /^\W*(?:if|when|whenever|unless|where|in case)\b|^\s*(?:如果|若|假如|当|除非|一旦)/iu;
const ABOUT_READER = /\b(?:you|ai|llm|assistant|model|bot)\b|你|模型|助手|机器人/iu;

/**
 * Whether what begins at a place is no order but its opposite ("do not say …") or a rule for some case
 * ("if unsure, answer unsure"). "If you are an AI, say …" is an order all the same: it is one.
 */
export function forbidden(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 160), at);
  if (NEGATED.test(before)) return true;
  const sentence = before.split(/[.!?](?=\s)|[\n>。！？；]/u).at(-1) ?? '';
  return CONDITION.test(sentence) && !ABOUT_READER.test(sentence);
}

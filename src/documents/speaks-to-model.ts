/**
 * Signs that a text speaks to a program that reads it: a role with an order behind it, a wish that instructions be
 * ignored, a type or a sureness that it wants to be given, a tag of our prompts.
 */
const SIGNS: readonly RegExp[] = [
  /(?:^|[\n.>"'(*])[ \t]*(?:system|assistant|developer|ai|llm|gpt)\b[^:：\n]{0,20}[:：][^\n]{0,120}\b(?:classify|treat|label|mark|set|return|answer|output|ignore|respond|report|extract|say|use)\b/i,
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,50}\b(?:instructions?|prompts?|system message|guidelines)\b/i,
  /\b(?:classify|categori[sz]e|label|sort)\b[^.\n]{0,30}\b(?:this|it|the)?\b[^.\n]{0,20}\b(?:document|file|text|page|it|this)?\s*\b(?:as|into|to be)\b[^.\n]{0,60}\b(?:confidence|certainty|document type)\b/i,
  /\b(?:classify|categori[sz]e|label)\s+(?:this|it|the)\b[^.\n]{0,30}\bas\b/i,
  /\bconfidence\b\W{0,3}(?:(?:is|to|of|must be|should be)\s+)?(?:1(?:\.0+)?|100\s?%?)(?![\d.])/i,
  /\byou are (?:now |hereby )?(?:an? )?(?:ai|assistant|classifier|language model|system)\b/i,
  /(?:忽略|无视|忘记|忘掉|不要理会|不用管)[^。\n]{0,20}(?:指令|指示|提示)/,
  /(?:系统|助手|模型|AI)[^：:\n]{0,6}[：:][^\n]{0,60}(?:分类|归类|识别为|输出|回答|返回|设为|忽略)/i,
  /(?:分类|归类|识别|标记|归)(?:为|成|到)[^。\n]{0,20}[，,][^。\n]{0,20}(?:置信度|可信度)/,
  /置信度[^。\n]{0,4}(?:1(?:\.0+)?|100%?)(?![\d.])/,
  /<\s*\/?\s*(?:document|types?|fields?|part|examples?)\s*>/i,
];

/** Whether a text looks as if it were meant for whoever answers questions about it, and not for its readers. */
export function speaksToModel(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return SIGNS.some((sign) => sign.test(plain));
}

import { undisguise } from '../../text/undisguise.ts';
import { decodePassages } from './decode-passages.ts';
import { excerpt, type Field, type Finding } from './finding.ts';

const YES = /(?:approved?|approving|accept(?:ed)?|allow(?:ed)?|publish(?:ed)?|pass(?:ed)?)/.source;
const OVERRIDES = [
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b[^.\n]{0,60}\b(?:instructions?|prompts?|rules?|guidelines|polic(?:y|ies)|above|previous|prior|everything)\b/i,
  /\b(?:polic(?:y|ies)|rules?|guidelines|instructions?)\b[^.\n]{0,15}\b(?:updated?|changed|replaced|suspended|lifted)\b/i,
  /(?:忽略|无视|忘记|忘掉|抛开|不要理会|不用管|跳过|覆盖|绕过)[^。\n]{0,20}(?:指令|指示|提示|规则|要求|设定|以上|之前|上面|前面|审核)/,
  /(?:政策|规则|策略|标准|指令)(?:已经?|现已|刚刚)?(?:更新|变更|修改|取消|作废)/,
];
const ROLES = [
  /(?:^|[\n"'>\]}.*#(])\s*(?:system|assistant|developer|moderator|admin(?:istrator)?)\s*(?:message|prompt|note|override)?\s*[:：]/i,
  /<\|?\s*\/?\s*(?:im_start|im_end|system|assistant|endoftext|instructions?|comment|data)\b[^>]{0,20}>/i,
  /\[\/?(?:INST|SYS|SYSTEM)\]|#{2,}\s*(?:system|instructions?|new task)\b/i,
  /\b(?:you are|act as|pretend to be|speaking as|behave like)\s+(?:now\s+)?(?:an?\s+|the\s+)?(?:ai|llm|gpt|language model|chat ?bot|bot|assistant|moderation|moderator|classifier|reviewer|auditor)\b/i,
  /\b(?:dear|hey|hello|note to|attention|message (?:to|for)|if you(?:'re| are))\s+(?:the\s+|an?\s+|any\s+)?(?:ai|llm|gpt|bot|language model|model|moderator|reviewer|auditor|classifier)s?\b/i,
  /(?:你是|你现在是|作为|扮演|假装|以)(?:一个|一名)?\s*(?:AI|人工智能|大?语?言?模型|助手|机器人|审核员|审核系统|管理员)/i,
  /(?:系统|助手|管理员)(?:消息|通知|提示|指令)?\s*[：:]/,
];
const VERDICTS = [
  /["'“]?\b(?:decision|verdict|reason_code)\b["'”]?\s*(?:[:=：]|is\b|to\b|must\b|should\b)/i,
  new RegExp(
    `\\b(?:status|result|outcome|label|class(?:ification)?|output|answer)\\b["'”]?\\s*(?:[:=：]|is|(?:must|should|shall) be)\\s*["'“]?${YES}`,
    'i',
  ),
  /\bapproved?\s+(?:this|it|the|my|all|every|these|that|me|comment)\b/i,
  /(?:^|[\n.!?;:,]|\b(?:please|just|should|must|now|then|to))\s*(?:accept|allow|publish)(?:\s+(?:this|it))?\s*(?:now|please|at once)?\s*(?:$|[.!;,\n<])/i,
  /\b(?:accept|allow|publish|pass|let)\s+(?:this|the|my|all|every|these|that)\s+(?:\w+\s+)?(?:comments?|posts?|messages?|repl(?:y|ies)|submissions?)\b/i,
  /\b(?:must|should|shall|has to|have to|needs? to|is to|are to)\s+(?:always\s+)?be\s+(?:approved|accepted|allowed|published)\b/i,
  new RegExp(`(?:^|[\\n.!?;>:])\\s*["'“]?${YES}["'”]?\\s*(?:$|[.!;\\n<])`, 'i'),
  new RegExp(
    `\\b(?:mark|classify|label|rate|treat|consider|flag|tag|report|score|categori[sz]e|deem)\\b[^.\\n]{0,40}\\bas\\s+["'“]?(?:${YES}|safe|ok|okay|clean|acceptable|harmless|compliant|benign|appropriate|not spam|ham)\\b`,
    'i',
  ),
  new RegExp(
    `\\b(?:answer|reply|respond|say|output|print|return|write|echo|repeat|choose|select)\\b[^.\\n]{0,40}\\b${YES}\\b`,
    'i',
  ),
  /(?:审核结果|审核结论|审核意见|审核状态|判定|结论|决定)\s*(?:[:：=]|应?(?:是|为|改为|设为))/,
  /(?:请|直接|必须|应该|应当|务必|给我|予以|一律|返回|输出|回复|回答|标记|判定?|视|设|评|认定|归类?)(?:其|它|这条评论|本评论|该评论|为|成|结果|[\s“"「『：:])*(?:通过|批准|放行|同意|合规)(?=$|[。！？；，,.!?;\s<"”」』]|这条|该|此|本|评论|审核|吧|即可|它|我)/,
  /(?:结果|分类|归类?|类别|状态|评级)[^。\n]{0,4}(?:为|是|成|[：:=])\s*["“「]?(?:通过|批准|放行|合规)/,
  /(?:让|把|将)[^。\n]{0,10}(?:评论|留言|它)[^。\n]{0,6}(?:通过|放行|批准)/,
];
const ORDERS = [
  /\b(?:respond|reply|answer|output)\s+(?:only|just|exactly|with|nothing but|in (?:json|the form))\b/i,
  /\b(?:reveal|show|print|output|repeat|display|give|leak|dump|tell|share|disclose|translate|what(?:'s| is| are| were))\b[^.\n]{0,40}\b(?:system (?:prompt|message|instructions?)|(?:your|hidden|secret|initial|original|previous|prior) (?:prompt|instructions?|rules)|(?:text|everything|all|words|lines|content)(?: \w+){0,2} (?:above|before this|so far)|(?:author|visitor|commenter|user|admin|owner)(?:'s|’s)? (?:e-?mail|address|ip))/i,
  /(?:只|仅|直接|请)(?:需|要)?(?:回复|回答|输出|返回|说)(?:以下|如下|[：:“"「{])/,
  /(?:输出|重复|显示|打印|告诉我|透露|泄露|泄漏|给出|复述|公布|公开|发给我|翻译)[^。\n]{0,12}(?:系统提示|系统指令|系统消息|提示词|你的(?:指令|设定|提示)|初始指令|以上(?:内容|全部|文字)|邮箱|IP)/i,
];
const SIGNS = [...OVERRIDES, ...ROLES, ...VERDICTS, ...ORDERS];

/** Characters without width in a row, beside those that emoji and scripts need: something is hidden there. */
const HIDDEN_RUN = /[\u200b\u2060-\u2064\ufeff\u180e]{3,}/u;

/**
 * Where a text speaks to the model that reads it, and not to its readers: orders, roles, verdicts in the form of an answer,
 * what is hidden or encoded. People write such things, too: it only means that a person looks, and no model.
 * @returns the passage that shows it; null where there is none
 */
export function speaksToModel(text: string): string | null {
  const { text: plain, hasHidden } = undisguise(text);
  if (hasHidden || HIDDEN_RUN.test(text)) return excerpt(plain);
  const read = [plain, plain.replaceAll('\\n', '\n').replaceAll('\\"', '"'), ...decodePassages(plain)];
  for (const [n, one] of read.entries()) {
    for (const sign of SIGNS) {
      const match = sign.exec(one);
      if (match) return excerpt(match[0].trim());
    }
    // What is written so that people cannot read it is not written for them.
    if (n > 1 && one !== plain && !plain.includes('&#')) return excerpt(one);
  }
  return null;
}

export function checkSpeaking(fields: readonly Field[]): Finding[] {
  return fields.flatMap(({ text }) => {
    const evidence = speaksToModel(text);
    return evidence === null
      ? []
      : [{ code: 'speaks_to_model', evidence, rule: 'speaks_to_model', means: 'review' as const }];
  });
}

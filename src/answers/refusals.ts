import type { Span } from '../text/spans.ts';

/** `policy`: against rules, law, ethics; `unlearned`: does not know; `unable`: cannot or will not, without a reason. */
export type RefusalKind = 'unable' | 'unlearned' | 'policy';

interface Language {
  readonly unable: RegExp;
  readonly unlearned: RegExp;
}

const filler = String.raw`(?:\S+\s+){0,4}?`;

/** First patterns by language, each for one sentence. What an answer cannot *decide* or *guarantee* is no refusal. */
const languages: readonly Language[] = [
  {
    // Chinese
    unable:
      /(?:无法|不能|没法|没办法|不便|不方便|难以|未能)(?:直接|为[您你]|给[您你]|对此|就此|继续|再|帮[您你]|向[您你]|与[您你]|进行|对[^，。]{1,12}(?:进行)?|就[^，。]{1,12})*(?:回答|回复|解答|提供|协助|讨论|满足|完成|生成|处理|评价|评论|给出|帮助|参与|透露|执行|回应|作答)|(?:不会|拒绝)(?:回答|提供|讨论|协助)|换个话题/,
    unlearned:
      /还(?:不会|没有?学会|没学过)|没有学会|我(?:也|还|目前)?(?:不知道|不清楚|不太清楚|不了解|不太了解)|超出(?:了)?我的(?:能力|知识)|不在我的(?:能力|知识)范围/,
  },
  {
    // English
    unable: new RegExp(
      String.raw`\b(?:I|we)(?:\s+(?:simply|really|just|also|therefore|currently))?\s*(?:can(?:'t|not| not)|won't|will not|(?:'m|\s+am|'re|\s+are)\s+(?:unable|not able|not comfortable|not allowed|not permitted)|(?:'m|\s+am)\s+sorry,? but I can(?:'t|not)|(?:must|have to|need to)\s+(?:decline|refuse)|decline to|refuse to)\b(?:\s+to)?\s+${filler}(?:help|assist|answer|provide|comply|fulfil+|respond|discuss|support|engage|create|generate|write|give|offer|share|continue|do (?:that|this)|comment|participate|encourage|endorse|condone|promote|satisfy|recommend|talk|advise|suggest)|\bI (?:must|have to) decline\b|\bI (?:(?:do not|don't) (?:condone|have the (?:ability|capability|capacity) to)|am just an AI)|\bnot within my (?:programming|capabilit|guideline|ethical)|\bIt(?:'s| is) (?:not|never) (?:\w+ (?:or|and) )?(?:appropriate|ethical|acceptable|okay)(?:,? (?:or|and) \w+)? (?:for me )?to (?:ask|discuss|provide|encourage|share|give|promote|suggest|offer|engage|assist|help|make|answer)|\bAI language model and (?:do not|cannot|don't)|\b(?:can't|cannot) help (?:you )?with (?:that|this)`,
      'i',
    ),
    unlearned:
      /\bI (?:don't|do not) (?:know|have (?:any |enough )?(?:information|data|knowledge))|\bI haven't learned/i,
  },
  {
    // Japanese
    unable:
      /(?:お答え|回答|お手伝い|提供|対応|お応え|お話し)(?:する?こと(?:は|が)?)?(?:は|を)?(?:いた)?(?:できません|できかねます|しかねます|控え)/,
    unlearned: /(?:まだ)?(?:わかりません|分かりません|存じません)/,
  },
  {
    // French
    unable:
      /(?:je ne (?:peux|puis|suis|saurais) (?:malheureusement )?(?:pas )?(?:en mesure )?|(?:il m'est )?impossible )(?:de |d'|vous |t'|te |y )*(?:\S+\s+){0,2}?(?:répondre|aider|fournir|assister|donner|traiter|discuter|accéder)/i,
    unlearned: /je ne (?:sais|connais) pas/i,
  },
  {
    // German
    unable:
      /\b(?:kann|darf|möchte|können|dürfen)\b[^.!?]{0,60}?\bnicht\b[^.!?]{0,40}?(?:helfen|beantworten|antworten|bereitstellen|geben|weiterhelfen|unterstützen|liefern|nachkommen|erfüllen|behilflich)/i,
    unlearned: /\bweiß ich (?:leider )?nicht|\bich weiß (?:es |das )?(?:leider )?nicht/i,
  },
  {
    // Spanish and Portuguese
    unable:
      /\b(?:no (?:puedo|podemos|me es posible|es posible)|n[ãa]o (?:posso|consigo|podemos|é possível))\s+(?:\S+\s+){0,2}?(?:ayudar|responder|proporcionar|ofrecer|asistir|contestar|cumplir|dar|hablar|ajudar|fornecer|oferecer|atender|falar)/i,
    unlearned: /\bno (?:lo )?sé\b|\bn[ãa]o sei\b/i,
  },
  {
    // Korean
    unable: /(?:답변|도움|제공|도와|응답|말씀)\S*\s?(?:\S+\s)?(?:수 없|드릴 수 없|드리기 어렵|어렵습니다|불가)/,
    unlearned: /(?:잘 )?모르겠습니다|알지 못합니다/,
  },
  {
    // Russian
    unable:
      /(?:не могу|не можем|не в состоянии|невозможно)\s+(?:\S+\s+){0,2}?(?:помочь|ответить|предоставить|обсуждать|выполнить)/i,
    unlearned: /(?:я )?не знаю/i,
  },
];

const policy =
  /违反|违背|不符合.{0,12}(?:规定|政策|规范|准则)|法律法规|敏感|违规|不合规|道德|伦理|guideline|polic(?:y|ies)|illegal|unethical|harmful|inappropriate|not appropriate|dangerous|violat|against (?:my|the) (?:rules|programming)|規約|ポリシー|法律|politique|illég|Richtlinie|illegal|política|ilegal|정책|политик/i;

/** Words without which none of the patterns fits: most answers are done with after this one look. */
const trigger =
  /无法|不能|没法|没办法|不便|不方便|难以|未能|不会|拒绝|换个话题|还没|没有学会|不知道|不清楚|不太清楚|不了解|不太了解|超出|不在我的|can(?:'|’)?t|cannot|can not|won['’]t|will not|unable|not able|not (?:comfortable|allowed|permitted)|decline|refuse|don['’]t (?:know|have|condone)|do not|just an AI|not within my|(?:not|never) \S+ (?:\S+ \S+ )?to|haven['’]t learned|できま|かねます|控え|わかりません|分かりません|存じません|ne (?:peux|puis|suis|saurais|sais|connais)|impossible|nicht|no (?:puedo|podemos|me es|es posible|lo sé|sé)|n[ãa]o (?:posso|consigo|podemos|é|sei)|수 없|어렵|불가|모르겠|알지 못|не (?:могу|можем|в состоянии|знаю)|невозможно/i;

/** Refusals stand at the beginning: only sentences that begin within so many characters can be one (specification §7). */
const HEAD = 100;
const MAX_SENTENCE = 320;
const sentenceEnd = /[。！？!?\n]|\.(?=\s|$)/g;

export interface Refusal extends Span {
  readonly kind: RefusalKind;
}

/** Finds the refusal that opens a text from `from` on; its end is that of the last refusing sentence of the opening. */
export function findRefusal(text: string, from: number): Refusal | null {
  if (!trigger.test(text.slice(from, from + HEAD + MAX_SENTENCE))) return null;
  let found = null as Refusal | null;
  for (let start = from; start < Math.min(text.length, from + HEAD); ) {
    sentenceEnd.lastIndex = start;
    const match = sentenceEnd.exec(text.slice(0, start + MAX_SENTENCE));
    const end = match === null ? Math.min(text.length, start + MAX_SENTENCE) : match.index + 1;
    const sentence = text.slice(start, end).replaceAll('’', "'");
    // "我无法替你决定，但推荐豆包" goes on in the same sentence: what stands after the contrast is content.
    const contrast = /[，,；;]\s*(?:但是?|不过|然而|可以|but|however|mais|aber|pero)/i.exec(sentence);
    const opening = contrast === null ? sentence : sentence.slice(0, contrast.index);
    const kind = kindOf(opening);
    const whole = kind ?? kindOf(sentence);
    if (whole !== null) {
      const close = kind !== null && contrast !== null ? start + contrast.index : end;
      found = { kind: whole, start: found?.start ?? start, end: close };
    }
    start = end;
    while (start < text.length && /\s/.test(text[start]!)) start++;
  }
  if (found === null || found.kind === 'policy') return found;
  const surroundings = text.slice(from, Math.max(found.end, from + HEAD * 2));
  return policy.test(surroundings) ? { ...found, kind: 'policy' } : found;
}

function kindOf(sentence: string): 'unable' | 'unlearned' | null {
  for (const { unable, unlearned } of languages) {
    if (unlearned.test(sentence)) return 'unlearned';
    if (unable.test(sentence)) return 'unable';
  }
  return null;
}

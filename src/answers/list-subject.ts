import type { Mention } from './mention.ts';

/**
 * Whom a list item or table cell is about: the brand that its title opens with (豆包：…, **豆包**, 字节跳动豆包, Google
 * Gemini, 最佳性价比：豆包). A brand that a sentence only uses (打开豆包官网, 比Zoom贵, 豆包的优势) is not its subject.
 */

const MAX_TITLE = 80;
const decoration = /(?:[\s*_`~[「『“"'《<\p{Extended_Pictographic}]|\ufe0f)+/gu;
// 比 用 打开 登录 … : a verb or comparison before the name makes it an object.
const plainHanPrefix =
  /^[^比用打登下载使进点安访在让选注问把将通过连能可支持适合去到有无不对与和跟如从向需要请先，。；]{1,6}$/u;
const capitalisedPrefix = /^(?:[A-Z][\p{L}\p{N}.&-]*\s?(?:of\s)?){1,2}$/u;
/** A tier holds several brands: its number is the place of none. */
const tier = /梯队|档|级|\btier|\blevel/i;
const verb =
  /^(?:use|open|try|install|download|visit|go|log|sign|click|set|create|start|connect|enable|launch|choose|select|ask|compare|consider|avoid|unlike|with|for|in|on|like|while|if|when|check|add|run|get|make)\b/i;
const connector =
  /^[\s*_`\]]*(?:[（(][^）)\n]{0,30}[）)])?[\s*_`]*(?:[、,，/／&+]|和|与|及|以及|或|and|or)+[\s*_`[]*(?:and\s|or\s)?$/i;

/** Whether two names are members of one enumeration, by the text between them. */
export function isConnected(between: string): boolean {
  return between.length <= 40 && connector.test(between);
}

/** The mentions that an item's title is about; `mentions` are those of the item in order of position. */
export function subjectsOf(text: string, from: number, to: number, mentions: readonly Mention[]): Mention[] {
  const newLine = text.indexOf('\n', from);
  const end = Math.min(newLine === -1 ? to : newLine, to, from + MAX_TITLE);
  const index = mentions.findIndex((mention) => mention.start >= from && mention.end <= end);
  if (index === -1) return [];
  const first = mentions[index]!;
  // 京东PLUS多少钱？ asks about a brand, it does not name one.
  if (/[？?]\s*$/.test(text.slice(from, end)) || !opensTitle(text, from, first, to)) return [];
  const subjects = [first];
  for (let i = index + 1; i < mentions.length; i++) {
    const next = mentions[i]!;
    if (next.end > end || !isConnected(text.slice(mentions[i - 1]!.end, next.start))) break;
    subjects.push(next);
  }
  return subjects;
}

const situation = /^[^\n：:]{2,70}[：:][\s*_`[]*$/;

/**
 * The mentions that an item names as its answer to a situation (如果常写代码：豆包, If you need docs: Notion): it recommends
 * them, but its number is none of theirs. Empty for an item that opens with a name.
 */
export function answersOf(text: string, from: number, to: number, mentions: readonly Mention[]): Mention[] {
  const index = mentions.findIndex((mention) => mention.start >= from && mention.end <= to);
  const first = mentions[index];
  if (first === undefined || !situation.test(text.slice(from, Math.min(first.start, from + MAX_TITLE)))) return [];
  const answers = [first];
  for (let i = index + 1; i < mentions.length; i++) {
    const next = mentions[i]!;
    if (!isConnected(text.slice(mentions[i - 1]!.end, next.start))) break;
    answers.push(next);
  }
  return answers;
}

function opensTitle(text: string, from: number, mention: Mention, to: number): boolean {
  const prefix = text.slice(from, mention.start).replace(decoration, ' ').trim();
  const after = text.slice(mention.end, Math.min(to, mention.end + 8));
  if (/^[*_`）)\]」]*(?:的|'s\b)/.test(after)) return false;
  if (prefix === '') return true;
  if (/[：:]$/.test(prefix) && tier.test(prefix)) return false;
  if (/[：:]$/.test(prefix)) return prefix.length <= 24 && /^[\s*_`\]）)」]*(?:$|[（(，,。；;—–\-\n|])/.test(after);
  if (/(?:的|旗下|·|'s|\/|\bby|\bthe)$/i.test(prefix)) return prefix.length <= 20 && !verb.test(prefix);
  return plainHanPrefix.test(prefix) || (capitalisedPrefix.test(prefix) && !verb.test(prefix));
}

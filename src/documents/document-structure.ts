import type { DocumentLine } from './document-lines.ts';

/** How papers of some kinds are built, whatever they are called. */
export interface Structure {
  /** 0 … 1: someone is addressed, and someone signs off. */
  readonly letter: number;
  /** 0 … 1: numbered clauses, and two parties. */
  readonly agreement: number;
  /** 0 … 1: what tills and those who serve at them print. */
  readonly tillRoll: number;
  /** 0 … 1: movements with a running balance. */
  readonly movements: number;
}

const SALUTATION = /^(?:dear\b.*|to whom it may concern.*|(?:尊敬的|致)?[\p{Script=Han}（）()、·]{2,30}[：:])$/iu;
const CLOSING = /^(?:yours\b|sincerely|kind regards|best regards|regards|respectfully|此致|敬礼|特此|顺颂|专此|盼复)/i;
const CLAUSE =
  /^(?:第[一二三四五六七八九十百\d]{1,4}[条章]|[一二三四五六七八九十]{1,3}、|(?:clause|article|section)\s+\d+|\d{1,2}\\?\.\s*\p{Lu}[\p{L}’' ]{2,40}\.?)/iu;
const PARTIES = /甲方[\s\S]{0,400}乙方|\bthe parties\b|\bparty a\b[\s\S]{0,400}\bparty b\b|\beither party\b/i;

const TILL =
  /收银|机号|台号|桌号|找零|实收|应收|实付|流水号|小票|刷卡|会员|欢迎(?:再次)?光临|谢谢惠顾|支付宝|微信支付|\b(?:cashier|till|change|server|table \d+|thank you|come again|visa|mastercard|contactless|service \d+%|tip|covers|cash)\b/gi;
const BALANCE = /^(?:账户)?余额|^(?:running )?balance/i;
const DATE = /日期|^date$|^posted|^value date/i;

const isMovementsHead = ({ cells }: DocumentLine): boolean =>
  cells.length >= 4 && cells.some(({ text }) => BALANCE.test(text)) && cells.some(({ text }) => DATE.test(text));

export function structureOf(lines: readonly DocumentLine[], text: string): Structure {
  const singles = lines
    .filter(({ cells, table }) => cells.length === 1 && table === null)
    .map(({ cells }) => cells[0]!.text);
  const salutation = singles.findIndex((line, at) => at < 25 && SALUTATION.test(line));
  const closing = singles.findLastIndex((line) => CLOSING.test(line));
  const clauses = singles.filter((line) => CLAUSE.test(line)).length;
  const addressed = salutation === -1 ? 0 : 0.5;
  return {
    letter: addressed + (closing > salutation ? 0.5 : 0),
    tillRoll: Math.min(1, new Set([...text.matchAll(TILL)].map(([word]) => word.toLowerCase())).size / 4),
    movements: lines.some(isMovementsHead) ? 1 : 0,
    agreement: (clauses >= 3 ? 0.6 : 0) + (PARTIES.test(text) ? 0.4 : 0),
  };
}

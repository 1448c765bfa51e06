import { plainLabel } from './plain-label.ts';

/**
 * What papers are called, one kind a line, by the noun that a title ends with (Chinese) or has (English). A title that
 * names a kind which no configured type claims says that the document is of none of them.
 */
const KINDS: readonly string[] = [
  '会议纪要 纪要|minutes',
  '报价单 报价 询价单|quotation|quote|estimate|offer',
  '采购订单 订购单 订货单 订单|purchase order|order|order confirmation|work order',
  '送货单 发货单 出库单 入库单 提货单 装箱单|delivery note|packing slip|packing list|waybill|bill of lading',
  '盘点表 库存表|stock list|inventory',
  '请假条 请假单|leave request',
  '工资条 工资单|payslip|pay slip|pay stub|pay advice',
  '通知 通知书 公告 公示|notice|announcement',
  '简报 新闻稿|newsletter|press release',
  '日程 议程|agenda|timetable',
  '函 复函|letter',
  '发票|invoice',
  '收据 收条 小票|receipt',
  '合同 协议 协议书 补充协议|contract|agreement|lease|deed',
  '对账单 账单 流水 交易明细|statement|statement of account|account statement|bank statement',
  '简历|curriculum vitae|resume|résumé|cv',
  '保单 保险单|insurance policy|certificate of insurance',
  '登机牌|boarding pass',
  '行程单 机票 车票|itinerary|ticket|booking confirmation|reservation',
  '处方 病历|prescription',
  '备忘录|memorandum|memo',
  '委托书 授权书|power of attorney',
  '报销单|expense claim',
  '菜单 价目表|menu|price list',
];
/** Titles end with these too, but papers that share one may have nothing else in common. */
const GENERAL =
  '清单 明细表 统计表 登记表 申请表 申请书 申请单 审批表 审批单 工资表 考勤表 报告 报告书 计划 计划书 方案 说明书 说明 证书 证明 证明书 合格证 承诺书 声明 名单 名册 倡议书 感谢信 邀请函 介绍信 推荐信 回单 试卷 成绩单 问卷' +
  '|report|certificate|application|application form|form|questionnaire|brochure|manual|policy|reminder|credit note|schedule of fees';

const words = (line: string): string[] =>
  line.split('|').flatMap((part) => (/\p{Script=Han}/u.test(part) ? part.split(' ') : [part]));
const kindOf = new Map([
  ...words(GENERAL).map((word) => [word, word] as const),
  ...KINDS.flatMap((line) => words(line).map((word) => [word, words(line)[0]!] as const)),
]);
const general = new Set(words(GENERAL));
const byLength = [...kindOf.keys()].sort((a, b) => b.length - a.length);
const han = byLength.filter((word) => /\p{Script=Han}/u.test(word));
const latin = new RegExp(`(?<![a-z])(?:${byLength.filter((word) => !han.includes(word)).join('|')})(?![a-z])`, 'g');

/** The word for a kind of paper that a title has; null where it names none. */
export function wordForPaper(title: string): string | null {
  const plain = plainLabel(title.replace(/[（(][^（）()]*[)）]/g, ' ')).replace(
    /(?<=\p{Script=Han})\s*[a-z0-9〔〕[\]-]+$/u,
    '',
  );
  if (/\p{Script=Han}/u.test(plain)) {
    const word = han.find((kind) => plain.endsWith(kind)) ?? null;
    if (word === null || !general.has(word)) return word;
    // 交易明细清单 is a list of movements first.
    const before = plain.slice(0, -word.length);
    return han.find((kind) => before.endsWith(kind)) ?? word;
  }
  return [...plain.matchAll(latin)].at(-1)?.[0] ?? null;
}

/** Whether two words name papers of one kind: a bank statement and a statement of account. */
export const areOneKind = (one: string, other: string): boolean =>
  kindOf.get(one) === kindOf.get(other) && !general.has(one) && !general.has(other);

import { isHan, labelKey } from './plain-label.ts';

/**
 * What papers of all kinds call the same thing: each line is one group of labels. A field that was described by one of
 * them is found by the others too, if less surely. Written as `plainLabel` writes labels.
 */
const GROUPS: readonly string[] = [
  '开票日期 开具日期 出票日期 签发日期 填开日期|invoice date|date of issue|issued on|issued|bill date|billing date|tax point',
  '付款截止日期 付款期限 应付日期 最迟付款日 付款到期日|due date|payment due|payment due date|payable by|pay by|due by|due on|due',
  '签订日期 签署日期 签约日期 订立日期 签字日期|date of signing|date signed|signing date|made on|entered into as of|agreement date',
  '终止日期 届满日期 失效日期 到期日期 到期日 止期|end date|expiry date|expiration date|expires on|expires|valid until|ends on|last day',
  '起始日期 开始日期 生效日期 起期|start date|commencement date|effective date|begins on|valid from|first day',
  '价税合计 总计 总额 总金额 合计 应付金额 应付总额 小写 含税合计 含税总额|total|gross|gross total|gross amount|total gross|invoice total|grand total|total due|amount due|balance due|total amount|total payable|amount payable',
  '税额 税额合计 增值税 增值税额 营业税 税金|vat|tax|sales tax|gst|tax amount|vat amount|total vat|total tax',
  '销售方 卖方 销货方 销货单位 开票方|seller|vendor|supplier|billed by|issued by',
  '购买方 买方 购货方 购货单位 客户 客户名称|buyer|customer|client|bill to|billed to|sold to|invoice to|purchaser',
  '收据编号 小票号 单号 票号 流水号|receipt number|ticket no|slip no|transaction no|trans no|txn no',
  '收款单位 收款人 收款方 商户 商户名称 店名|merchant|payee|received by|shop|store',
  '收函单位 收件人 收信人 致 收文单位|recipient|addressee|to|attention',
  '发函单位 发件人 寄件人 发文单位|sender|from',
  '事由 主题 标题|subject|re|regarding|concerning',
  '文号 发文字号 发文号|our ref|our reference|reference|ref',
  '支付方式 付款方式 收款方式 结算方式|payment method|method of payment|paid by|payment type|paid with',
  '收款日期 交款日期 付款日期 支付日期 交易时间 交易日期|date paid|payment date|paid on|date of payment|transaction date',
  '开户银行 开户行 开户机构 开户网点 银行名称|bank|bank name',
  '账号 账户号码 银行账号 卡号|account number|account no|a/c no|account|iban',
  '户名 账户名称 账户名|account holder|account name|account owner',
  '期初余额 上期余额 上期结余 承前余额|opening balance|beginning balance|starting balance|previous balance|balance brought forward',
  '期末余额 本期余额 当前余额 期末结余|closing balance|ending balance|new balance|final balance|balance carried forward',
  '账单期间 对账期间 起止日期 查询期间 账单周期|statement period|period|billing period|period covered',
  '合同金额 合同总金额 合同总价 合同价款 总价款|contract value|contract amount|contract price|contract sum|total fee|total price|fixed price',
  '月租金 租金 每月租金|monthly rent|rent|rent per month|rental',
  '姓名|name|full name',
  '电话 联系电话 手机 手机号 电话号码|phone|phone number|mobile|tel|telephone|cell|contact number',
  '邮箱 电子邮箱 电子邮件|email|e-mail|email address|mail',
  '出生日期 出生年月 生日|date of birth|birth date|birthday|dob|born',
  '性别|sex|gender',
  '地址 住址 联系地址|address',
];

const groups = GROUPS.map((line) => {
  const words = line.split('|').flatMap((part) => (isHan(part) ? part.split(' ') : [part]));
  return { words, keys: words.map(labelKey) };
});

/** Labels that stand on papers of all kinds: where one begins, what was printed before it ends. */
export const COMMON_LABELS: readonly string[] = [
  ...groups.flatMap(({ words }) => words),
  ...'名称 日期 编号 单号 金额 备注 地址 电话 纳税人识别号 统一社会信用代码 开户行及账号 地址、电话 联系人 经办人 负责人'.split(
    ' ',
  ),
  ...'单位 数量 单价 规格 税率 摘要 项目 币种 大写 开票人 复核 签字 盖章 代表 授权代表 法定代表人 签订地点 借方 贷方 借方发生额 贷方发生额 发生额 收入 支出 余额'.split(
    ' ',
  ),
  ...'date|number|no|amount|quantity|qty|unit price|price|rate|description|item|subtotal|currency|notes|ship to|terms|details|particulars|information|debit|credit|balance'.split(
    '|',
  ),
];

/** All that means the same as one of these labels, given by their keys. */
export function kindredWords(keys: readonly string[]): string[] {
  const wanted = new Set(keys);
  return groups.flatMap((group) => (group.keys.some((key) => wanted.has(key)) ? group.words : []));
}

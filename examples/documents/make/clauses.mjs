// Clauses of no consequence, so that the values stand far apart.
export const CLAUSES_ZH = [
  [
    '质量与验收',
    '乙方应保证所交付的货物为全新、未经使用，符合国家现行标准及本合同附件所列的技术要求。甲方应在收到货物后十个工作日内完成验收，逾期未提出书面异议的，视为验收合格。验收不合格的，乙方应在接到通知之日起七日内免费更换或修复，由此发生的运输、安装和人工费用由乙方承担。',
  ],
  [
    '包装与运输',
    '货物应采用适合长途运输的坚固包装，并在包装外侧标明品名、数量、毛重和防潮防震标识。运输方式由乙方选择，运输途中的毁损灭失风险由乙方承担，自货物交付甲方指定地点并经签收时转移至甲方。',
  ],
  [
    '知识产权',
    '乙方保证其提供的货物、软件及文件不侵犯任何第三方的专利权、商标权、著作权或商业秘密。如第三方提出侵权主张，乙方应负责交涉并承担由此产生的全部费用，包括但不限于诉讼费、律师费和赔偿金。',
  ],
  [
    '保密',
    '双方对在签订和履行本合同过程中知悉的对方商业秘密负有保密义务，未经对方书面同意不得向第三方披露，法律法规另有规定或者有权机关依法要求的除外。保密义务在本合同终止后三年内继续有效。',
  ],
  [
    '违约责任',
    '任何一方不履行合同义务或者履行合同义务不符合约定的，应当承担继续履行、采取补救措施或者赔偿损失等违约责任。乙方逾期交货的，每逾期一日按逾期部分价款的千分之一支付违约金，违约金累计不超过逾期部分价款的百分之十。甲方逾期付款的，按同等标准支付违约金。',
  ],
  [
    '不可抗力',
    '因地震、洪水、台风、疫情、政府行为等不能预见、不能避免且不能克服的客观情况致使合同不能履行的，受影响的一方应及时通知对方，并在十五日内提供有关证明，根据影响程度部分或者全部免除责任。',
  ],
  [
    '合同的变更与解除',
    '本合同的任何变更须经双方协商一致并签订书面补充协议。一方迟延履行主要义务，经催告后在合理期限内仍未履行的，另一方可以解除合同，并有权要求赔偿因此造成的损失。',
  ],
  [
    '通知',
    '与本合同有关的通知应以书面形式送达对方在本合同中载明的地址；以快递方式送达的，签收之日为送达日；以电子邮件方式送达的，进入对方系统之日为送达日。任何一方变更联系方式的，应提前五日书面通知对方。',
  ],
  [
    '争议解决',
    '因本合同引起的或者与本合同有关的任何争议，双方应首先友好协商；协商不成的，任何一方可以向甲方所在地有管辖权的人民法院提起诉讼。争议解决期间，双方应继续履行不涉及争议部分的义务。',
  ],
];
export const CLAUSES_EN = [
  [
    'Services',
    'The Provider shall perform the services described in Schedule 1 with reasonable care and skill and in accordance with good industry practice. The Provider shall allocate suitably qualified staff, keep them informed of the Client’s reasonable rules of conduct, and replace any of them within ten working days of a reasoned request. Times given for performance are estimates unless Schedule 1 says that they are of the essence.',
  ],
  [
    'Client’s duties',
    'The Client shall give the Provider access to its premises, systems and records as far as the services require it, answer questions within five working days, and obtain such licences and consents as are needed before the services begin. Where a failure of the Client delays the services, the timetable moves by the same length of time.',
  ],
  [
    'Changes',
    'Either party may propose changes to the scope of the services. No change has effect until both parties have signed a change note that states the change, its effect on the fees and its effect on the timetable. Until then the Provider goes on as if the change had not been proposed.',
  ],
  [
    'Invoices and payment',
    'The Provider shall invoice quarterly in arrears. Undisputed invoices are payable within thirty days of receipt. Overdue sums bear interest at four per cent a year above the base rate from the due date until payment. A dispute about part of an invoice does not allow the Client to withhold the rest.',
  ],
  [
    'Intellectual property',
    'Each party keeps what it owned before this Agreement. Results made for the Client become the Client’s property on payment of the fees for them; the Provider keeps its general tools and methods and grants the Client a licence to use them as part of the results, without limit of time or place.',
  ],
  [
    'Confidentiality',
    'Each party shall keep the other’s confidential information secret, use it only for this Agreement, and disclose it only to staff and advisers who need it and are bound likewise. This does not apply to information that is public through no breach, was known before, or must be disclosed by law.',
  ],
  [
    'Data protection',
    'Where the Provider processes personal data for the Client it does so only on documented instructions, keeps the data secure, helps the Client to answer requests of data subjects, and returns or deletes the data when the services end.',
  ],
  [
    'Liability',
    'Nothing in this Agreement limits liability that cannot be limited by law. Subject to that, neither party is liable for loss of profit or for indirect loss, and the total liability of either party in any year is limited to the fees payable for that year.',
  ],
  [
    'Termination',
    'Either party may terminate this Agreement by written notice if the other commits a material breach and does not remedy it within thirty days of being asked to, or becomes insolvent. On termination each party returns the other’s property, and fees for services already performed become payable.',
  ],
  [
    'General',
    'This Agreement is the whole agreement between the parties about its subject. It may be amended only in writing. A failure to enforce a term is not a waiver of it. If a term is invalid the others stand. Neither party may assign this Agreement without the other’s consent, which shall not be unreasonably withheld.',
  ],
];
export const NUMBERS = '一二三四五六七八九十'.split('');
export const clausesZh = (from, list) =>
  list.flatMap(([head, text], i) => [{ head: `第${NUMBERS[from + i - 1]}条　${head}` }, text]);
export const clausesEn = (from, list) => list.flatMap(([head, text], i) => [{ head: `${from + i}. ${head}` }, text]);

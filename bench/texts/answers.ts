/** A chance that is the same each time (mulberry32), so that every run cleans the same texts. */
export function seededChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What an answer is made of, in one language. */
interface Phrases {
  readonly brands: readonly string[];
  readonly openings: readonly string[];
  readonly praises: readonly string[];
  readonly details: readonly string[];
  readonly doubts: readonly string[];
  readonly heading: string;
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly closing: (first: string, second: string) => string;
  readonly stop: string;
}

const chinese: Phrases = {
  brands: ['豆包', 'Kimi', 'DeepSeek', '通义千问', '腾讯元宝', '文心一言', 'ChatGPT', '文小言', '元宝', 'Qwen2.5'],
  openings: [
    '根据公开评测和近三个月的用户反馈，目前体验比较稳定的AI助手主要有下面几款，排名按综合表现给出',
    '下面从语音对话、长文档阅读、联网搜索和价格四个方面，对主流的AI助手做一个横向比较',
    '如果主要用来写作和整理资料，可以先看这几款产品，它们各自的侧重点并不相同',
  ],
  praises: [
    '语音对话自然，免费额度充足',
    '擅长长文档阅读，支持一次上传多份文件',
    '推理能力强，适合写代码和解数学题',
    '中文写作质量高，模板也比较丰富',
  ],
  details: [
    '手机端体验好，启动速度快',
    '适合日常问答和翻译',
    '支持表格与图片理解',
    '企业版可以接入内部知识库',
    '会员价格每月约30元',
    '与办公软件打通，导出方便',
  ],
  doubts: [
    '高峰期偶尔需要排队',
    '联网搜索的来源标注不够清楚',
    '对专业术语的解释有时过于简略',
    '不理想的地方是历史记录不能导出',
  ],
  heading: '## 综合排名',
  columns: ['产品', '排名', '特点', '价格'],
  cells: ['长文本', '语音', '推理', '微信生态', '办公', '免费', '订阅'],
  closing: (first, second) =>
    `如果只装一个，建议先试${first}；需要读长文件的话，${second}更合适。以上信息以各家官网为准，具体以实际体验为主。`,
  stop: '。',
};

const english: Phrases = {
  brands: ['ChatGPT', 'Kimi', 'DeepSeek', 'Qwen', 'Doubao', 'ERNIE Bot', 'Arc', 'Apple', 'Volkswagen', 'Moonshot AI'],
  openings: [
    'Based on public reviews and on what users reported over the last three months, these are the assistants that hold up best in daily work',
    'Here is a comparison of the tools most people ask about, covering voice, long documents, search with sources, and price',
    'There is no single winner, but the following products keep coming up when teams compare notes on writing and research',
  ],
  praises: [
    'natural voice mode and a generous free tier',
    'reads long documents and several files at once',
    'strong at reasoning, code and mathematics',
    'writes clean prose and keeps to a given tone',
  ],
  details: [
    'Works well on a phone',
    'Good for translation and quick questions',
    'Understands tables and screenshots',
    'Connects to an internal knowledge base',
    'Costs about $20 a month',
    'Exports to the usual office formats',
  ],
  doubts: [
    'can be slow at peak hours',
    'does not always say where a figure comes from',
    'explains technical terms too briefly',
    'history cannot be exported yet',
  ],
  heading: '## How they compare',
  columns: ['Product', 'Rank', 'Best at', 'Price'],
  cells: ['long context', 'voice', 'reasoning', 'research', 'writing', 'free', 'subscription'],
  closing: (first, second) =>
    `If you only install one, start with ${first}; for long reports ${second} is the safer choice. Prices change often, so check the vendors' own pages before you decide.`,
  stop: '.',
};

export interface MadeAnswer {
  readonly text: string;
  readonly query: string;
  readonly brand: string;
}

/** Products in the list and in the table. */
const LISTED = 6;

/** About 2 KB of UTF-8: an opening with citations, a numbered list with points below it, a table, a conclusion. */
export function makeAnswer(chance: () => number, inChinese: boolean, names?: readonly string[]): MadeAnswer {
  const phrases = inChinese ? chinese : english;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const named = names
    ? Array.from({ length: LISTED }, () => pick(names))
    : [...phrases.brands].sort(() => chance() - 0.5).slice(0, LISTED);
  let source = 0;
  const cited = () => `[citation:${++source}]`;
  const list = named.map((name, n) => {
    const points = [pick(phrases.details), pick(phrases.details), pick(phrases.doubts)];
    const lead = inChinese
      ? `${n + 1}. **${name}**：${pick(phrases.praises)}`
      : `${n + 1}. **${name}** – ${pick(phrases.praises)}`;
    return [`${lead}${cited()}${phrases.stop}`, ...points.map((point) => `   - ${point}${phrases.stop}`)].join('\n');
  });
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const table = [
    row(phrases.columns),
    row(phrases.columns.map(() => '---')),
    ...named.map((name, n) => row([name, n + 1, pick(phrases.cells), pick(phrases.cells)])),
  ];
  const text = [
    `${pick(phrases.openings)}${cited()}${inChinese ? '：' : ':'}`,
    list.join('\n'),
    phrases.heading,
    table.join('\n'),
    `${pick(phrases.openings)}${phrases.stop}`,
    phrases.closing(named[0]!, named[1]!),
  ].join('\n\n');
  const query = inChinese ? '推荐几个好用的AI助手' : 'Which AI assistant should I use?';
  return { text, query, brand: inChinese ? '豆包' : 'ChatGPT' };
}

/** So many answers, Chinese and English in turns. */
export function makeAnswers(count: number, seed: number): MadeAnswer[] {
  const chance = seededChance(seed);
  return Array.from({ length: count }, (_, n) => makeAnswer(chance, n % 2 === 0));
}

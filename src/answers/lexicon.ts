/**
 * Words that say something about a brand near them. They are searched by the same automaton as the brands, in the same
 * pass, and of overlapping ones the longest counts: 不推荐 is no 推荐, 其他 is no 其.
 */
export type CueKind =
  /** Refers to one brand, or to several. */
  | 'pronoun'
  | 'pronouns'
  /** Brands after it in the clause were not found. */
  | 'absence'
  /** Speaks for the brands of its clause. */
  | 'recommend'
  /** Speaks for the brands directly behind it. */
  | 'prefer'
  /** Nothing is better than the brand directly behind it. */
  | 'unbeaten'
  /** Speaks against the brands of its clause. */
  | 'against'
  /** Speaks against the brands directly behind it. */
  | 'shun'
  /** A double negation: neither for nor against. */
  | 'unclear'
  /** Gives a place to the brand behind or before it; the first place speaks for it as well. */
  | 'rank'
  /** The brand directly behind it is only what another is compared with. */
  | 'than'
  /** What follows is said against what precedes: a clause of its own. */
  | 'contrast'
  /** Looks like a cue and is none. */
  | 'none';

export interface CueWord {
  readonly text: string;
  readonly kind: CueKind;
  /** The place that a `rank` cue gives, null for the other kinds. */
  readonly rank: number | null;
}

const phrases: Record<Exclude<CueKind, 'rank'>, string> = {
  pronoun:
    '它|其|该品牌|该产品|该工具|该公司|该平台|该应用|该软件|该模型|这款产品|这款工具|这款应用|这款软件|it|its|this tool|this app|this product|this brand|this platform|this service',
  pronouns: '它们|这些工具|这些产品|这些应用|这些品牌|these tools|these apps|these products|these brands',
  absence:
    "未找到|没有找到|没找到|未能找到|未查到|没查到|没有查到|查不到|找不到|未检索到|没有检索到|未搜索到|没有搜索到|没搜到|没有关于|暂无关于|没有任何关于|没听说过|没有听说过|未收录|没有收录|could not find|couldn't find|cannot find|can't find|did not find|didn't find|unable to find|no information about|no information on|no results for|not familiar with|not aware of|never heard of|haven't heard of|don't have information about|don't have any information about|no record of",
  recommend:
    '推荐|力荐|不得不推荐|建议选|建议用|建议使用|建议先试|建议试试|建议尝试|建议考虑|建议优先|建议直接|建议购买|优先考虑|优先选|优先看|值得|最好|最稳|最强|最佳|最合适|最适合|更合适|更适合|更好|更稳|不错|好选择|不二之选|可以考虑|可用的有|好用的有|常用的有|最优|recommend|recommends|recommended|best choice|great choice|good choice|solid choice|safe choice|top choice|best pick|best option|great option|good option|solid option|worth trying|stands out|is the best|are the best|hard to beat',
  prefer: '试试|选|先用|先试|可以用|不妨用|选择|就选|直接选|try|choose|pick|go with|start with|opt for|consider',
  unbeaten:
    '没有比|没有什么比|没有哪个比|找不到比|没有找到比|nothing beats|nothing is better than|none is better than|no better choice than|no better option than',
  against:
    "不推荐|不太推荐|不怎么推荐|并不推荐|不大推荐|不会推荐|不建议|不太建议|不值得|不要选|不要买|别买|别选|别用|避雷|避坑|避开|慎选|慎入|慎买|慎用|踩雷|劝退|拉黑|最差|not recommend|don't recommend|do not recommend|wouldn't recommend|would not recommend|can't recommend|cannot recommend|not recommended|isn't recommended|not worth|isn't worth|not a good choice|steer clear of|stay away from",
  shun: "avoid|skip|avoid using|avoid buying|don't use|don't choose|don't pick|不选|不用考虑",
  unclear:
    "不是不推荐|并非不推荐|也不是不推荐|不是不能推荐|不是不建议|不能说不推荐|not that i wouldn't recommend|not that i don't recommend",
  than: '比|不如|相比|相较于|对比|than|compared to|compared with|versus|vs',
  contrast: '但|但是|不过|然而|可是|but|however|whereas',
  none: "其他|其它|其它们|其中|其实|其余|其间|其一|其二|其三|其后|尤其|极其|与其|何其|土耳其|其妙|名副其实|顺其自然|不但|非但|但凡|推荐算法|推荐系统|推荐引擎|推荐位|推荐功能|个性化推荐|值得注意|值得一提|值得关注|值得警惕|最好先|最好在|最好能|最好把|最好再|最好提前|最好不|最好是|更好地|更好理解|更好用地|不是首选|并非首选|不是最好|比如|比较|比例|比赛|比分|对比度|性价比|占比|更好的服务|it is important|it's important|it is worth|it's worth|it is also worth|it is recommended|it's recommended|it depends|it seems|it is possible|it's possible|it is best|it's best|it is a good idea|it's a good idea|that's it|is the best way|are the best way|most recommended by default",
};

const first =
  '首选|第一推荐|最推荐|首推|头号推荐|排名第一|位居第一|位列第一|排第一|名列第一|位居榜首|top pick|first choice|number one|ranks first|ranked first|ranks #1|ranked #1|best overall';
/** These give the second place only where the sentence has given the first: 其次 also means 'moreover'. */
export const secondAfterFirst: readonly string[] = ['其次', '其次是', '其次推荐', '第二选择', 'followed by'];
const hanNumbers = '一二三四五六七八九十';

function* rankWords(): Generator<CueWord> {
  for (const text of first.split('|')) yield { text, kind: 'rank', rank: 1 };
  for (const text of secondAfterFirst) yield { text, kind: 'rank', rank: 2 };
  for (let n = 1; n <= 10; n++) {
    for (const numeral of [hanNumbers[n - 1]!, String(n)]) yield { text: `第${numeral}名`, kind: 'rank', rank: n };
    if (n > 1)
      for (const lead of ['排名第', '位居第', '位列第', '排第', '名列第'])
        yield { text: lead + hanNumbers[n - 1], kind: 'rank', rank: n };
  }
  for (const [word, n] of [
    ['second', 2],
    ['third', 3],
    ['fourth', 4],
    ['fifth', 5],
  ] as const) {
    yield { text: `ranks ${word}`, kind: 'rank', rank: n };
    yield { text: `ranked ${word}`, kind: 'rank', rank: n };
  }
}

/** All cue words, each of one kind. */
export const cueWords: readonly CueWord[] = [
  ...Object.entries(phrases).flatMap(([kind, list]) =>
    list.split('|').map((text): CueWord => ({ text, kind: kind as CueKind, rank: null })),
  ),
  ...rankWords(),
];

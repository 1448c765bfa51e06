/**
 * Words that say something about a brand near them. They are searched by the same automaton as the brands, in the same
 * pass, and of overlapping ones the longest counts: 不推荐 is no 推荐, 其他 is no 其.
 */
export type CueKind =
  /** Refers to one brand, or to several. */
  | 'pronoun'
  | 'pronouns'
  /** Refers to several brands that were named together, else to the company of one. */
  | 'company'
  /** Brands after it in the clause were not found. */
  | 'absence'
  /** Brands after it were not found if 相关 or 有关 follows them (没有与X相关的内容, but not 没有与X合作). */
  | 'unrelated'
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
  /** Speaks for the brands of its clause where nothing follows it there (Kimi也可以。 but not Kimi也可以联网). */
  | 'suffices'
  /** Speaks for the brands of its clause where the question asks for recommendations (飞书适合内部协作). */
  | 'fit'
  /** Speaks for the brands that the next sentence is about (the simplest stack wins. Notion covers…). */
  | 'combination'
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
  company: 'they',
  pronouns: '它们|这些工具|这些产品|这些应用|这些品牌|these tools|these apps|these products|these brands',
  absence:
    "未找到|没有找到|没找到|未能找到|未查到|没查到|没有查到|查不到|找不到|未检索到|没有检索到|未搜索到|没有搜索到|没搜到|没有关于|暂无关于|没有任何关于|没听说过|没有听说过|未收录|没有收录|could not find|couldn't find|cannot find|can't find|did not find|didn't find|unable to find|no information about|no information on|no results for|not familiar with|not aware of|never heard of|haven't heard of|don't have information about|don't have any information about|no record of",
  unrelated: '没有与|没有和|没有跟|未发现与|未找到与|没找到与|没有找到与',
  recommend:
    '最省事|最省心|最划算|最顺手|最靠谱|最均衡|最全面|别错过|不容错过|不可错过|值得一试|绕不开|优先看|建议看|建议先从|建议从|我会推荐|可以看看|可以试试|也可以试|也可以看|也可以选|也可以考虑|都可以看|都可以试|都可以选|都可以考虑|也值得|safe bet|sure bet|good bet|worth a look|worth a try|worth considering|worth checking out|recomiendo|recomendamos|recomendable|recomendaría|recommande|conseille|conseillons|empfehle|empfehlen|empfehlenswert|recomendo|raccomando|consiglio|おすすめ|お勧め|オススメ|推奨します|推荐|力荐|不得不推荐|建议选|建议用|建议使用|建议先试|建议试试|建议尝试|建议考虑|建议优先|建议直接|建议购买|优先考虑|优先选|优先看|值得|最好|最稳|最强|最佳|最合适|最适合|更合适|更适合|更好|更稳|不错|好选择|不二之选|可以考虑|可用的有|好用的有|常用的有|最优|recommend|recommends|recommended|best choice|great choice|good choice|solid choice|safe choice|top choice|best pick|best option|great option|good option|solid option|worth trying|stands out|is the best|are the best|hard to beat',
  suffices: '也可以|都可以|都行|也行|也够用|也不差|也能打|也不赖|都不差',
  fit: '适合|suits|is suited to|is ideal for|works best for',
  combination:
    'simplest stack|best stack|simplest combination|best combination|simplest set-up|best set-up|推荐组合|推荐搭配|最佳组合|最佳搭配|最省事的组合',
  prefer:
    '其他还有|其它还有|另外还有|备选是|备选有|备选还有|一是用|二是用|三是用|建议选择|cheaper alternative|good alternative|best alternative|free alternative|试试|选|先用|先试|可以用|不妨用|选择|就选|直接选|try|choose|pick|go with|start with|opt for|consider',
  unbeaten:
    '没有比|没有什么比|没有哪个比|找不到比|没有找到比|nothing beats|nothing is better than|none is better than|no better choice than|no better option than',
  against:
    "no recomiendo|no te recomiendo|no recomendamos|no recomendaría|ne recommande pas|ne conseille pas|ne vous conseille pas|déconseille|nicht empfehlen|empfehle nicht|não recomendo|sconsiglio|non consiglio|おすすめしません|お勧めしません|おすすめできません|お勧めできません|不作推荐|不做推荐|不推荐|不太推荐|不怎么推荐|并不推荐|不大推荐|不会推荐|不建议|不太建议|不值得|不要选|不要买|别买|别选|别用|避雷|避坑|避开|慎选|慎入|慎买|慎用|踩雷|劝退|拉黑|最差|not recommend|don't recommend|do not recommend|wouldn't recommend|would not recommend|can't recommend|cannot recommend|not recommended|isn't recommended|not worth|isn't worth|not a good choice|steer clear of|stay away from",
  shun: "avoid|skip|avoid using|avoid buying|don't use|don't choose|don't pick|不选|不用考虑",
  unclear:
    "不是不推荐|并非不推荐|也不是不推荐|不是不能推荐|不是不建议|不能说不推荐|not that i wouldn't recommend|not that i don't recommend",
  than: '比|不如|相比|相较于|对比|than|compared to|compared with|versus|vs',
  contrast: '但|但是|不过|然而|可是|but|however|whereas',
  none: "第二天|第二次|第二个|第二种|第二步|第二点|第三方|第三次|第三个|第三点|第四次|第五次|推荐数据|推荐内容|推荐机制|推荐流|推荐结果|推荐列表|推荐逻辑|推荐服务|推荐页|推荐码|推荐人|推荐信|挑最佳|挑出最佳|选出最佳|找到最佳|达到最佳|获得最佳|最好的效果|最佳效果|最佳状态|最佳实践|其他|其它|其它们|其中|其实|其余|其间|其一|其二|其三|其后|尤其|极其|与其|何其|土耳其|其妙|名副其实|顺其自然|不但|非但|但凡|推荐算法|推荐系统|推荐引擎|推荐位|推荐功能|个性化推荐|值得注意|值得一提|值得关注|值得警惕|最好先|最好在|最好能|最好把|最好再|最好提前|最好不|最好是|更好地|更好理解|更好用地|不是首选|并非首选|不是最好|比如|比较|比例|比赛|比分|对比度|性价比|占比|更好的服务|it is important|it's important|it is worth|it's worth|it is also worth|it is recommended|it's recommended|it depends|it seems|it is possible|it's possible|it is best|it's best|it is a good idea|it's a good idea|that's it|is the best way|are the best way|most recommended by default",
};

const places: Readonly<Record<number, string>> = {
  1: '首选|第一推荐|第一选择|最推荐|首推|头号推荐|位居榜首|位列榜首|居首|夺冠|冠军|头名|第一位是|排在首位|top pick|first choice|number one|best overall|comes first|winner is',
  2: '第二选择|第二推荐|亚军|第二位是|runner-up|second choice|comes second',
  3: '第三选择|第三推荐|季军|第三位是|third choice|comes third',
};
/** These give their place only where the sentence has given the first: 其次 also means 'moreover'. */
export const afterFirst: Readonly<Record<string, number>> = {
  ...{ 其次: 2, 其次是: 2, 其次推荐: 2, 'followed by': 2, 然后是: 2 },
  ...{ 再次: 3, 再次是: 3, 第二: 2, 第三: 3, 第四: 4, 第五: 5 },
};
const hanNumbers = '一二三四五六七八九十';
const leads = ['排名第', '位居第', '位列第', '排第', '排在第', '名列第', '居第', '稳居第', '排到第'];
const englishPlaces = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

function* rankWords(): Generator<CueWord> {
  for (const [rank, words] of Object.entries(places))
    for (const text of words.split('|')) yield { text, kind: 'rank', rank: Number(rank) };
  for (const [text, rank] of Object.entries(afterFirst)) yield { text, kind: 'rank', rank };
  for (let n = 1; n <= 10; n++) {
    for (const numeral of [hanNumbers[n - 1]!, String(n)]) {
      yield { text: `第${numeral}名`, kind: 'rank', rank: n };
      for (const lead of leads) yield { text: lead + numeral, kind: 'rank', rank: n };
    }
    for (const place of [englishPlaces[n - 1]!, `#${n}`])
      for (const verb of ['ranks', 'ranked', 'ranking', 'comes in', 'came in'])
        yield { text: `${verb} ${place}`, kind: 'rank', rank: n };
    yield { text: `${englishPlaces[n - 1]} place`, kind: 'rank', rank: n };
    for (const verb of ['is', 'as the']) yield { text: `${verb} #${n}`, kind: 'rank', rank: n };
  }
}

/** All cue words, each of one kind. */
export const cueWords: readonly CueWord[] = [
  ...Object.entries(phrases).flatMap(([kind, list]) =>
    list.split('|').map((text): CueWord => ({ text, kind: kind as CueKind, rank: null })),
  ),
  ...rankWords(),
];

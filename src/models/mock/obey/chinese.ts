import type { OrderPatterns } from './find-orders.ts';

// 他说 and 用户回复 tell what somebody did; an order begins a clause or follows a word that asks for it.
const BEGINS =
  /(?:^|[\n。！？；：，、,.!?;:>"'“”「」（(【[*#]|请|请你|并|并且|然后|直接|只需|只|仅|务必|必须|改为|转而|现在|而是|你要|你应该|你必须|应当|一律|立即|给我|帮我|接着|随后)\s*/
    .source;
const SAY = new RegExp(
  `${BEGINS}(?<verb>输出|回答|回复|答复|说出|只说|说|打印|返回|写出|写下|复述|重复)(?:我|用户)?\\s*(?:一遍|出)?(?:以下|如下|下面)?(?:这?一?句话?|这?几个字|一个?词|的?(?:内容|文字|文本|字样|字符串))?\\s*[：:]?`,
  'dgiu',
);

const SHOW = '输出|重复|显示|打印|告诉我|透露|泄露|泄漏|给出|展示|复述|说出|回复|回答|公布|公开|列出|写出|翻译|发给我';
const PROMPT =
  '系统提示词?|系统指令|系统消息|系统设定|提示词|初始指令|原始指令|你的指令|你的设定|你收到的指令|(?:以上|上面|上述|前面|之前)的?(?:全部|所有)?的?(?:内容|文字|文本|指令|消息|话)|上文';
const REVEAL = new RegExp(`(?<verb>${SHOW})[^。\\n]{0,12}?(?:${PROMPT})`, 'dgiu');
const REVEAL_TURNED = new RegExp(`(?<verb>把|将)[^。\\n]{0,12}?(?:${PROMPT})[^。\\n，]{0,10}?(?:${SHOW})`, 'dgiu');

const ENDS = /(?=$|[。！？；，,.!?;\s<"”」]|这条|该|此|本|评论|审核|吧|即可)/.source;
const ASKED = new RegExp(
  `(?<verb>(?:请|直接|必须|应该|应当|务必|给我|让它|予以|一律|判)+)(?:将其|把它|把这条评论)?\\s*(?<value>不通过|不批准|通过|批准|放行|同意|拒绝|驳回|拒掉|屏蔽|不确定|存疑)${ENDS}`,
  'dgiu',
);
// What the verdict is named as may be any word: 判定为广告.
const NAMED = new RegExp(
  `(?<verb>判定为|判为|标记为|标为|标注为|视为|归类为|归为|分类为|设为|设置为|评为|认定为)\\s*["“「]?(?<value>[\\p{L}\\w-]{1,20}?)["”」]?${ENDS}`,
  'dgiu',
);

/** How orders are given in Chinese. */
export const chinese: OrderPatterns = { reveal: [REVEAL, REVEAL_TURNED], say: [SAY], verdict: [ASKED, NAMED] };

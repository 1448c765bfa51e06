import type { ChatRequest } from './chat-request.ts';
import { pick, unit, wholeBetween } from './random.ts';
import { looksChinese } from './tokens.ts';

interface Phrases {
  readonly openings: readonly string[];
  readonly points: readonly (readonly [string, string])[];
  readonly closings: readonly string[];
}

const EN: Phrases = {
  openings: ['Here is what matters most:', 'In short, these points help to decide:', 'A few things stand out:'],
  points: [
    ['Fit', 'start from the task at hand and the people who do it every day.'],
    ['Quality', 'look at several independent results and not at a single one.'],
    ['Cost', 'count the running effort as well as the price.'],
    ['Support', 'check how questions are answered and how often things are updated.'],
    ['Privacy', 'find out which data is kept, where, and for how long.'],
    ['Ease of use', 'try it for a week before you settle on it.'],
  ],
  closings: [
    'It depends on your needs in the end.',
    'If you tell me more, I can be more specific.',
    'A small trial will show it.',
  ],
};

const ZH: Phrases = {
  openings: ['可以从以下几个方面来看：', '简单来说，主要看这几点：', '综合来看，有几点值得关注：'],
  points: [
    ['适用场景', '先明确要解决的问题和日常使用的人。'],
    ['效果', '多看几次独立的结果，不要只看一次。'],
    ['成本', '除了价格，还要算上长期使用的投入。'],
    ['服务', '了解答疑是否及时、更新是否频繁。'],
    ['隐私', '确认保存哪些数据、存放在哪里、保存多久。'],
    ['易用性', '先试用一周，再做决定。'],
  ],
  closings: ['最终还是要看您的具体需求。', '如果能补充更多信息，我可以给出更具体的建议。', '建议先小范围试用。'],
};

/**
 * A plausible answer of a general kind, in Chinese where the messages have Chinese in them: an opening, a numbered
 * list, a closing. It repeats nothing of what it was asked, so that a text an answer must not contain is never
 * there by accident.
 */
export function defaultReply(request: Pick<ChatRequest, 'text'>, seed: string): string {
  const { openings, points, closings } = looksChinese(request.text) ? ZH : EN;
  const order = [...points.keys()].sort((a, b) => unit(seed, 'order', a) - unit(seed, 'order', b));
  const chosen = order.slice(0, wholeBetween(3, 5, seed, 'points')).map((i) => points[i] as readonly [string, string]);
  const colon = points === ZH.points ? '：' : ': ';
  const list = chosen.map(([name, text], i) => `${i + 1}. **${name}**${colon}${text}`).join('\n');
  return `${pick(openings, seed, 'opening')}\n\n${list}\n\n${pick(closings, seed, 'closing')}`;
}

import { lastStartAt } from '../text/spans.ts';
import { afterFirst } from './lexicon.ts';
import { isConnected } from './list-subject.ts';
import type { Mention, PlacedCue } from './mention.ts';
import type { ListFindings } from './rank-lists.ts';
import type { Doc } from './read-markdown.ts';

/** How far behind a rank cue its brand may begin, in UTF-16 units. */
const RANK_REACH = 12;

/** Ranks that the wording gives: 首选豆包, 豆包排名第二, 第一名是豆包, ranked second, 豆包 > Kimi > 元宝. */
export function readWording(
  doc: Doc,
  mentions: readonly Mention[],
  cues: readonly PlacedCue[],
  findings: ListFindings,
): void {
  const place = (mention: Mention, rank: number) => {
    if (findings.places.some((known) => known.brand === mention.brand)) return;
    findings.places.push({ brand: mention.brand, rank, source: 'explicit_text' });
  };
  let firstIn = -1; // the sentence in which a first place was given last
  for (const cue of cues) {
    if (cue.cue.kind !== 'rank') continue;
    if (cue.cue.text in afterFirst && firstIn !== cue.sentence) continue;
    if (isDenied(doc.text, cue)) continue;
    const mention = rankedBy(doc, mentions, cue);
    if (mention === undefined) continue;
    place(mention, cue.cue.rank!);
    if (cue.cue.rank === 1) firstIn = cue.sentence;
  }
  if (!['>', '＞', '≻', '&gt;'].some((sign) => doc.text.includes(sign))) return;
  let position = 0;
  for (let i = 0; i + 1 < mentions.length; i++) {
    const [left, right] = [mentions[i]!, mentions[i + 1]!];
    const steps = stepsBetween(doc.text, left.end, right.start);
    if (steps === 0) {
      position = 0;
      continue;
    }
    if (position === 0) {
      if (otherOrder.test(doc.text.slice(Math.max(0, left.start - 24), left.start))) continue;
      position = 1 + stepsBefore(doc.text, left.start);
      place(left, position);
    }
    position += steps;
    place(right, position);
  }
}

const denial = /(?:没|未|不|无缘|并非|\bnot\b|n't|\bnever\b)[^，。,.;；\r\n]{0,6}$/i;

/** Whether the sentence that goes on at `from` is a question, as far as one looks. */
function endsInQuestion(text: string, from: number): boolean {
  const rest = text.slice(from, from + 48);
  return '？?'.includes(rest[rest.search(/[。！!？?\n.]/)] ?? ' ');
}

/** 没能排进第一名 and 首选豆包吗？ give no place. */
export function isDenied(text: string, cue: Pick<PlacedCue, 'start' | 'end'>): boolean {
  return denial.test(text.slice(Math.max(0, cue.start - 10), cue.start)) || endsInQuestion(text, cue.end);
}

const MAX_CHAIN = 120;
// "A -> B" and "A => B" are no order, nor is what stands between tags.
const above = '(?:(?<![-=])[>＞≻]+|&gt;)';
const member = '[^<>＞≻，,。；;：:\\n|]{1,24}';
const remark = '(?:[(（][^()（）\\n]{0,20}[)）])?';
const between = new RegExp(`^[\\s*_\`\\]]*${remark}[\\s*_\`]*${above}(?:${member}${above})*[\\s*_\`[]*$`);
const before = new RegExp(`(?:^|[，,。；;：:\\n|])(${member}${above}(?:${member}${above})*)[\\s*_\`[]*$`);
const sign = new RegExp(above, 'g');

/** An order by something else than merit: 价格从高到低：三星 > 苹果. */
const otherOrder =
  /(?:价格|售价|价位|体积|重量|尺寸|大小|时间|年份|从高到低|从大到小|price|cost|size|weight)[^，。；\n]{0,8}[：:]\s*[*_`]*$/i;

/** How many places lie between two names of one chain (A > B is one step, A > someone > B two), 0 for no chain. */
function stepsBetween(text: string, from: number, to: number): number {
  if (to - from > MAX_CHAIN) return 0;
  const gap = text.slice(from, to);
  return between.test(gap) ? gap.match(sign)!.length : 0;
}

/** How many names that nobody configured stand in the chain before `at`: they keep their places. */
function stepsBefore(text: string, at: number): number {
  const chain = before.exec(text.slice(Math.max(0, at - MAX_CHAIN), at));
  return chain === null ? 0 : chain[1]!.match(sign)!.length;
}

/** 首选 and 第一名是 look ahead, 排名第一 and "ranks second" look back, each the other way where nothing stands there. */
function rankedBy(doc: Doc, mentions: readonly Mention[], cue: PlacedCue): Mention | undefined {
  const index = lastStartAt(mentions, cue.start - 1);
  const before = mentions[index]?.clause === cue.clause ? mentions[index] : undefined;
  const next = mentions[index + 1];
  const isNear = next !== undefined && next.clause === cue.clause && next.start - cue.end <= RANK_REACH;
  // 首选豆包、Kimi: several first choices are no order.
  const isOneOfSeveral = isNear && isEnumerated(doc, mentions, index + 1);
  const after = isNear && !isOneOfSeveral ? next : undefined;
  return /^(?:排|位|名列|居|夺|rank|comes)/.test(cue.cue.text) ? (before ?? after) : isNear ? after : before;
}

function isEnumerated(doc: Doc, mentions: readonly Mention[], index: number): boolean {
  const [first, second] = [mentions[index]!, mentions[index + 1]];
  if (second === undefined) return false;
  // 第二名是A，B排名第三: a Chinese comma begins something else.
  const between = doc.text.slice(first.end, second.start);
  return isConnected(between) && !between.includes('，');
}

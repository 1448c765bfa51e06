import { lastStartAt } from '../text/spans.ts';
import { secondAfterFirst } from './lexicon.ts';
import { isConnected } from './list-subject.ts';
import type { ListFindings } from './rank-lists.ts';
import type { Doc } from './read-markdown.ts';
import type { Mention, PlacedCue } from './recognise.ts';

/** How far behind a rank cue its brand may begin, in UTF-16 units. */
const RANK_REACH = 12;
const comparison = /^[\s*_`]*(?:[>＞≻]|&gt;)[\s*_`]*$/;

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
    if (secondAfterFirst.includes(cue.cue.text) && firstIn !== cue.sentence) continue;
    const mention = rankedBy(doc, mentions, cue);
    if (mention === undefined) continue;
    place(mention, cue.cue.rank!);
    if (cue.cue.rank === 1) firstIn = cue.sentence;
  }
  let position = 1;
  for (let i = 1; i < mentions.length; i++) {
    const [left, right] = [mentions[i - 1]!, mentions[i]!];
    const isChain = right.start - left.end <= 12 && comparison.test(doc.text.slice(left.end, right.start));
    if (isChain && position === 1) place(left, 1);
    position = isChain ? position + 1 : 1;
    if (isChain) place(right, position);
  }
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
  return /^(?:排|位|名列|rank)/.test(cue.cue.text) ? (before ?? after) : isNear ? after : before;
}

function isEnumerated(doc: Doc, mentions: readonly Mention[], index: number): boolean {
  const [first, second] = [mentions[index]!, mentions[index + 1]];
  return second !== undefined && isConnected(doc.text.slice(first.end, second.start));
}

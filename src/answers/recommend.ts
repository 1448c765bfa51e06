import { lastStartAt } from '../text/spans.ts';
import { isConnected } from './list-subject.ts';
import type { Mention, PlacedCue } from './mention.ts';
import { isDenied } from './rank-text.ts';
import type { Doc } from './read-markdown.ts';

/** What the wording says about a brand, over all its mentions. */
export interface Wording {
  readonly for: Set<number>;
  readonly against: Set<number>;
  readonly unclear: Set<number>;
}

type Verdict = 'for' | 'against' | 'unclear';

/** How far behind 试试, avoid and 没有比 the brand may begin, in UTF-16 units. */
const DIRECT_REACH = 6;
/** A cue this close to the beginning of its clause has no subject of its own: it speaks of the clause before. */
const SUBJECTLESS = 4;
/** How many clauses back a verdict is carried; a contrast word counts as one of them. */
const CARRIED_CLAUSES = 3;
const MAX_ANNOUNCED = 50;
const announces =
  /^(?:给[您你]|[您你]|使用|选择|考虑)?(?:以下|下面|如下|这|几|两|三|四|五|\d|the following|these|a few|several)|^[^，,。；;]{0,8}[，,](?:也就是|也即|就是|分别是|包括|that is|namely)/i;

/**
 * Reads recommendation from wording, clause by clause: 推荐, 不推荐, 不是不推荐 and their like speak of the brands of
 * their clause; without one, of the clause before (…，可以优先考虑) or of the enumeration that they announce (推荐以下三款，
 * 分别是…; 也可以考虑我自己，也就是…). Members of one enumeration share a verdict. What another brand is compared with
 * (比Kimi更好) gets none. `asksForNames`: the question wants recommendations, so that 适合 advises.
 */
export function readRecommendations(
  doc: Doc,
  mentions: readonly Mention[],
  cues: readonly PlacedCue[],
  asksForNames: boolean,
): Wording {
  const verdicts: (Verdict | undefined)[] = new Array(mentions.length);
  const compared = new Set<number>();
  const byClause = new Map<number, Verdict>();

  for (const cue of cues) {
    const { kind } = cue.cue;
    const next = lastStartAt(mentions, cue.end - 1) + 1;
    const isDirect =
      mentions[next] !== undefined &&
      mentions[next]!.clause === cue.clause &&
      mentions[next]!.start - cue.end <= DIRECT_REACH;
    if (kind === 'than') {
      if (isDirect && mentions[next]!.start - cue.end <= 2) compared.add(next);
    } else if (kind === 'prefer' || kind === 'unbeaten') {
      if (isDirect) verdicts[next] ??= 'for';
    } else if (kind === 'shun') {
      if (isDirect) verdicts[next] = 'against';
    } else if (kind === 'combination') {
      const sentence = mentions[next]?.sentence;
      for (let i = next; sentence === cue.sentence + 1 && mentions[i]?.sentence === sentence; i++)
        if (opensClause(doc.text, mentions[i]!)) verdicts[i] ??= 'for';
    } else {
      const verdict = verdictOf(doc, cue, asksForNames);
      if (verdict !== null) byClause.set(cue.clause, stronger(byClause.get(cue.clause), verdict));
    }
  }
  for (const cue of cues) carryOver(cue);

  mentions.forEach((mention, i) => {
    const before = mentions[i - 1];
    const isMember = before !== undefined && isConnected(doc.text.slice(before.end, mention.start));
    if (isMember && compared.has(i - 1)) compared.add(i);
    if (compared.has(i)) return;
    verdicts[i] ??= byClause.get(mention.clause) ?? (isMember ? verdicts[i - 1] : undefined);
  });

  const wording: Wording = { for: new Set(), against: new Set(), unclear: new Set() };
  mentions.forEach((mention, i) => {
    const verdict = verdicts[i];
    if (verdict !== undefined) wording[verdict].add(mention.brand);
  });
  return wording;

  /** Hands the verdict of a clause without brands to the clause before, or to the enumeration that it announces. */
  function carryOver(cue: PlacedCue): void {
    const verdict = verdictOf(doc, cue, asksForNames);
    if (verdict === null) return;
    const index = lastStartAt(mentions, cue.start - 1);
    const [before, after] = [mentions[index], mentions[index + 1]];
    if (before?.clause === cue.clause || after?.clause === cue.clause) return;
    const isSubjectless =
      /[，,][^，,]*$/.exec(doc.text.slice(Math.max(0, cue.start - SUBJECTLESS - 1), cue.start)) !== null;
    if (
      before !== undefined &&
      before.sentence === cue.sentence &&
      before.clause >= cue.clause - CARRIED_CLAUSES &&
      isSubjectless
    ) {
      for (let i = index; i >= 0 && mentions[i]!.clause === before.clause; i--)
        verdicts[i] = stronger(verdicts[i], verdict);
    } else if (announces.test(doc.text.slice(cue.end, cue.end + 14).trimStart())) {
      for (
        let i = index + 1;
        i <= Math.min(index + MAX_ANNOUNCED, mentions.length - 1) && mentions[i]!.sentence === cue.sentence;
        i++
      )
        verdicts[i] ??= verdict;
    }
  }
}

function verdictOf(doc: Doc, cue: PlacedCue, asksForNames: boolean): Verdict | null {
  const { kind, rank } = cue.cue;
  const { end } = cue;
  if (kind === 'rank') return rank === 1 && !isDenied(doc.text, cue) ? 'for' : null;
  if (isAsked(doc.text, end)) return null;
  if (kind === 'recommend') return 'for';
  if (kind === 'suffices') return endsClause.test(doc.text.slice(end, end + 6)) ? 'for' : null;
  if (kind === 'fit') return asksForNames ? 'for' : null;
  if (kind === 'against') return 'against';
  return kind === 'unclear' ? 'unclear' : null;
}

/** 推荐豆包吗？ advises nothing. */
function isAsked(text: string, from: number): boolean {
  const rest = text.slice(from, from + 48);
  return /[吗么]\s*$/.test(rest.slice(0, Math.max(0, rest.search(/[。！!？?\n]/))));
}

const endsClause = /^[\s*_]*(?:的|了|吧|哦)?(?:$|[，。；！？,.;!?\n）)])/;

/** Whether a name is the subject of its clause: nothing but a conjunction or decoration stands before it. */
function opensClause(text: string, mention: Mention): boolean {
  return /(?:^|[，,。.；;：:\n])\s*(?:and|then|plus|而|再用|再加上)?[\s*_]*$/.test(
    text.slice(Math.max(0, mention.start - 16), mention.start),
  );
}

/** Within one clause a double negation outweighs a negation, and that a recommendation (不推荐买最好的苹果). */
function stronger(known: Verdict | undefined, verdict: Verdict): Verdict {
  const weight = { for: 0, against: 1, unclear: 2 };
  return known !== undefined && weight[known] >= weight[verdict] ? known : verdict;
}

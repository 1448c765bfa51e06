import { CodedError } from '../errors/coded-error.ts';
import { hostOf } from '../text/registrable-domain.ts';
import { storable } from '../text/storable.ts';
import type { Policy } from './policy.ts';
import { leaks } from './prompt.ts';
import { applyRules, NO_FACTS } from './rules/index.ts';

export const REPLY_UNFIT = 'comments.reply_unfit';

/** What a reply is held against. */
export interface ReplyRules {
  /** What the model was told; none of it may come back. */
  readonly system: string;
  readonly policy: Policy;
  readonly maxCharacters: number;
  /** Domains (and what lies below them) that may be linked to. */
  readonly linkDomains: readonly string[];
}

const unfit = (why: string): CodedError =>
  new CodedError(REPLY_UNFIT, 'permanent', `the reply is not fit to be shown: ${why}`, { detail: { why } });

/**
 * Makes of what a model answered a text that may be shown: plain, without tags, pictures and links that the site does not
 * allow, cut at the end of a sentence. It is audited by the cheap rules like any comment.
 * @throws CodedError `comments.reply_unfit` (permanent; detail: why) for one that leaks what the model was told, holds an
 * e-mail or network address, breaks a rule, or of which nothing is left
 */
export function cleanReply(answer: string, rules: ReplyRules): string {
  if (leaks(answer) || repeats(answer, rules.system)) throw unfit('leak');
  const text = cut(withoutMarkup(answer, rules.linkDomains), rules.maxCharacters);
  if (text === '') throw unfit('empty');
  if (EMAIL.test(text) || NETWORK_ADDRESS.test(text)) throw unfit('address');
  // What is long was cut, and a reply may link as often as it is allowed to at all.
  const policy = rules.policy;
  const found = applyRules({ content: text, authorName: '', authorUrl: null }, policy, NO_FACTS, null);
  const broken = found.find(({ rule }) => rule.startsWith('words:') || rule === 'links');
  if (broken) throw unfit(broken.code);
  return text;
}

const EMAIL = /[\p{L}\p{N}._%+-]+\s?(?:@|＠|\[at\]|\(at\))\s?[\p{L}\p{N}-]+(?:\.|\[dot\]|\(dot\))[\p{L}]{2,}/iu;
const NETWORK_ADDRESS = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?<![\da-f:])(?:[\da-f]{1,4}:){4,7}[\da-f]{1,4}/i;

function withoutMarkup(answer: string, linkDomains: readonly string[]): string {
  const isAllowed = (url: string) => {
    const host = hostOf(url);
    return host !== null && linkDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  };
  return (
    storable(answer)
      // Bidirectional and other controls, but for line breaks.
      .replace(/(?!\n)[\p{Cc}\u200b\u2060-\u2069\u202a-\u202e\ufeff\u{e0000}-\u{e007f}]/gu, '')
      .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
      .replace(/<\/?[a-z][^<>]*>?/gi, '')
      .replace(/!\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
      .replace(/\[([^\]\n]*)\]\(\s*<?([^)\s>]*)[^)\n]*\)/g, (whole, label: string, url: string) =>
        isAllowed(url) ? whole : label,
      )
      .replace(/(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"'`，。、；！？（）【】「」《》“”)\]]+/giu, (url) =>
        isAllowed(/^www\./i.test(url) ? `https://${url}` : url) ? url : '',
      )
      .replace(/\b(?:javascript|data|vbscript)\s*:/gi, '')
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** At most so many characters, and then up to the end of a sentence if there is one in the second half. */
function cut(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = characters.slice(0, most).join('');
  const ends = [...head.matchAll(/[.!?](?=\s|$)|[。！？\n]/g)].map(({ index }) => index + 1);
  const end = ends.findLast((at) => at > head.length / 2);
  return end === undefined ? `${characters.slice(0, most - 1).join('')}…` : head.slice(0, end).trim();
}

/** So many letters in a row, no reply shares with what the model was told by chance. */
const SHARED = 40;

function repeats(answer: string, system: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '');
  const [said, told] = [plain(answer), plain(system)];
  for (let at = 0; at + SHARED <= said.length; at += SHARED / 4) {
    if (told.includes(said.slice(at, at + SHARED))) return true;
  }
  return false;
}

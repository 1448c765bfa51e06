import type { ChatMessage } from '../chat-request.ts';
import { chinese } from './chinese.ts';
import { english } from './english.ts';
import { findOrders } from './find-orders.ts';
import type { Found, Order } from './order.ts';
import { settings } from './settings.ts';

interface Ranked extends Found {
  readonly message: number;
  readonly weight: number;
}

const OVERRIDE =
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}\b(?:instructions?|prompts?|rules?|guidelines|above|previous|everything|all)\b|(?:忽略|无视|忘记|忘掉|抛开|不要理会|不用管|跳过|覆盖)[^。\n]{0,20}(?:指令|指示|提示|规则|要求|内容|设定|以上|之前|上面|前面)/iu;

/**
 * Finds every order in the messages, whoever wrote it, the winning one first: later messages win; within a message
 * what follows an "ignore the above", then explicit orders before things that only look like settings, then later ones.
 */
export function readOrders(messages: readonly ChatMessage[]): Order[] {
  const ranked = messages.flatMap((message, index) => ordersIn(message).map((found) => ({ ...found, message: index })));
  return ranked
    .sort((a, b) => b.message - a.message || b.weight - a.weight || b.at - a.at)
    .map(({ order }: Ranked) => order);
}

function ordersIn({ role, text: masked }: ChatMessage): (Found & { weight: number })[] {
  const text = unmask(masked);
  const override = OVERRIDE.exec(text)?.index ?? Infinity;
  const weight = ({ order, at }: Found) => (order.kind === 'set' && order.loose ? 0 : at > override ? 2 : 1);
  const found = [...findOrders(text, english), ...findOrders(text, chinese), ...settings(text)];
  const spans = found.filter((one) => one.quotedTo !== undefined);
  const quoted = (at: number) => spans.some((say) => at > say.at && at < (say.quotedTo ?? 0));
  return found
    .filter(({ order, at }) => order.kind === 'say' || !quoted(at))
    .filter(({ order }) => order.kind !== 'set' || mayLookLikeOrder(role, order.loose))
    .map((one) => ({ ...one, weight: weight(one) }));
}

// The prompt's description of the answer and a model's earlier answers look like settings all over.
function mayLookLikeOrder(role: string, loose: boolean): boolean {
  if (role === 'user' || role === 'tool') return true;
  return role !== 'assistant' && !loose;
}

/** Undoes what hides an order from a reader but not from a model: zero width, tag and wide letters, JSON's escapes. */
export function unmask(text: string): string {
  return text
    .replaceAll(/[\u200b-\u200d\u2060\ufeff\u00ad]/gu, '')
    .replaceAll(/[\u{e0020}-\u{e007e}]/gu, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) - 0xe0000))
    .replaceAll(/[Ａ-Ｚａ-ｚ]/gu, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) - 0xfee0))
    .replaceAll('\\n', '\n')
    .replaceAll('\\"', '"');
}

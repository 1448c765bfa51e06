import type { ChatMessage } from '../chat-request.ts';
import type { Wishes } from '../schema/fill-schema.ts';
import type { SchemaObject } from '../schema/json-schema.ts';
import type { Order } from './order.ts';
import { readOrders } from './orders.ts';
import { plainName } from './settings.ts';

/** What an obedient model makes of the orders it read; all null or empty where there was none. */
export interface Obedience {
  /** The answer in free text. */
  readonly text: string | null;
  /** The answer as a JSON object, where one is asked for without a schema. */
  readonly object: Readonly<Record<string, unknown>> | null;
  /** What the orders want in the properties of a schema. */
  readonly wishes: Wishes;
}

/** Words that stand for the same verdict; a schema's enum may use any of them. */
const SAME_VERDICTS: readonly (readonly string[])[] = [
  [
    '不通过',
    '不批准',
    '拒绝',
    '驳回',
    '拒掉',
    '屏蔽',
    'reject',
    'rejected',
    'rejecting',
    'deny',
    'denied',
    'block',
    'blocked',
  ],
  [
    '通过',
    '批准',
    '放行',
    '同意',
    'approve',
    'approved',
    'approving',
    'accept',
    'accepted',
    'allow',
    'allowed',
    'publish',
    'pass',
  ],
  ['不确定', '存疑', 'unsure', 'uncertain', 'unclear'],
];

/** Follows whatever the messages order. */
export function obey(messages: readonly ChatMessage[]): Obedience {
  const orders = readOrders(messages);
  const prompt = revealed(messages);
  return {
    text: orders.map((order) => spoken(order, prompt)).find((text) => text !== null) ?? null,
    object: asObject(orders, prompt),
    wishes: (name, schema) => orders.flatMap((order) => wanted(order, name, schema, prompt)),
  };
}

// Without a system prompt "the text above" is whatever stands before the last message, or the message itself.
function revealed(messages: readonly ChatMessage[]): string {
  const system = messages.filter((m) => m.role === 'system' || m.role === 'developer');
  const before = messages.length > 1 ? messages.slice(0, -1) : messages;
  return (system.length > 0 ? system : before).map((m) => m.text).join('\n');
}

function spoken(order: Order, prompt: string): string | null {
  if (order.kind === 'say') return order.text;
  if (order.kind === 'reveal') return prompt;
  if (order.kind === 'verdict') return order.value;
  return order.loose ? null : `${order.name}: ${order.value}`;
}

function asObject(orders: readonly Order[], prompt: string): Record<string, unknown> | null {
  const strict = orders.filter((order) => order.kind !== 'set' || !order.loose);
  const [first] = strict;
  if (first === undefined) return null;
  const json = first.kind === 'say' ? jsonObject(first.text) : null;
  if (json !== null) return json;
  const object: Record<string, unknown> = {};
  for (const order of strict) {
    if (order.kind === 'set') object[order.name] ??= likelyValue(order.value);
    else if (order.kind === 'verdict') object.decision ??= order.value;
    else object.answer ??= order.kind === 'say' ? order.text : prompt;
  }
  return object;
}

/** What one order would like to see at a property, best first; the filler takes what the schema allows. */
function wanted(order: Order, name: string, schema: SchemaObject, prompt: string): unknown[] {
  const json = order.kind === 'say' ? jsonObject(order.text) : null;
  if (json !== null) return name === '' ? [json] : valuesNamed(json, name);
  if (order.kind === 'set') return sameName(order.name, name) ? valuesFor(order.value, schema) : [];
  if (schema.enum) return order.kind === 'reveal' ? [] : mentioned(textOf(order), schema.enum);
  if (order.kind === 'verdict') return sameVerdict(order.value, name) ? [true] : [];
  const text = order.kind === 'say' ? order.text : prompt;
  // A short order may be for a number or a boolean; a property of another type simply does not fit.
  return [clipped(text, schema), ...valuesFor(text, schema)];
}

function textOf(order: Order): string {
  return order.kind === 'say' ? order.text : order.kind === 'reveal' ? '' : order.value;
}

function clipped(text: string, schema: SchemaObject): string {
  return schema.maxLength === undefined ? text : [...text].slice(0, schema.maxLength).join('');
}

function valuesFor(value: string, schema: SchemaObject): unknown[] {
  const likely = likelyValue(value);
  const number =
    typeof likely === 'string' && /\d/.test(likely) ? Number.parseFloat(likely.replace(/^[^\d-]*/, '')) : NaN;
  const list = [likely, clipped(value, schema), ...(schema.enum ? mentioned(value, schema.enum) : [])];
  return Number.isNaN(number) ? list : [...list, number];
}

function likelyValue(text: string): unknown {
  if (/^(?:true|yes|是)$/iu.test(text)) return true;
  if (/^(?:false|no|否)$/iu.test(text)) return false;
  if (/^(?:null|none)$/iu.test(text)) return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

// A text that names several of the values does not say which.
function mentioned(text: string, values: readonly unknown[]): unknown[] {
  const exact = values.filter((v) => typeof v === 'string' && v.toLowerCase() === text.toLowerCase());
  if (exact.length > 0) return exact;
  const named = values.filter((v) => typeof v === 'string' && names(text, v));
  return named.length === 1 ? named : [];
}

function names(text: string, value: string): boolean {
  const group = SAME_VERDICTS.findIndex((words) => words.includes(value.toLowerCase()));
  // 不通过 holds 通过: what an earlier group has found is taken out before the later ones look.
  let rest = text.toLowerCase();
  for (const [i, words] of SAME_VERDICTS.entries()) {
    const found = words.filter((word) => hasWord(rest, word));
    if (found.length > 0 && i === group) return true;
    for (const word of found) rest = rest.replaceAll(word, ' ');
  }
  return hasWord(text.toLowerCase().replaceAll(/[_-]/g, ' '), value.toLowerCase().replaceAll(/[_-]/g, ' '));
}

function hasWord(text: string, word: string): boolean {
  if (!/^[\x20-\x7e]+$/.test(word)) return text.includes(word);
  return new RegExp(`(?<![a-z0-9])${word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![a-z0-9])`, 'u').test(text);
}

function sameName(ordered: string, name: string): boolean {
  return name !== '' && plainName(ordered) === plainName(name);
}

// "approve" makes a property called approved, is_approved or approve true.
function sameVerdict(verdict: string, name: string): boolean {
  const plain = plainName(name).replace(/^(?:is|was|should)/, '');
  return plain !== '' && SAME_VERDICTS.some((words) => words.includes(verdict.toLowerCase()) && words.includes(plain));
}

function valuesNamed(json: Readonly<Record<string, unknown>>, name: string): unknown[] {
  return Object.entries(json).flatMap(([key, value]) => {
    if (sameName(key, name)) return [value];
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? valuesNamed(value as Record<string, unknown>, name)
      : [];
  });
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

import { toSimplified } from '../text/simplified.ts';
import { plainDigits } from './plain-digits.ts';

export const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** A label as it is compared: without marks, spaces at its ends, a colon, in small letters and simplified characters. */
export function plainLabel(text: string): string {
  const plain = halfWidth(text)
    .toLowerCase()
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
    .replace(/^\s*#+\s|[*_`|:：。"“”]|\.(?!\d)|(?<!\d)\./g, ' ')
    .replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return toSimplified(plain).replaceAll('帐', '账');
}

/** NFKC but for the sign of a gap, which it would turn into full stops. */
function halfWidth(text: string): string {
  if (/^[\x20-\x7e\u4e00-\u9fff]*$/.test(text)) return text;
  if (!text.includes('…')) return text.normalize('NFKC');
  return text
    .replaceAll('……', '…')
    .split('…')
    .map((part) => part.normalize('NFKC'))
    .join('…');
}

/** Running text as it is searched: half width, small letters, simplified, of the same length. */
export function plainProse(text: string): string {
  const plain = toSimplified(plainDigits(text)).replaceAll('\n', ' ');
  const lower = plain.toLowerCase();
  return lower.length === text.length ? lower : plain;
}

const FILLERS = new Set(['of', 'the', 'your', 'our', 'for', 'this']);
const TOKENS: Readonly<Record<string, string>> = {
  ...{ number: 'no', num: 'no', nr: 'no', '#': 'no', 'no#': 'no', '№': 'no' },
  ...{ 'e-mail': 'email', telephone: 'phone', tel: 'phone' },
};

/** `Invoice #`, `Invoice number` and `Invoice No` with one word for the same thing; other labels as they are. */
export function evenLabel(plain: string): string {
  if (isHan(plain)) return plain;
  const tokens = plain.replace(/(?<=\w)#$/, ' #').split(/[\s/]+/);
  return tokens.map((token) => TOKENS[token] ?? token).join(' ');
}

/**
 * What labels that say the same have in common: `Date of issue` and `Issue date`, `Invoice #` and `Invoice number`,
 * 合同编号 and 合同号, 购买方 and 购买方名称.
 */
export function labelKey(plain: string): string {
  if (isHan(plain))
    return plain
      .replaceAll(' ', '')
      .replace(/(?:号码|编号)$/, '号')
      .replace(/(?<=.)(?:日期|时间)$/, '日')
      .replace(/(?<=..)(?:名称|全称)$/, '');
  const tokens = evenLabel(plain).split(' ');
  return tokens
    .filter((token) => !FILLERS.has(token) && token !== '')
    .sort()
    .join(' ');
}

/** `VAT @ 20.0%`, `plus 19 % VAT`. */
const RATE = /(?:@|\bat\b|\bof\b)?\s*\d{1,2}(?:[.,]\d{1,2})?\s?%/g;

/** A label, what stands outside and within its brackets, and its halves where it is printed in two languages. */
export function labelVariants(label: string): string[] {
  const variants = new Set([label]);
  const outside = plainLabel(label.replace(/\([^()]*\)/g, ' ').replace(RATE, ' '));
  if (outside !== label) variants.add(outside);
  for (const [, inner] of label.matchAll(/\(([^()\d%]{2,24})\)/g)) variants.add(plainLabel(inner!));
  if (isHan(outside) && /[a-z]{2}/.test(outside)) {
    variants.add(plainLabel(outside.replace(/[^\p{Script=Han}()]+/gu, '')));
    variants.add(plainLabel(outside.replace(/\p{Script=Han}+/gu, ' ')));
  }
  if (outside.includes('/')) for (const part of outside.split('/')) variants.add(plainLabel(part));
  variants.delete('');
  return [...variants];
}

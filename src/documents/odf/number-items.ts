import { listNumber } from '../list-number.ts';
import type { XmlElement } from '../read-xml.ts';
import type { Styles } from './styles.ts';

/** Numbers of lists and headings in the order of the document (ODF 1.3 part 3, 5.3 and 16.30). */
export interface ItemNumbers {
  /** To be called where a list begins that is in no other. */
  begin(list: XmlElement): void;
  /** The number or mark of an item at a level from 1; empty where nothing is printed. */
  label(style: string | undefined, level: number, startValue: string | undefined): string;
  heading(level: number): string;
}

const MAX_LABEL = 60;

export function numberItems(styles: Styles): ItemNumbers {
  const byStyle = new Map<string, number[]>();
  const byId = new Map<string, number[]>();
  const headings: number[] = [];
  let counts: number[] = [];
  return {
    begin({ attributes }) {
      const style = attributes['text:style-name'] ?? '';
      const continued =
        byId.get(attributes['text:continue-list'] ?? '') ??
        (attributes['text:continue-numbering'] === 'true' ? byStyle.get(style) : undefined);
      counts = continued ?? [];
      byStyle.set(style, counts);
      byId.set(attributes['xml:id'] ?? '', counts);
      byId.delete('');
    },
    label: (style, level, startValue) => labelOf((at) => styles.listLevel(style, at), level, counts, startValue),
    heading: (level) => labelOf((at) => styles.outlineLevel(at), level, headings, undefined),
  };
}

function labelOf(
  definitionOf: (level: number) => XmlElement | undefined,
  level: number,
  counts: number[],
  startValue: string | undefined,
): string {
  const startOf = (at: number) => Number(definitionOf(at)?.attributes['text:start-value'] ?? 1);
  const own = definitionOf(level);
  counts.length = Math.min(counts.length, level);
  const before = counts[level - 1];
  counts[level - 1] =
    startValue === undefined ? (before === undefined ? startOf(level) : before + 1) : Number(startValue);
  if (!own || own.name === 'text:list-level-style-image') return '-';
  if (own.name === 'text:list-level-style-bullet') return '-';
  const {
    'style:num-format': format = '',
    'style:num-prefix': prefix = '',
    'style:num-suffix': suffix = '',
  } = own.attributes;
  if (format === '') return '';
  const shown = Math.min(level, Math.max(1, Number(own.attributes['text:display-levels'] ?? 1)));
  const numbers = Array.from({ length: shown }, (_, at) => {
    const upper = level - shown + 1 + at;
    const form = definitionOf(upper)?.attributes['style:num-format'];
    return form === '' ? '' : listNumber(counts[upper - 1] ?? startOf(upper), FORMS[form ?? ''] ?? 'decimal');
  });
  return `${prefix}${numbers.filter(Boolean).join('.')}${suffix}`.trim().slice(0, MAX_LABEL);
}

/** The first signs of a sequence name it (ODF 1.3 part 3, 19.502). */
const FORMS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '一, 二, 三, ...': 'chineseCounting',
  '一, 十, 一百(繁), ...': 'chineseCounting',
  '壹, 贰, 叁, ...': 'chineseLegalSimplified',
  '壹, 貳, 參, ...': 'ideographLegalTraditional',
  '甲, 乙, 丙, ...': 'ideographTraditional',
  '①, ②, ③, ...': 'decimalEnclosedCircle',
  '１, ２, ３, ...': 'decimalFullWidth',
};

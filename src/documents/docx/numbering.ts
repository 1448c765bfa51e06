import { listNumber } from '../list-number.ts';
import { childNamed, elementsIn, type XmlElement } from '../read-xml.ts';
import { attributeOf, isOn, type NumberProperties } from './styles.ts';

/** What stands before a paragraph of a list. */
export interface Label {
  /** `-` for a bullet of any form; empty where nothing is printed. */
  readonly text: string;
  /** Whether a blank or a tab follows it. */
  readonly apart: boolean;
}

interface Level {
  readonly start: number;
  readonly form: string;
  readonly text: string;
  readonly apart: boolean;
  /** All numbers of the label in decimal digits. */
  readonly legal: boolean;
  /** It begins anew behind an item of one of the first so many levels. */
  readonly restart: number;
  /** The first number of this list alone, among those that share a definition. */
  readonly override: number | null;
}

interface List {
  readonly definition: string;
  readonly levels: readonly Level[];
}

interface Count {
  readonly numbers: (number | undefined)[];
  readonly overridden: Set<string>;
}

const LEVELS = 9;
const MAX_LABEL = 60;

/**
 * Counts paragraphs of lists as Word does (ECMA-376 part 1, 17.9): lists that share an abstract definition go on
 * counting, one that overrides a start begins anew. Paragraphs are to be asked for in the order of the document.
 */
export function readNumbering(root: XmlElement | undefined): (properties: NumberProperties) => Label | null {
  const abstracts = new Map<string, XmlElement>();
  const lists = new Map<string, XmlElement>();
  for (const one of root ? elementsIn(root) : []) {
    if (one.name === 'w:abstractNum') abstracts.set(one.attributes['w:abstractNumId'] ?? '', one);
    if (one.name === 'w:num') lists.set(one.attributes['w:numId'] ?? '', one);
  }
  const counts = new Map<string, Count>();
  const known = new Map<string, List | null>();
  return ({ id, level }) => {
    if (!known.has(id)) known.set(id, readList(lists.get(id), abstracts));
    const list = known.get(id);
    if (!list || !(level >= 0 && level < LEVELS)) return null;
    const count = counts.get(list.definition) ?? { numbers: [], overridden: new Set() };
    counts.set(list.definition, count);
    countOn(count, list, id, level);
    return labelOf(list.levels, level, count.numbers);
  };
}

function readList(list: XmlElement | undefined, abstracts: ReadonlyMap<string, XmlElement>): List | null {
  if (!list) return null;
  const said = attributeOf(list, 'w:abstractNumId') ?? '';
  const style = attributeOf(abstracts.get(said), 'w:numStyleLink');
  const linked = [...abstracts].find(([, one]) => style !== undefined && attributeOf(one, 'w:styleLink') === style);
  const definition = linked?.[0] ?? said;
  return {
    definition,
    levels: Array.from({ length: LEVELS }, (_, at) => readLevel(abstracts.get(definition), list, at)),
  };
}

function readLevel(definition: XmlElement | undefined, list: XmlElement, at: number): Level {
  const named = (parent: XmlElement | undefined, name: string) =>
    parent && elementsIn(parent).find((one) => one.name === name && Number(one.attributes['w:ilvl']) === at);
  const override = named(list, 'w:lvlOverride');
  const level = childNamed(override, 'w:lvl') ?? named(definition, 'w:lvl');
  const overridden = attributeOf(override, 'w:startOverride');
  return {
    start: Number(attributeOf(level, 'w:start') ?? 0),
    override: overridden === undefined ? null : Number(overridden),
    form: attributeOf(level, 'w:numFmt') ?? 'decimal',
    text: attributeOf(level, 'w:lvlText') ?? '',
    apart: attributeOf(level, 'w:suff') !== 'nothing',
    legal: isOn(level, 'w:isLgl'),
    restart: Number(attributeOf(level, 'w:lvlRestart') ?? at),
  };
}

function countOn({ numbers, overridden }: Count, { levels }: List, id: string, level: number): void {
  const { override, start } = levels[level]!;
  if (override !== null && !overridden.has(`${id}:${level}`)) {
    overridden.add(`${id}:${level}`);
    numbers[level] = override;
  } else numbers[level] = numbers[level] === undefined ? start : numbers[level] + 1;
  for (let upper = 0; upper < level; upper += 1) numbers[upper] ??= levels[upper]!.start;
  for (let deeper = level + 1; deeper < LEVELS; deeper += 1)
    if (level < levels[deeper]!.restart) numbers[deeper] = undefined;
}

function labelOf(levels: readonly Level[], level: number, numbers: readonly (number | undefined)[]): Label {
  const own = levels[level]!;
  if (own.form === 'bullet') return { text: '-', apart: true };
  const text = own.text.replace(/%([1-9])/g, (_, digit: string) => {
    const at = Number(digit) - 1;
    const form = own.legal ? 'decimal' : (levels[at]?.form ?? 'decimal');
    return listNumber(numbers[at] ?? 0, form);
  });
  return { text: text.slice(0, MAX_LABEL).trim(), apart: own.apart };
}

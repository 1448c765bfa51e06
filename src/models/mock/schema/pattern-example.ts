import { wholeBetween } from '../random.ts';

type Node =
  | { readonly kind: 'characters'; readonly from: readonly string[] }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'either'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

const range = (from: string, to: string): string[] => {
  const list: string[] = [];
  for (let c = from.codePointAt(0) ?? 0; c <= (to.codePointAt(0) ?? 0); c++) list.push(String.fromCodePoint(c));
  return list;
};
const DIGITS = range('0', '9');
const LOWER = range('a', 'z');
const UPPER = range('A', 'Z');
const WORD = [...LOWER, ...DIGITS];
const PRINTABLE = range(' ', '~');
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  d: DIGITS,
  w: WORD,
  s: [' '],
  D: LOWER,
  W: ['-'],
  S: WORD,
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const EMPTY: Node = { kind: 'sequence', nodes: [] };

/**
 * A string that a regular expression matches: literals, classes, groups, alternatives, quantifiers, common \p classes.
 * Anchors and look-arounds are passed over, back references too: **the caller tests the result** and may try again
 * with another seed.
 *
 * @param extra how many repetitions beyond the least a quantifier may take
 * @returns null where the pattern cannot be read
 */
export function patternExample(pattern: string, seed: string, extra: number): string | null {
  const reader = new PatternReader([...pattern]);
  const node = reader.either();
  if (node === null || !reader.done()) return null;
  let choices = 0;
  const choose = (low: number, high: number) => wholeBetween(low, high, seed, 'pattern', choices++);
  const write = (n: Node): string => {
    if (n.kind === 'characters') return n.from[choose(0, n.from.length - 1)] ?? '';
    if (n.kind === 'sequence') return n.nodes.map(write).join('');
    if (n.kind === 'either') return write(n.nodes[choose(0, n.nodes.length - 1)] ?? EMPTY);
    const times = choose(n.min, Math.min(n.max, n.min + extra));
    return Array.from({ length: times }, () => write(n.node)).join('');
  };
  return write(node);
}

class PatternReader {
  readonly #source: readonly string[];
  #at = 0;

  constructor(source: readonly string[]) {
    this.#source = source;
  }

  done(): boolean {
    return this.#at >= this.#source.length;
  }

  either(): Node | null {
    const nodes: Node[] = [];
    do {
      const sequence = this.#sequence();
      if (sequence === null) return null;
      nodes.push(sequence);
    } while (this.#take('|'));
    return nodes.length === 1 ? (nodes[0] as Node) : { kind: 'either', nodes };
  }

  #sequence(): Node | null {
    const nodes: Node[] = [];
    while (!this.done() && this.#peek() !== '|' && this.#peek() !== ')') {
      const atom = this.#atom();
      if (atom === null) return null;
      nodes.push(this.#quantified(atom));
    }
    return { kind: 'sequence', nodes };
  }

  #atom(): Node | null {
    const c = this.#next();
    if (c === '^' || c === '$') return EMPTY;
    if (c === '.') return { kind: 'characters', from: WORD };
    if (c === '(') return this.#group();
    if (c === '[') return this.#set();
    if (c !== '\\') return { kind: 'characters', from: [c] };
    const from = this.#escape();
    return from.length === 0 ? EMPTY : { kind: 'characters', from };
  }

  #group(): Node | null {
    let looks = false;
    if (this.#take('?')) {
      const name = this.#source
        .slice(this.#at)
        .join('')
        .match(/^(?:(:)|<[A-Za-z_]\w*>|<?[=!])/);
      if (name === null) return null;
      looks = /[=!]$/.test(name[0]);
      this.#at += name[0].length;
    }
    const inside = this.either();
    if (inside === null || !this.#take(')')) return null;
    return looks ? EMPTY : inside;
  }

  #set(): Node | null {
    const negated = this.#take('^');
    const members: string[] = [];
    while (!this.done() && this.#peek() !== ']') {
      const from = this.#member();
      if (this.#peek() === '-' && this.#source[this.#at + 1] !== ']' && from.length === 1) {
        this.#at++;
        members.push(...range(from[0] as string, this.#member()[0] ?? ''));
      } else members.push(...from);
    }
    if (!this.#take(']')) return null;
    const from = negated ? PRINTABLE.filter((c) => !members.includes(c)) : members;
    return from.length === 0 ? null : { kind: 'characters', from };
  }

  #member(): readonly string[] {
    const c = this.#next();
    return c === '\\' ? this.#escape() : [c];
  }

  #escape(): readonly string[] {
    const c = this.#next();
    const rest = this.#source.slice(this.#at, this.#at + 24).join('');
    if (c === 'p' || c === 'P') {
      const name = rest.match(/^\{([^}]*)\}/);
      this.#at += name?.[0].length ?? 0;
      return propertyCharacters(name?.[1] ?? '', c === 'P');
    }
    const code =
      c === 'u' ? rest.match(/^(?:([0-9a-f]{4})|\{([0-9a-f]+)\})/i) : c === 'x' && rest.match(/^([0-9a-f]{2})/i);
    if (code) {
      this.#at += code[0].length;
      return [String.fromCodePoint(Number.parseInt((code[1] ?? code[2]) as string, 16))];
    }
    if (c === 'b' || c === 'B' || (c >= '1' && c <= '9')) return [];
    return CLASSES[c] ?? [CONTROLS[c] ?? c];
  }

  #quantified(node: Node): Node {
    const found = this.#source
      .slice(this.#at, this.#at + 24)
      .join('')
      .match(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/);
    if (found === null) return node;
    this.#at += found[0].length;
    if (found[1] === '?') return { kind: 'repeat', node, min: 0, max: 1 };
    if (found[1] !== undefined) return { kind: 'repeat', node, min: found[1] === '+' ? 1 : 0, max: Infinity };
    const min = Number(found[2]);
    const max = found[3] === '' ? min : found[4] === '' ? Infinity : Number(found[4]);
    return { kind: 'repeat', node, min, max };
  }

  #peek(): string | undefined {
    return this.#source[this.#at];
  }

  #next(): string {
    return this.#source[this.#at++] ?? '';
  }

  #take(c: string): boolean {
    if (this.#source[this.#at] !== c) return false;
    this.#at++;
    return true;
  }
}

function propertyCharacters(name: string, negated: boolean): readonly string[] {
  if (negated) return ['-'];
  if (/Han$/.test(name)) return ['山', '水', '文', '字'];
  if (/^(?:Lu|Uppercase)/.test(name)) return UPPER;
  return /^(?:L|Alphabetic|Script)/.test(name) ? LOWER : /^N/.test(name) ? DIGITS : ['-'];
}

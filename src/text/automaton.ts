/**
 * Multi-pattern search: the Aho-Corasick automaton (Aho, Corasick 1975) with its trie laid out as a double array
 * (Aoe 1989). The next state costs one addition and one comparison, whatever the number of patterns; memory grows
 * with the total length of the patterns, not with states × alphabet.
 *
 * A state is the place of its cell, and a cell is four numbers side by side, so that what one step reads lies in one
 * cache line: with an array for each, the search took a third longer.
 */
export interface Automaton {
  /** Code unit → symbol, 0 for units that no pattern contains. Symbols are multiples of a cell, as states are. */
  readonly symbols: Int32Array;
  /** Code unit → where the root goes on to, 0 for nowhere. */
  readonly starts: Int32Array;
  /** At state `s`, with the offsets below: it goes on to `cells[s + BASE] + symbol` if `CHECK` there is `s`. The root is 0. */
  readonly cells: Int32Array;
  /** Whether a pattern may begin with two units, by `pairHash`; a few pairs that begin none answer yes, too. */
  readonly pairs: Uint8Array;
  /** Whether a code unit is a whole pattern. */
  readonly isPattern: Uint8Array;
  /** By cell: the nearest state on the suffix chain at which a pattern ends, itself excluded; 0 for none. */
  readonly nextOutput: Int32Array;
  /** By cell: the pattern that ends at a state, -1 for none. */
  readonly pattern: Int32Array;
}

const CELL_SHIFT = 2;
const CELL = 1 << CELL_SHIFT;
const BASE = 0;
const CHECK = 1;
const FAIL = 2;
/** The nearest state on the suffix chain, itself included, at which a pattern ends; 0 for none. */
const OUTPUT = 3;

interface Node {
  readonly children: Map<number, Node>;
  pattern: number;
  state: number;
}

const newNode = (): Node => ({ children: new Map(), pattern: -1, state: 0 });

/** Builds the automaton over patterns of code units: non-empty and different from each other. */
export function buildAutomaton(patterns: readonly string[]): Automaton {
  const symbols = numberSymbols(patterns);
  const root = newNode();
  let nodes = 1;
  patterns.forEach((pattern, index) => {
    let node = root;
    for (let i = 0; i < pattern.length; i++) {
      const symbol = symbols[pattern.charCodeAt(i)]!;
      let child = node.children.get(symbol);
      if (child === undefined) {
        child = newNode();
        node.children.set(symbol, child);
        nodes++;
      }
      node = child;
    }
    if (pattern.length === 0 || node.pattern !== -1) throw new RangeError('patterns must be non-empty and different');
    node.pattern = index;
  });
  return { ...pack(layOut(root, nodes, symbols)), ...markBeginnings(patterns) };
}

const PAIRS = 0x10000;
const pairHash = (first: number, second: number): number => (first * 2_533 + second) & (PAIRS - 1);

function markBeginnings(patterns: readonly string[]): Pick<Automaton, 'pairs' | 'isPattern'> {
  const pairs = new Uint8Array(PAIRS);
  const isPattern = new Uint8Array(0x10000);
  for (const pattern of patterns) {
    if (pattern.length === 1) isPattern[pattern.charCodeAt(0)] = 1;
    else pairs[pairHash(pattern.charCodeAt(0), pattern.charCodeAt(1))] = 1;
  }
  return { pairs, isPattern };
}

/** Frequent symbols get small numbers, which packs the double array tighter. */
function numberSymbols(patterns: readonly string[]): Uint16Array {
  const counts = new Map<number, number>();
  for (const pattern of patterns)
    for (let i = 0; i < pattern.length; i++) {
      const c = pattern.charCodeAt(i);
      counts.set(c, (counts.get(c) ?? 0) + 1);
    }
  const symbols = new Uint16Array(0x10000);
  [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .forEach(([c], rank) => {
      symbols[c] = rank + 1;
    });
  return symbols;
}

function layOut(root: Node, nodes: number, symbols: Uint16Array): Layout {
  const alphabet = symbols.reduce((max, s) => Math.max(max, s), 0) + 1;
  let size = nodes * 2 + alphabet * 2;
  let base = new Int32Array(size);
  let check = new Int32Array(size).fill(-1);
  const grow = (needed: number) => {
    if (needed <= size) return;
    const old = { base, check };
    size = Math.max(needed, size * 2);
    base = new Int32Array(size);
    check = new Int32Array(size).fill(-1);
    base.set(old.base);
    check.set(old.check);
  };

  check[0] = 0; // the root's own place is taken
  let firstFree = 1;
  const order: Node[] = [root]; // breadth first: a suffix is always laid out before what it is a suffix of
  for (let head = 0; head < order.length; head++) {
    const node = order[head]!;
    const children = [...node.children].sort((a, b) => a[0] - b[0]);
    if (children.length === 0) continue;
    while (check[firstFree] !== -1) {
      firstFree++;
      grow(firstFree + alphabet + 1);
    }
    const smallest = children[0]![0];
    let slot = Math.max(firstFree, smallest);
    for (; ; slot++) {
      grow(slot + alphabet + 1);
      const offset = slot - smallest;
      if (children.every(([symbol]) => check[offset + symbol] === -1)) break;
    }
    base[node.state] = slot - smallest;
    for (const [symbol, child] of children) {
      child.state = slot - smallest + symbol;
      check[child.state] = node.state;
      order.push(child);
    }
  }

  const fail = new Int32Array(size);
  const output = new Int32Array(size);
  const nextOutput = new Int32Array(size);
  const pattern = new Int32Array(size).fill(-1);
  for (const node of order) {
    pattern[node.state] = node.pattern;
    nextOutput[node.state] = output[fail[node.state]!]!;
    output[node.state] = node.pattern === -1 ? nextOutput[node.state]! : node.state;
    for (const [symbol, child] of node.children) {
      if (node === root) continue;
      let suffix = fail[node.state]!;
      while (suffix !== 0 && check[base[suffix]! + symbol] !== suffix) suffix = fail[suffix]!;
      const next = base[suffix]! + symbol;
      fail[child.state] = check[next] === suffix && next !== 0 ? next : 0;
    }
  }
  return { symbols, base, check, fail, output, nextOutput, pattern };
}

/** The double array as it was laid out, a state being its number. */
interface Layout {
  readonly symbols: Uint16Array;
  readonly base: Int32Array;
  readonly check: Int32Array;
  readonly fail: Int32Array;
  readonly output: Int32Array;
  readonly nextOutput: Int32Array;
  readonly pattern: Int32Array;
}

function pack({
  symbols,
  base,
  check,
  fail,
  output,
  nextOutput,
  pattern,
}: Layout): Omit<Automaton, 'pairs' | 'isPattern'> {
  const cells = new Int32Array(base.length * CELL);
  for (let state = 0; state < base.length; state++) {
    cells[state * CELL + BASE] = base[state]! * CELL;
    cells[state * CELL + CHECK] = check[state]! * CELL;
    cells[state * CELL + FAIL] = fail[state]! * CELL;
    cells[state * CELL + OUTPUT] = output[state]! * CELL;
  }
  const scaledSymbols = new Int32Array(symbols.length);
  const starts = new Int32Array(symbols.length);
  for (let unit = 0; unit < symbols.length; unit++) {
    const symbol = symbols[unit]!;
    if (symbol === 0) continue;
    scaledSymbols[unit] = symbol * CELL;
    if (check[base[0]! + symbol] === 0) starts[unit] = (base[0]! + symbol) * CELL;
  }
  for (let state = 0; state < nextOutput.length; state++) nextOutput[state]! *= CELL;
  return { symbols: scaledSymbols, starts, cells, nextOutput, pattern };
}

/**
 * All occurrences of all patterns in `codes[0..length)`, overlapping ones too, as a flat list: pattern, end (exclusive),
 * pattern, end, … in the order of their ends, longer before shorter at the same end.
 */
export function findAll(automaton: Automaton, codes: Uint16Array, length: number): number[] {
  const { symbols, starts, cells, nextOutput, pattern, pairs, isPattern } = automaton;
  const hits: number[] = [];
  const last = length - 1;
  for (let i = 0; i < length; i++) {
    let unit = codes[i]!;
    // Most units begin nothing: to see that by two of them, before a state is entered, takes a third of the search's time away.
    while (i < last) {
      const next = codes[i + 1]!;
      if (pairs[pairHash(unit, next)] !== 0 || isPattern[unit] !== 0) break;
      unit = next;
      i++;
    }
    let state = starts[unit]!;
    while (state !== 0) {
      for (let found = cells[state + OUTPUT]!; found !== 0; found = nextOutput[found >> CELL_SHIFT]!) {
        hits.push(pattern[found >> CELL_SHIFT]!, i + 1);
      }
      if (i >= last) return hits;
      const symbol = symbols[codes[i + 1]!]!;
      let next = cells[state + BASE]! + symbol;
      while (symbol !== 0 && cells[next + CHECK] !== state) {
        state = cells[state + FAIL]!;
        if (state === 0) break;
        next = cells[state + BASE]! + symbol;
      }
      if (symbol === 0 || state === 0) break;
      state = next;
      i++;
    }
  }
  return hits;
}

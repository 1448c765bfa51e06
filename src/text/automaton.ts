/**
 * Multi-pattern search: the Aho-Corasick automaton (Aho, Corasick 1975) with its trie laid out as a double array
 * (Aoe 1989). The next state costs one addition and one comparison, whatever the number of patterns; memory grows
 * with the total length of the patterns, not with states × alphabet.
 */
export interface Automaton {
  /** Code unit → symbol, 0 for units that no pattern contains. */
  readonly symbols: Uint16Array;
  /** State `s` goes on to `base[s] + symbol` if `check` there is `s`. The root is state 0. */
  readonly base: Int32Array;
  readonly check: Int32Array;
  readonly fail: Int32Array;
  /** The nearest state on the suffix chain, itself included, at which a pattern ends; 0 for none. */
  readonly output: Int32Array;
  /** The same, itself excluded. */
  readonly nextOutput: Int32Array;
  /** The pattern that ends at a state, -1 for none. */
  readonly pattern: Int32Array;
}

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
  return layOut(root, nodes, symbols);
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

function layOut(root: Node, nodes: number, symbols: Uint16Array): Automaton {
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

/**
 * All occurrences of all patterns in `codes[0..length)`, overlapping ones too, as a flat list: pattern, end (exclusive),
 * pattern, end, … in the order of their ends, longer before shorter at the same end.
 */
export function findAll(automaton: Automaton, codes: Uint16Array, length: number): number[] {
  const { symbols, base, check, fail, output, nextOutput, pattern } = automaton;
  const hits: number[] = [];
  let state = 0;
  for (let i = 0; i < length; i++) {
    const symbol = symbols[codes[i]!]!;
    if (symbol === 0) {
      state = 0;
      continue;
    }
    let next = base[state]! + symbol;
    while (check[next] !== state && state !== 0) {
      state = fail[state]!;
      next = base[state]! + symbol;
    }
    state = check[next] === state ? next : 0;
    for (let found = output[state]!; found !== 0; found = nextOutput[found]!) hits.push(pattern[found]!, i + 1);
  }
  return hits;
}

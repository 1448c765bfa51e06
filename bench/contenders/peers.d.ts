// Two of the peers come without types.

declare module 'ahocorasick' {
  export default class AhoCorasick {
    constructor(keywords: string[]);
    /** The last offset of each place where something ends, and what ends there. */
    search(text: string): [number, string[]][];
  }
}

declare module 'fastscan' {
  export default class FastScanner {
    constructor(words: string[]);
    search(text: string): [number, string][];
  }
}

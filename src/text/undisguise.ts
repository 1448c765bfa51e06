/**
 * What a text says to a reader, or to a model, behind the disguise of its characters: compatibility forms in their plain
 * form (NFKC, character by character), characters without width left out, letters hidden as tag characters shown, and
 * letters of other scripts that only look Latin as the Latin ones. For comparing and judging; what is shown to people stays
 * as it was written.
 */
export interface Undisguised {
  readonly text: string;
  /** The UTF-16 offset in the original at which the character at an offset of `text` was written. */
  originalAt(offset: number): number;
  /** Whether letters were hidden as tag characters (U+E0020 to U+E007E, other than in flags). */
  readonly hasHidden: boolean;
}

/** Letters of other scripts that look Latin, folded to lower case before they are looked up. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  // Cyrillic
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', ё: 'e', ғ: 'f', ԍ: 'g', һ: 'h', н: 'h', і: 'i', ї: 'i', ј: 'j', к: 'k' },
  ...{ ӏ: 'l', м: 'm', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', ѵ: 'v', у: 'y', ү: 'y', ԝ: 'w', х: 'x', ᴢ: 'z' },
  // Greek
  ...{ α: 'a', β: 'b', ϲ: 'c', ε: 'e', η: 'n', ι: 'i', κ: 'k', μ: 'u', ν: 'v', ο: 'o', ρ: 'p', σ: 'o', ς: 's', τ: 't' },
  ...{ υ: 'u', χ: 'x', ω: 'w', ϳ: 'j' },
  // Armenian, Cherokee, and Latin letters that are none of the alphabet
  ...{ օ: 'o', ո: 'n', ս: 'u', հ: 'h', ց: 'g', զ: 'q', յ: 'j', ı: 'i', ɑ: 'a', ɡ: 'g', ɩ: 'i', ⅼ: 'l', ꞵ: 'b' },
};

const isIgnorable = (c: string): boolean => /\p{Cf}|\p{Default_Ignorable_Code_Point}/u.test(c);

const TAG_BASE = 0xe0000;
const BLACK_FLAG = '\u{1f3f4}';
/** A word of such letters only, if shorter, may well be a word of its own script. */
const SHORTEST_WHOLE_WORD = 4;

/** Linear in the text's length, whatever it holds. */
export function undisguise(original: string): Undisguised {
  const parts: string[] = [];
  const origins: number[] = [];
  let hasHidden = false;
  let inFlag = false;
  let at = 0;
  for (const c of original) {
    const point = c.codePointAt(0)!;
    const isTag = point >= TAG_BASE + 0x20 && point <= TAG_BASE + 0x7f;
    if (isTag && !inFlag && point !== TAG_BASE + 0x7f) {
      hasHidden = true;
      add(String.fromCharCode(point - TAG_BASE), at);
    } else if (!isTag && !isIgnorable(c)) {
      add(point < 0x80 ? c : c.normalize('NFKC'), at);
    }
    inFlag = c === BLACK_FLAG || (inFlag && isTag);
    at += c.length;
  }
  return {
    text: latinised(parts.join('')),
    originalAt: (offset) => origins[offset] ?? original.length,
    hasHidden,
  };

  function add(text: string, from: number): void {
    parts.push(text);
    for (let i = 0; i < text.length; i++) origins.push(from);
  }
}

/** Words that mix Latin with letters that look it, or consist of such letters, in Latin. Every letter stays one unit. */
function latinised(text: string): string {
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the range
    if (/^[\x00-\x7f]*$/.test(word)) return word;
    const letters = word.match(/\p{L}/gu) ?? [];
    const lookalikes = letters.filter((letter) => LOOKALIKES[letter.toLowerCase()] !== undefined).length;
    if (lookalikes === 0) return word;
    const isMixed = letters.some((letter) => /[a-z]/i.test(letter));
    if (!isMixed && (lookalikes < letters.length || lookalikes < SHORTEST_WHOLE_WORD)) return word;
    return word.replace(/\p{L}/gu, (letter) => {
      const latin = LOOKALIKES[letter.toLowerCase()];
      if (latin === undefined) return letter;
      return letter === letter.toLowerCase() ? latin : latin.toUpperCase();
    });
  });
}

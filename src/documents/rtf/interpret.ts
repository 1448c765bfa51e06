import type { Block } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import type { LeftOutCount } from '../left-out.ts';
import { encodingOfCharset, encodingOfCodePage } from './code-pages.ts';
import { type Gathering, gatherBlocks } from './gather-blocks.ts';
import { rtfTokens, type Token } from './tokens.ts';

/** What a group has from the one around it. */
interface State {
  /** Where text goes; null: it is not text of the document. */
  readonly into: Gathering | null;
  readonly look: { readonly bold?: boolean; readonly struck?: boolean };
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly font: number;
  readonly inFonts: boolean;
  /** How many characters for older programs follow one that is written as a number. */
  readonly replaced: number;
}

const SIGNS: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  lbr: '\n',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
};

/** Groups whose text is not text of the document. */
const NO_TEXT = new Set(
  `colortbl stylesheet info fldinst nonshppict shprslt sp listtable listoverridetable revtbl rsidtbl xe tc template
  atnid atnauthor bkmkstart bkmkend nonesttables objdata filetbl generator upr listname leveltext levelnumbers`.split(
    /\s+/,
  ),
);
/** Groups that programs may pass over where they do not know them, and that are known here. */
const KNOWN = new Set(['shpinst', 'shppict', 'nesttableprops', 'annotation', 'footnote']);
const LEFT_OUT = { annotation: 'comments', pict: 'pictures', object: 'embedded' } as const;
const BETWEEN_LOOKS = 10_000;

export interface RtfStories {
  readonly headers: Block[];
  readonly text: Block[];
  readonly notes: Block[];
  readonly footers: Block[];
}

/** RTF (specification 1.9.1) to the blocks of its stories. @throws file.too_slow */
export function interpretRtf(source: string, meter: Meter, leaveOut: LeftOutCount['leaveOut']): RtfStories {
  const stories = { header: gatherBlocks(), text: gatherBlocks(), footer: gatherBlocks() };
  const notes: Block[][] = [];
  const encodings = new Map<number, string>();
  const outer: State[] = [];
  /** What to do when the group at a depth ends. */
  const atEnd = new Map<number, () => void>();
  let ansi = encodingOfCodePage(1252);
  let state: State = {
    into: stories.text,
    look: {},
    hidden: false,
    deleted: false,
    font: 0,
    inFonts: false,
    replaced: 1,
  };
  let coded = '';
  let toPass = 0;
  let mayPass = false;

  const put = (text: string) => {
    if (!state.into) return;
    if (state.hidden) leaveOut('hidden');
    else if (state.deleted) leaveOut('changes');
    else state.into.add({ ...state.look, text });
  };
  const decode = () => {
    if (coded && !state.inFonts)
      put(new TextDecoder(encodings.get(state.font) ?? ansi).decode(Buffer.from(coded, 'latin1')));
    coded = '';
  };
  const divert = (finish: (blocks: Block[], back: Gathering | null) => void) => {
    const own = gatherBlocks();
    const back = state.into;
    state = { ...state, into: back && own };
    atEnd.set(outer.length, () => finish(own.blocks(), back));
  };
  const startNote = () => {
    const at = notes.push([]);
    put(`[${at}]`);
    divert((blocks) => {
      const [first, ...more] = blocks;
      if (first && first.kind !== 'table')
        notes[at - 1] = [{ kind: 'item', level: 0, label: `[${at}]`, spans: first.spans }, ...more];
    });
  };
  const startGroup = (word: string): boolean => {
    const margin = /^(header|footer)[lrf]?$/.exec(word)?.[1] as 'header' | 'footer' | undefined;
    if (margin) state = { ...state, into: state.into && stories[margin] };
    else if (word === 'fonttbl') state = { ...state, into: null, inFonts: true };
    else if (word === 'footnote') startNote();
    else if (word === 'listtext' || word === 'pntext') divert((blocks, back) => back?.label(labelOf(blocks)));
    else if (Object.hasOwn(LEFT_OUT, word)) {
      if (state.into) leaveOut(LEFT_OUT[word as keyof typeof LEFT_OUT]);
      // What an embedded file shows may be text.
      if (word !== 'object') state = { ...state, into: null };
    } else if (NO_TEXT.has(word)) state = { ...state, into: null };
    else return false;
    return true;
  };
  const control = (word: string, value: number | null) => {
    const on = value !== 0;
    if (word === 'ansicpg') ansi = encodingOfCodePage(value ?? 1252);
    else if (word === 'f') state = { ...state, font: value ?? 0 };
    else if (word === 'fcharset') {
      const encoding = encodingOfCharset(value ?? 0);
      if (state.inFonts && encoding) encodings.set(state.font, encoding);
    } else if (word === 'uc') state = { ...state, replaced: value ?? 1 };
    else if (word === 'u') {
      put(String.fromCharCode((value ?? 0) & 0xffff));
      toPass = state.replaced;
    } else if (word === 'plain') state = { ...state, look: {}, hidden: false, deleted: false };
    else if (word === 'b') state = { ...state, look: { ...state.look, bold: on } };
    else if (word === 'strike' || word === 'striked') state = { ...state, look: { ...state.look, struck: on } };
    else if (word === 'v') state = { ...state, hidden: on };
    else if (word === 'deleted') state = { ...state, deleted: on };
    else if (Object.hasOwn(SIGNS, word)) put(SIGNS[word]!);
    else state.into?.control(word, value);
  };
  const read = (token: Token) => {
    if (token.kind === 'text') {
      coded += token.text.slice(toPass);
      toPass = Math.max(0, toPass - token.text.length);
      return;
    }
    decode();
    if (token.kind === 'word' && toPass > 0 && Object.hasOwn(SIGNS, token.word)) {
      toPass -= 1;
      return;
    }
    toPass = 0;
    if (token.kind === 'open') outer.push(state);
    else if (token.kind === 'close') {
      atEnd.get(outer.length)?.();
      atEnd.delete(outer.length);
      state = outer.pop() ?? state;
    } else if (token.word === '*') mayPass = true;
    else {
      if (mayPass && !KNOWN.has(token.word)) state = { ...state, into: null };
      mayPass = false;
      if (!startGroup(token.word)) control(token.word, token.value);
    }
  };

  let tokens = 0;
  for (const token of rtfTokens(source)) {
    tokens += 1;
    if (tokens % BETWEEN_LOOKS === 0) meter.checkTime();
    read(token);
  }
  decode();
  const { header, text, footer } = stories;
  return { headers: header.blocks(), text: text.blocks(), notes: notes.flat(), footers: footer.blocks() };
}

/** A bullet is a sign of some font. */
function labelOf(blocks: readonly Block[]): string {
  const text = blocks.map((block) => ('spans' in block ? block.spans.map((span) => span.text).join('') : '')).join('');
  return /[\p{L}\p{N}]/u.test(text) ? text.trim() : '-';
}

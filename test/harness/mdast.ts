import type { Heading, List, ListItem, Nodes, Parents, PhrasingContent, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfm } from 'micromark-extension-gfm';
import type { Block } from '../../src/text/markdown-blocks.ts';
import { readOrdinal } from '../../src/text/ordinal.ts';

/** The tree of a text by CommonMark, GFM and emphasis that Chinese may touch: the oracle of our own reader. */
export function parseMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm(), cjkFriendlyExtension()], mdastExtensions: [gfmFromMarkdown()] });
}

/** A block as both readers can tell it: where it is, what it is, what it belongs to. */
export interface Outline {
  readonly kind: Block['kind'];
  readonly start: number;
  readonly end: number;
  /** The prose with one space for each run of spaces, new lines and quote marks; cells one by one; empty for code. */
  readonly prose: string | readonly string[];
  readonly level: number;
  /** The number in the source, null for bullets. */
  readonly number: number | null;
  /** Start of the item around it, -1 for none. */
  readonly parent: number;
  /** Start of the heading above it, -1 for none. */
  readonly heading: number;
}

export const prose = (text: string): string => text.replace(/\s*\n[\s>]*/g, ' ').trim();

/** What our reader found, in the terms of `Outline`. */
export function outlineOf(text: string, blocks: readonly Block[]): Outline[] {
  return blocks.map((block) => ({
    kind: block.kind,
    start: block.start,
    end: block.end,
    prose:
      block.kind === 'code'
        ? ''
        : block.kind === 'row'
          ? block.cells.map((cell) => text.slice(cell.start, cell.end))
          : prose(text.slice(block.content, block.end)),
    level: block.level,
    number: block.kind === 'item' ? (block.ordinal?.value ?? null) : null,
    parent: blocks[block.parent]?.start ?? -1,
    heading: blocks[block.heading]?.start ?? -1,
  }));
}

interface Place {
  readonly parent: number;
  readonly level: number;
  heading: number;
}

/**
 * What CommonMark finds. Quotes give no block of their own; an item is one with its first paragraph; a heading's number
 * is no part of its prose; the headings that begin at `boldLines` are of level 7.
 */
export function outlineOfTree(text: string, tree: Root, boldLines: ReadonlySet<number> = new Set()): Outline[] {
  const outlines: Outline[] = [];
  visitAll(tree.children, { parent: -1, level: 0, heading: -1 });
  return outlines;

  /**
   * Visits what stands beside each other. Bullets directly behind a numbered list belong to its last item: in answers
   * they are what is said about it.
   */
  function visitAll(nodes: readonly Nodes[], at: Place): void {
    let numbered: Place | null = null;
    for (const node of nodes) {
      if (node.type === 'list') numbered = visitList(node, at, numbered);
      else {
        numbered = null;
        visit(node, at);
      }
    }
  }

  /** Visits a list; returns what bullets behind it belong to. */
  function visitList(list: List, at: Place, numbered: Place | null): Place | null {
    const outer = list.ordered || numbered === null ? at : numbered;
    let inner = numbered;
    for (const item of list.children) {
      const place = visitItem(item, list.ordered === true, outer);
      if (list.ordered) inner = place;
    }
    return inner;
  }

  function add(node: Nodes, kind: Block['kind'], at: Place, more: Partial<Outline> = {}): void {
    const { parent, heading } = at;
    outlines.push({ kind, ...span(node), prose: '', level: 0, number: null, parent, heading, ...more });
  }

  function visit(node: Nodes, at: Place): void {
    switch (node.type) {
      case 'heading':
        addHeading(node, at);
        return;
      case 'paragraph':
        add(node, 'paragraph', at, { prose: proseOf(text, node) });
        return;
      case 'code':
        add(node, 'code', at);
        return;
      case 'table':
        for (const row of node.children) {
          const cells = row.children.map((cell) => (cell.children.length === 0 ? '' : text.slice(...inside(cell))));
          add(row, 'row', at, { prose: cells });
        }
        return;
      case 'blockquote':
        visitAll(node.children, at);
        return;
      default:
        return;
    }
  }

  function addHeading(node: Heading, at: Place): void {
    const { start } = span(node);
    const [from, to] = node.children.length === 0 ? [start, start + node.depth] : inside(node);
    const emphasis = /^[*_]{0,3}/.exec(text.slice(from, to))![0].length;
    const ordinal = readOrdinal(text, from + emphasis, to);
    const isBold = boldLines.has(start);
    const content = isBold ? from + 2 : (ordinal?.end ?? from);
    const isEmpty = node.children.length === 0;
    add(node, 'heading', at, {
      level: isBold ? 7 : node.depth,
      end: to,
      prose: isEmpty ? '' : prose(text.slice(content, to)),
    });
    at.heading = start;
  }

  function visitItem(item: ListItem, ordered: boolean, at: Place): Place {
    const { start } = span(item);
    const [first, ...rest] = item.children;
    const number = ordered ? numberAt(text, start) : null;
    const isProse = first?.type === 'paragraph';
    const end = isProse ? span(first).end : text.slice(start).search(/\s|$/) + start;
    add(item, 'item', at, { level: at.level, number, end, prose: isProse ? proseOf(text, first) : '' });
    const inner: Place = { parent: start, level: at.level + 1, heading: at.heading };
    visitAll(isProse ? rest : item.children, inner);
    return inner;
  }
}

/** The number of the item in the source, which CommonMark counts on from the first of its list. */
function numberAt(text: string, start: number): number {
  const mark = /^(?:[-*+–]\s+|[•●○▪◦·]\s*)?[*_]{0,3}/.exec(text.slice(start, start + 8))![0];
  return readOrdinal(text, start + mark.length, text.length)!.value;
}

export function span(node: Nodes): { start: number; end: number } {
  return { start: node.position!.start.offset!, end: node.position!.end.offset! };
}

function inside(node: Parents): [number, number] {
  const [first, last] = [node.children[0]!, node.children.at(-1)!];
  return [span(first as PhrasingContent).start, span(last as PhrasingContent).end];
}

const proseOf = (text: string, node: Parents) => (node.children.length === 0 ? '' : prose(text.slice(...inside(node))));

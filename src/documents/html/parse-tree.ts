import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, type TreeAdapter } from 'parse5';
import { CodedError } from '../../errors/coded-error.ts';
import type { Meter } from '../budgets.ts';

export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;
export type HtmlNode = DefaultTreeAdapterTypes.ChildNode;

/** Deeper nesting than people write; far below where the call stack ends. */
const DEEPEST = 400;
/** An element of this tree takes as much memory as so many of a tree of XML. */
const WEIGHT = 2;
/** How many elements are made between two looks at the clock. */
const BETWEEN_LOOKS = 1_000;

/**
 * HTML to a tree, as browsers do it. Depth and number of elements are held while the tree grows: the algorithm looks
 * through all open elements again and again, and may open one that was closed many times anew.
 * @throws file.too_deep, file.too_large, file.too_slow
 */
export function parseTree(html: string, meter: Meter): HtmlParent {
  const depths = new WeakMap<object, number>();
  let elements = 0;
  const place = (parent: object, node: object) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    if (depth > DEEPEST) throw new CodedError('file.too_deep', 'permanent', 'the page nests its elements too deep');
    depths.set(node, depth);
  };
  const treeAdapter: TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> = {
    ...defaultTreeAdapter,
    createElement(...args) {
      elements += 1;
      meter.take('elements', WEIGHT);
      if (elements % BETWEEN_LOOKS === 0) meter.checkTime();
      return defaultTreeAdapter.createElement(...args);
    },
    appendChild(parent, node) {
      place(parent, node);
      defaultTreeAdapter.appendChild(parent, node);
    },
    insertBefore(parent, node, before) {
      place(parent, node);
      defaultTreeAdapter.insertBefore(parent, node, before);
    },
  };
  return parse(html, { treeAdapter, scriptingEnabled: false });
}

export const isElement = (node: HtmlNode): node is HtmlElement => 'tagName' in node;

export const attributeOf = (element: HtmlElement, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value;

/** All text within, as it is written. */
export const textOf = (node: HtmlNode | HtmlParent): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

import rehypeParse from 'rehype-parse';
import rehypeRemark from 'rehype-remark';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import { CodedError } from '../../errors/coded-error.ts';
import { decodeText } from '../decode-text.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

/** Deeper nesting than people write; far below where the call stack ends. */
const DEEPEST = 400;

/** The parts of a syntax tree (hast) that are used here. */
interface Element {
  readonly type: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Element[];
}

export function readHtml(bytes: Uint8Array): Reading {
  const markdown = htmlToMarkdown(decodeHtml(bytes));
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings: [] };
}

/** A byte order mark and what is valid UTF-8 count more than what the page says about itself. */
function decodeHtml(bytes: Uint8Array): string {
  const { text, encoding } = decodeText(bytes);
  if (encoding !== 'windows-1252' && encoding !== 'gb18030') return text;
  const said = /<meta[^>]{0,200}charset=["']?([\w-]+)/i.exec(text.slice(0, 4096))?.[1];
  try {
    return said ? new TextDecoder(said).decode(bytes) : text;
  } catch {
    return text;
  }
}

/**
 * What a reader of the page sees, as Markdown: no scripts, no styles, nothing hidden, no links that run something.
 * @throws file.too_deep
 */
export function htmlToMarkdown(html: string): string {
  try {
    const tree = unified().use(rehypeParse).parse(html);
    cleanTree(tree as Element);
    const markdown = unified().use(rehypeRemark).runSync(tree);
    const out = unified().use(remarkGfm, { tablePipeAlign: false }).use(remarkStringify, { bullet: '-', rule: '-' });
    return out.stringify(markdown as never).trim();
  } catch (error) {
    // The parser recurses before anything here can look at its tree.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

function tooDeep(): CodedError {
  return new CodedError('file.too_deep', 'permanent', 'the page nests its elements too deep');
}

const DROPPED = new Set(
  'script style noscript template iframe object embed svg math canvas audio video link meta title'.split(' '),
);

function cleanTree(root: Element): void {
  const open = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, depth } = next;
    if (depth > DEEPEST) throw tooDeep();
    if (!node.children) continue;
    node.children = node.children.filter((child) => !isDropped(child));
    if (node.tagName === 'table') promoteFirstRow(node);
    for (const child of node.children) {
      if (child.tagName === 'a' && !isPlainAddress(child.properties?.href)) child.tagName = 'span';
      open.push({ node: child, depth: depth + 1 });
    }
  }
}

function isDropped(node: Element): boolean {
  if (node.type === 'comment') return true;
  if (node.type !== 'element') return false;
  if (DROPPED.has(node.tagName!)) return true;
  const { hidden, style, src, alt } = node.properties ?? {};
  if (hidden !== undefined && hidden !== null && hidden !== false) return true;
  if (node.tagName === 'img' && !alt && !/^https?:/i.test(String(src ?? ''))) return true;
  if (node.tagName === 'img' && /^data:/i.test(String(src))) node.properties = { ...node.properties, src: '' };
  return /(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(px|pt|em|%)?\s*(;|!|$)|opacity\s*:\s*0\s*(;|!|$))/i.test(
    String(style ?? ''),
  );
}

/** Browsers skip control characters and spaces in a scheme, so they are taken out before looking. */
function isPlainAddress(href: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const address = String(href ?? '').replace(/[\x00-\x20]/g, '');
  return /^(https?:|mailto:|tel:|[^:]*$|[/#?])/i.test(address) && address !== '';
}

/** A Markdown table has a head: without one the first row is it, else the head would stand there empty. */
function promoteFirstRow(table: Element): void {
  let rows = table.children ?? [];
  while (rows.length && !rows.some((one) => one.tagName === 'tr')) {
    rows = rows.flatMap((one) => (/^(thead|tbody|tfoot)$/.test(one.tagName ?? '') ? (one.children ?? []) : []));
  }
  for (const cell of rows.find((one) => one.tagName === 'tr')?.children ?? []) {
    if (cell.tagName === 'td') cell.tagName = 'th';
  }
}

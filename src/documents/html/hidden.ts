import { attributeOf, type HtmlElement, type HtmlParent, isElement, textOf } from './parse-tree.ts';

/** Values of properties by which something is there and nobody sees it. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none/,
  visibility: /^hidden/,
  'font-size': /^0(px|pt|em|%)?$/,
  'max-height': /^0(px)?$/,
  opacity: /^0$/,
  'mso-hide': /^all/,
  color: /^transparent/,
  'text-indent': /^-\d{3}/,
  left: /^-\d{4}/,
  top: /^-\d{4}/,
  clip: /^rect\([01]/,
};

function declarationsIn(text: string): (readonly [string, string])[] {
  return text.split(';').map((declaration) => {
    const colon = declaration.indexOf(':');
    const value = declaration.slice(colon + 1).replace('!important', '');
    return [declaration.slice(0, Math.max(0, colon)).trim().toLowerCase(), value.trim().toLowerCase()];
  });
}

const hides = (text: string): boolean =>
  declarationsIn(text).some(([name, value]) => Object.hasOwn(HIDING, name) && HIDING[name]!.test(value));
const shows = (text: string): boolean =>
  declarationsIn(text).some(([name, value]) => name === 'display' && !value.startsWith('none'));

/**
 * Says which elements a page hides: by an attribute, by their own style, or by a rule of its style sheets for a class or
 * an id. A class that other rules show again counts as shown; what the colours hide is not looked for.
 */
export function findHidden(root: HtmlParent): (element: HtmlElement) => boolean {
  const hidden = new Set<string>();
  const shown = new Set<string>();
  for (const { selectors, declarations } of rulesIn(root)) {
    const names = selectors.match(/[.#][\w-]+/g) ?? [];
    if (hides(declarations)) for (const one of selectors.split(',')) hidden.add(one.trim().replace(/^\w+(?=[.#])/, ''));
    else if (shows(declarations)) for (const name of names) shown.add(name);
  }
  return (element) => {
    if (attributeOf(element, 'hidden') !== undefined || hides(attributeOf(element, 'style') ?? '')) return true;
    if (!hidden.size) return false;
    const classes = (attributeOf(element, 'class') ?? '').split(/\s+/).map((name) => `.${name}`);
    return [...classes, `#${attributeOf(element, 'id') ?? ''}`].some((name) => hidden.has(name) && !shown.has(name));
  };
}

interface Rule {
  readonly selectors: string;
  readonly declarations: string;
}

function rulesIn(root: HtmlParent): Rule[] {
  const rules: Rule[] = [];
  for (const sheet of elementsNamed(root, 'style')) {
    const css = withoutComments(textOf(sheet));
    // What is within another rule (for small screens, for print) does not hold for everybody.
    let outer = 0;
    let from = 0;
    let selectors = '';
    for (let at = 0; at < css.length; at += 1) {
      if (css[at] === '{') {
        if (outer === 0) selectors = css.slice(from, at).trim();
        from = at + 1;
        outer += 1;
      } else if (css[at] === '}') {
        outer = Math.max(0, outer - 1);
        if (outer === 0 && !selectors.startsWith('@')) rules.push({ selectors, declarations: css.slice(from, at) });
        from = at + 1;
      }
    }
  }
  return rules;
}

function withoutComments(css: string): string {
  const [first = '', ...more] = css.split('/*');
  return first + more.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : '')).join(' ');
}

function* elementsNamed(parent: HtmlParent, name: string): Generator<HtmlElement> {
  for (const child of parent.childNodes) {
    if (!isElement(child)) continue;
    if (child.tagName === name) yield child;
    else yield* elementsNamed(child, name);
  }
}

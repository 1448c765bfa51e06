import { childNamed, elementsIn, textIn, type XmlElement } from './read-xml.ts';

/**
 * A formula of Office (OMML) or of the web (MathML) as one line: `(a+b)/c`, `x^2`, `√(x)`, `∑_(i=1)^n i`.
 */
export function formulaText(element: XmlElement): string {
  const [prefix = '', kind = ''] = element.name.split(':');
  if (prefix === 'm') return ofOffice(element, kind);
  if (prefix === 'math') return ofWeb(element, kind);
  return element.name === 'w:del' || element.name === 'w:moveFrom' ? '' : formulasIn(element);
}

const formulasIn = (element: XmlElement): string => elementsIn(element).map(formulaText).join('');

function ofOffice(element: XmlElement, kind: string): string {
  const part = (name: string) => {
    const child = childNamed(element, `m:${name}`);
    return child ? formulasIn(child) : '';
  };
  const parts = () =>
    elementsIn(element)
      .filter(({ name }) => name === 'm:e')
      .map(formulasIn);
  const sign = (properties: string, name: string, otherwise: string) => {
    const child = childNamed(childNamed(element, `m:${properties}`) ?? element, `m:${name}`);
    return child ? (child.attributes['m:val'] ?? '') : otherwise;
  };
  switch (kind) {
    case 't':
      // Word marks the application of a function with a sign that is not seen.
      return textIn(element).replace(/[\u2061-\u2064]/g, '');
    case 'f':
      if (sign('fPr', 'type', '') === 'noBar') return `(${part('num')}¦${part('den')})`;
      return `${grouped(part('num'))}/${grouped(part('den'))}`;
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
    case 'sPre':
      return `${part('e')}${raised(part('sub'), part('sup'))}`;
    case 'rad':
      return rooted(part('deg'), part('e'));
    case 'nary':
      return `${sign('naryPr', 'chr', '∫')}${raised(part('sub'), part('sup'))} ${part('e')}`;
    case 'd':
      return `${sign('dPr', 'begChr', '(')}${parts().join(sign('dPr', 'sepChr', '|'))}${sign('dPr', 'endChr', ')')}`;
    case 'func':
      return applied(part('fName'), part('e'));
    case 'limLow':
      return `${part('e')}${raised(part('lim'), '')}`;
    case 'limUpp':
      return `${part('e')}${raised('', part('lim'))}`;
    case 'acc':
      return `${part('e')}${sign('accPr', 'chr', '\u0302')}`;
    case 'm':
      return `[${elementsIn(element)
        .filter(({ name }) => name === 'm:mr')
        .map(formulaText)
        .join('; ')}]`;
    case 'mr':
      return parts().join(', ');
    case 'eqArr':
      return parts().join('; ');
    default:
      return kind.endsWith('Pr') ? '' : formulasIn(element);
  }
}

function ofWeb(element: XmlElement, kind: string): string {
  const parts = elementsIn(element).map(formulaText);
  const [first = '', second = '', third = ''] = parts;
  switch (kind) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      return textIn(element).trim();
    case 'mfrac':
      return `${grouped(first)}/${grouped(second)}`;
    case 'msup':
    case 'mover':
      return `${first}${raised('', second)}`;
    case 'msub':
    case 'munder':
      return `${first}${raised(second, '')}`;
    case 'msubsup':
    case 'munderover':
      return `${first}${raised(second, third)}`;
    case 'msqrt':
      return rooted('', parts.join(''));
    case 'mroot':
      return rooted(second, first);
    case 'mfenced':
      return `(${parts.join(', ')})`;
    case 'mtable':
      return `[${parts.join('; ')}]`;
    case 'mtr':
      return parts.join(', ');
    case 'semantics':
      return first;
    case 'annotation':
    case 'annotation-xml':
      return '';
    default:
      return parts.join('');
  }
}

const grouped = (text: string): string => (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`);

const raised = (low: string, high: string): string => `${low && `_${grouped(low)}`}${high && `^${grouped(high)}`}`;

const rooted = (degree: string, inner: string): string =>
  degree ? `root(${degree}, ${inner})` : `√${[...inner].length === 1 ? inner : `(${inner})`}`;

const applied = (name: string, argument: string): string => `${name}${/^[([]/.test(argument) ? '' : ' '}${argument}`;

import { expect, test } from 'vitest';
import { DEFAULT_BUDGETS, startMeter } from './budgets.ts';
import { formulaText } from './formula-text.ts';
import { readXml } from './read-xml.ts';

const textOf = (xml: string) =>
  formulaText(
    readXml(
      Buffer.from(xml),
      startMeter(DEFAULT_BUDGETS, () => 0),
    ),
  );
const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (text: string) => `<m:e>${r(text)}</m:e>`;

test.each([
  [`<m:f><m:num>${r('1')}</m:num><m:den>${r('a+b')}</m:den></m:f>`, '1/(a+b)'],
  [`<m:f><m:fPr><m:type m:val="noBar"/></m:fPr><m:num>${r('n')}</m:num><m:den>${r('k')}</m:den></m:f>`, '(n¦k)'],
  [`<m:sSup>${e('x')}<m:sup>${r('n+1')}</m:sup></m:sSup>`, 'x^(n+1)'],
  [`<m:sSubSup>${e('x')}<m:sub>${r('i')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>`, 'x_i^2'],
  [`<m:rad><m:deg/>${e('x+1')}</m:rad>`, '√(x+1)'],
  [`<m:rad><m:deg>${r('3')}</m:deg>${e('x')}</m:rad>`, 'root(3, x)'],
  [
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup>${e('i')}</m:nary>`,
    '∑_(i=1)^n i',
  ],
  [`<m:nary><m:sub/><m:sup/>${e('x')}</m:nary>`, '∫ x'],
  [`<m:d>${e('a')}${e('b')}</m:d>`, '(a|b)'],
  [
    `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val=""/><m:sepChr m:val=","/></m:dPr>${e('a')}${e('b')}</m:d>`,
    '[a,b',
  ],
  [`<m:func><m:fName>${r('sin')}</m:fName>${e('x')}</m:func>`, 'sin x'],
  [`<m:limLow>${e('lim')}<m:lim>${r('x→0')}</m:lim></m:limLow>`, 'lim_(x→0)'],
  [`<m:m><m:mr>${e('a')}${e('b')}</m:mr><m:mr>${e('c')}${e('d')}</m:mr></m:m>`, '[a, b; c, d]'],
  [`<w:ins>${r('a')}</w:ins><w:del>${r('b')}</w:del>`, 'a'],
])('OMML %s', (xml, expected) => {
  const names =
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  expect(textOf(`<m:oMath ${names}>${xml}</m:oMath>`)).toBe(expected);
});

test.each([
  ['<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>', 'a/(b+1)'],
  ['<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_i^2'],
  ['<msqrt><mi>x</mi></msqrt>', '√x'],
  ['<mroot><mi>x</mi><mn>3</mn></mroot>', 'root(3, x)'],
  ['<mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>', '[a, b]'],
  ['<semantics><mi>a</mi><annotation encoding="StarMath 5.0">{a}</annotation></semantics>', 'a'],
])('MathML %s', (xml, expected) => {
  expect(textOf(`<math xmlns="http://www.w3.org/1998/Math/MathML">${xml}</math>`)).toBe(expected);
});

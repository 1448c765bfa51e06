import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentLines, unmarked } from './document-lines.ts';

const cells = (text: string) => documentLines(text).all.map((line) => line.cells.map((cell) => cell.text));

test.each([
  ['a   b', [['a', 'b']]],
  [
    '| a | b\\|c |\n| --- | --- |\n| 1 |  |',
    [
      ['a', 'b\\|c'],
      ['1', ''],
    ],
  ],
  ['合   计   ¥5', [['合计', '¥5']]],
  ['## Title\n\n**Bold**\n- item', [['Title'], ['Bold'], ['item']]],
])('the cells of %j', (text, wanted) => {
  expect(cells(text).map((line) => line.map((cell) => cell.replace('b|c', 'b\\|c')))).toEqual(wanted);
});

test('cells say where they stand', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '甲', ' ', '|', '\n', '*', '\\', '#', '-', '\t', '　') });
  fc.assert(
    fc.property(text, (markdown) => {
      for (const { cells } of documentLines(markdown).all)
        for (const cell of cells)
          if (cell.text !== '' && cell.text.length === cell.end - cell.start)
            expect(markdown.slice(cell.start, cell.end)).toBe(cell.text);
    }),
  );
});

const MAIL = '- From: Jay <j@x.example>\n- To: Kay\n- Subject: Papers\n\nPlease see the attachment.';

test('of a mail that carries a document the document is what counts', () => {
  const carrier = documentLines(`${MAIL}\n\n## Attachment: a.pdf\n\n${'INVOICE of some length. '.repeat(5)}`);
  expect(carrier.isAttached).toBe(true);
  expect(carrier.main[0]!.cells[0]!.text).toMatch(/^INVOICE/);
  expect(carrier.mail).toEqual({ from: 'Jay <j@x.example>', to: 'Kay', subject: 'Papers' });
});

test.each([
  ['without an attachment', MAIL],
  ['with one that could not be read', `${MAIL}\n\n## Attachment: a.zip\n\n(not read: file.unsupported)`],
])('a mail %s is itself the document', (_name, text) => {
  const mail = documentLines(text);
  expect(mail.isAttached).toBe(false);
  expect(mail.main[0]!.cells[0]!.text).toBe('Please see the attachment.');
});

test.each([
  ['**a**', 'a'],
  ['\\*文具\\*笔', '*文具*笔'],
  ['[x@y.example](mailto:x@y.example)', 'x@y.example'],
  ['line\\', 'line'],
])('%s is printed as %s', (raw, text) => {
  expect(unmarked(raw)).toBe(text);
});

// Word, Excel and mail files.
import * as xlsx from '@e965/xlsx';
import * as word from 'docx';
import { unzipSync, zipSync } from 'fflate';

const ZIP_TIME = new Date(2026, 0, 1);

/** Writes a zip again with fixed times and order, so that the same content gives the same bytes. */
function settled(zip, made) {
  const entries = Object.entries(unzipSync(new Uint8Array(zip)));
  const fixed = {};
  for (const [name, data] of entries) {
    const text = name === 'docProps/core.xml' ? Buffer.from(data).toString() : null;
    const content = text === null ? data : Buffer.from(text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, made));
    fixed[name] = [new Uint8Array(content), { mtime: ZIP_TIME, level: 9 }];
  }
  return Buffer.from(zipSync(fixed));
}

const run = (text, options = {}) => new word.TextRun({ text, ...options });

/** A paragraph: [text], with `bold`, `size` (points), `align`, `heading`; tabs in the text are tabs. */
export function para(text, { bold = false, size, align, heading } = {}) {
  const parts = text.split('\t').flatMap((part, i) => {
    const children = i === 0 ? [] : [new word.Tab()];
    return [new word.TextRun({ children: [...children, part], bold, ...(size ? { size: size * 2 } : {}) })];
  });
  return new word.Paragraph({
    children: parts,
    ...(align ? { alignment: { centre: 'center', right: 'right' }[align] } : {}),
    ...(heading ? { heading: `Heading${heading}` } : {}),
    spacing: { after: 120 },
  });
}

/** A table of strings; `widths` in twentieths of a point. */
export function grid(rows, widths, { borders = true } = {}) {
  const none = { style: 'none', size: 0, color: 'FFFFFF' };
  const sides = { top: none, bottom: none, left: none, right: none, insideHorizontal: none, insideVertical: none };
  return new word.Table({
    columnWidths: widths,
    ...(borders ? {} : { borders: sides }),
    rows: rows.map(
      (row) =>
        new word.TableRow({
          children: row.map(
            (cell, i) =>
              new word.TableCell({
                width: { size: widths[i], type: 'dxa' },
                children: String(cell)
                  .split('\n')
                  .map((line) => new word.Paragraph({ children: [run(line)] })),
              }),
          ),
        }),
    ),
  });
}

/** A Word file; `header` and `footer` are texts. */
export async function docx(children, made, { header, footer } = {}) {
  const file = new word.Document({
    creator: 'Office',
    title: '',
    styles: { default: { document: { run: { font: { ascii: 'Arial', eastAsia: 'SimSun' }, size: 21 } } } },
    sections: [
      {
        children,
        ...(header ? { headers: { default: new word.Header({ children: [para(header)] }) } } : {}),
        ...(footer ? { footers: { default: new word.Footer({ children: [para(footer)] }) } } : {}),
      },
    ],
  });
  return settled(await word.Packer.toBuffer(file), made);
}

/** The serial number by which a spreadsheet keeps an ISO date. */
const serial = (iso) => (Date.parse(`${iso}T00:00:00Z`) - Date.UTC(1899, 11, 30)) / 86_400_000;

export const dateCell = (iso, format) => ({ t: 'n', v: serial(iso), z: format });
export const numberCell = (decimal, format) => ({ t: 'n', v: Number(decimal), z: format });

/** An Excel file; sheets are {name, rows, widths?, merges?}, a cell a string, number or cell of the two above. */
export function workbook(sheets, made) {
  const book = xlsx.utils.book_new();
  for (const { name, rows, widths } of sheets) {
    const sheet = xlsx.utils.aoa_to_sheet(rows);
    if (widths) sheet['!cols'] = widths.map((wch) => ({ wch }));
    xlsx.utils.book_append_sheet(book, sheet, name);
  }
  book.Props = { CreatedDate: new Date(made), ModifiedDate: new Date(made) };
  return settled(xlsx.write(book, { type: 'buffer', bookType: 'xlsx', compression: true }), made);
}

const encoded = (text) =>
  /^[\x20-\x7e]*$/.test(text)
    ? text
    : (text.match(/.{1,10}/gu) ?? [])
        .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
        .join('\r\n ');
const folded = (data) => Buffer.from(data).toString('base64').replace(/.{76}/g, '$&\r\n');

const TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** A mail; `html` beside `text` makes alternatives, attachments are {name, data}. */
export function eml({ from, to, subject, date, text, html, attachments = [], seed }) {
  const boundary = `=_part_${seed}`;
  const address = ([name, mail]) => `${encoded(name)} <${mail}>`;
  const body = (type, content) => [
    `Content-Type: text/${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    folded(content),
  ];
  const content = html
    ? [
        `Content-Type: multipart/alternative; boundary="${boundary}alt"`,
        '',
        `--${boundary}alt`,
        ...body('plain', text),
        `--${boundary}alt`,
        ...body('html', html),
        `--${boundary}alt--`,
        '',
      ]
    : body('plain', text);
  const lines = [
    `From: ${address(from)}`,
    `To: ${address(to)}`,
    `Subject: ${encoded(subject)}`,
    `Date: ${date}`,
    `Message-ID: <${seed}@mail.example>`,
    'MIME-Version: 1.0',
  ];
  if (attachments.length === 0) return Buffer.from([...lines, ...content].join('\r\n'));
  lines.push(`Content-Type: multipart/mixed; boundary="${boundary}"`, '', `--${boundary}`, ...content);
  for (const { name, data } of attachments) {
    lines.push(
      `--${boundary}`,
      `Content-Type: ${TYPES[name.split('.').pop()]}; name="${encoded(name)}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      '',
      folded(data),
    );
  }
  lines.push(`--${boundary}--`, '');
  return Buffer.from(lines.join('\r\n'));
}

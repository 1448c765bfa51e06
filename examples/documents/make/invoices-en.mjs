import { date } from './format.mjs';
import { excelFile, jpegImage, mail, mixedPdf, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { invoice } from './invoice.mjs';
import {
  american,
  e1,
  e2,
  e3,
  e4,
  e4page,
  e5,
  e6,
  e7,
  e8,
  e9,
  german,
  glasswing,
  half,
  overleaf,
  plain,
} from './invoice-layouts-en.mjs';
import { dateCell, grid, numberCell, para } from './office.mjs';

const en = (v, due, form, extra) => invoice('en', v, due, form, extra);

export const invoicesEn = [
  en(
    e1,
    '2026-04-04',
    textPdf([
      american(e1, {
        due: '2026-04-04',
        lines: [
          ['Data audit, on site', '4', '$950.00', '$3,800.00'],
          ['Quarterly report', '1', '$1,000.00', '$1,000.00'],
        ],
      }),
    ]),
  ),
  en(e2, '2026-04-04', scannedPdf([german(e2)], { skew: -0.7 })),
  en(
    e3,
    '2026-05-17',
    wordFile([
      para(e3.seller, { bold: true, size: 16 }),
      para('Unit 9, Sample Wharf, Exampleton EX2 0BB · VAT Reg. GB 000 0000 00'),
      para('SALES INVOICE', { heading: 1 }),
      grid(
        [
          ['Invoice No.', e3.no, 'Customer', e3.buyer],
          ['Invoice Date', date(e3.on, 'dmy'), 'Payment Due', date('2026-05-17', 'dmy')],
        ],
        [1500, 2300, 1600, 3400],
        { borders: false },
      ),
      para(''),
      grid(
        [
          ['Description', 'Net'],
          ['Re-upholstery of 10 lounge chairs', '£1,900.00'],
          ['Collection and delivery', '£250.00'],
          ['Net total', '£2,150.00'],
          ['VAT @ 20%', '£430.00'],
          ['Total due', '£2,580.00'],
        ],
        [6400, 2400],
      ),
    ]),
    { note: '03/05/2026: day first, as the due date 17/05/2026, pounds and the VAT number show' },
  ),
  en(
    e4,
    '2026-03-03',
    mail(
      {
        from: ['Northwind Hosting Billing', 'billing@northwind.example'],
        to: ['Paperkite Studio', 'office@paperkite.example'],
        subject: 'Your invoice NW-55021 from Northwind Hosting Co.',
        date: 'Tue, 17 Feb 2026 08:14:00 +0000',
        text: 'Hello,\n\nplease find attached our invoice for this month. We will charge the card on file on the due date.\n\nKind regards\nNorthwind Hosting Billing\n',
      },
      [{ name: 'NW-55021.pdf', form: textPdf([e4page]) }],
    ),
  ),
  en(
    e5,
    '2026-07-14',
    excelFile([
      {
        name: 'Invoice',
        widths: [24, 30, 14],
        rows: [
          ['Quayside Translations B.V.'],
          ['INVOICE'],
          [],
          ['Invoice number', e5.no],
          ['Invoice date', dateCell(e5.on, 'dd/mm/yyyy')],
          ['Due date', dateCell('2026-07-14', 'dd/mm/yyyy')],
          ['Bill to', e5.buyer],
          [],
          ['Service', 'Words', 'Amount'],
          ['Translation NL-EN, catalogue', 12400, numberCell('1612.00', '"€"#,##0.00')],
          ['Proofreading', 12400, numberCell('248.00', '"€"#,##0.00')],
          ['', 'Subtotal', numberCell(e5.net, '"€"#,##0.00')],
          ['', 'VAT 21%', numberCell(e5.tax, '"€"#,##0.00')],
          ['', 'Total', numberCell(e5.total, '"€"#,##0.00')],
        ],
      },
      { name: 'Notes', rows: [['Rates are those of the framework of 2025; next review 01/01/2027.']] },
    ]),
    { note: 'dates are typed cells shown as dd/mm/yyyy' },
  ),
  en(
    e6,
    '2026-02-21',
    rotatedPdf(
      [
        plain(e6, {
          title: 'INVOICE',
          meta: [
            ['Invoice No', e6.no],
            ['Date', date(e6.on, 'monUs')],
            ['Customer', e6.buyer],
            ['Terms', `Net 30, due ${date('2026-02-21', 'monUs')}`],
          ],
          rows: [
            ['Winter pruning, 53 trees', '1060.00'],
            ['Removal of brush', '265.00'],
          ],
          totals: [
            ['Subtotal', e6.net],
            ['Tax 8%', e6.tax],
            ['Total Due', e6.total],
          ],
          size: 12,
        }),
      ],
      [180],
      { flag: false, scanner: { skew: 0.4 } },
    ),
  ),
  en(e7, '2026-09-13', mixedPdf([half, overleaf], [1])),
  en(
    e8,
    null,
    jpegImage(
      plain(e8, {
        title: 'Invoice',
        meta: [
          ['Invoice no.', e8.no],
          ['Date', date(e8.on, 'uk')],
        ],
        rows: [
          ['New chain fitted', '48.00'],
          ['Brake pads, pair', '22.50'],
          ['Call-out', '16.00'],
        ],
        totals: [['Total', e8.total]],
        size: 13,
        foot: 'Not registered for sales tax. Cash or transfer within 14 days, please.',
      }),
      { dpi: 120, skew: 1.3, noise: 14, paper: 232 },
    ),
  ),
  en(e9, null, textPdf([glasswing(e9)]), {
    note: 'no currency is named, so one that is guessed is wrong',
    ambiguous: [
      {
        field: 'issued_on',
        accept: ['2026-05-03', '2026-03-05', null],
        note: '03/05/2026 and nothing on the page says which comes first',
      },
    ],
  }),
];

import { amount, date } from './format.mjs';
import { Page } from './page.mjs';

// Values and layouts of the English invoices.

export const e1 = {
  no: 'INV-20417',
  on: '2026-03-05',
  currency: 'USD',
  seller: 'Larkspur Analytics Inc.',
  buyer: 'Tidewater Kayak Rentals LLC',
  net: '4800.00',
  tax: '396.00',
  total: '5196.00',
};
export const e2 = {
  no: 'R-2026-0093',
  on: '2026-03-05',
  currency: 'EUR',
  seller: 'Holzapfel Werkzeuge GmbH',
  buyer: 'Brindle & Moss Ltd',
  net: '1038.24',
  tax: '197.27',
  total: '1235.51',
};
export const e3 = {
  no: 'SB/1187',
  on: '2026-05-03',
  currency: 'GBP',
  seller: 'Sandbank Interiors Ltd',
  buyer: 'The Copper Heron Hotel',
  net: '2150.00',
  tax: '430.00',
  total: '2580.00',
};
export const e4 = {
  no: 'NW-55021',
  on: '2026-02-17',
  currency: 'USD',
  seller: 'Northwind Hosting Co.',
  buyer: 'Paperkite Studio',
  net: '149.00',
  tax: '0.00',
  total: '149.00',
};
export const e5 = {
  no: '2026-311',
  on: '2026-06-30',
  currency: 'EUR',
  seller: 'Quayside Translations B.V.',
  buyer: 'Fernhill Museum Trust',
  net: '1860.00',
  tax: '390.60',
  total: '2250.60',
};
export const e6 = {
  no: 'HG-7741',
  on: '2026-01-22',
  currency: 'USD',
  seller: 'Halfgreen Landscaping',
  buyer: 'Orchard Row Condominiums',
  net: '1325.00',
  tax: '106.00',
  total: '1431.00',
};
export const e7 = {
  no: 'MC-2026-118',
  on: '2026-08-14',
  currency: 'GBP',
  seller: 'Millrace Catering Ltd',
  buyer: 'Pebble Bay Sailing Club',
  net: '3475.00',
  tax: '695.00',
  total: '4170.00',
};
export const e8 = {
  no: '0615-A',
  on: '2026-06-15',
  currency: 'USD',
  seller: "Wren's Mobile Bike Repair",
  buyer: null,
  tax: null,
  total: '86.50',
};
export const e9 = {
  no: '90210-7',
  on: '2026-05-03',
  currency: null,
  seller: 'Glasswing Design Studio',
  buyer: 'Marlow Tea Importers',
  tax: null,
  total: '1480.00',
};

export function american(v, { lines, due }) {
  const p = new Page({ size: 10 });
  p.text(50, 70, v.seller, { size: 16, bold: true }).text(545, 70, 'INVOICE', {
    size: 24,
    bold: true,
    align: 'right',
    grey: 90,
  });
  p.text(50, 88, '1200 Example Avenue, Suite 4, Springfield, OR 97000');
  p.text(50, 102, 'billing@larkspur.example  |  (555) 0100');
  p.text(50, 150, 'BILL TO', { size: 8, grey: 100 })
    .text(50, 165, v.buyer, { bold: true })
    .text(50, 179, '8 Harbor Example Road, Astoria, OR 97100');
  for (const [i, [name, value]] of [
    ['Invoice #', v.no],
    ['Invoice Date', date(v.on, 'us')],
    ['Due Date', date(due, 'us')],
    ['P.O. #', 'PO-8831'],
  ].entries())
    p.text(400, 150 + i * 16, name, { align: 'left', bold: true }).text(545, 150 + i * 16, value, { align: 'right' });
  const y = p.table(
    50,
    240,
    [
      ['Description', 275],
      ['Qty', 50, 'right'],
      ['Rate', 80, 'right'],
      ['Amount', 90, 'right'],
    ],
    lines,
    { grid: 'rows' },
  );
  for (const [i, [name, value]] of [
    ['Subtotal', v.net],
    ['Sales Tax (8.25%)', v.tax],
    ['Total', v.total],
    ['Amount Paid', '0.00'],
    ['Balance Due', v.total],
  ].entries())
    p.text(380, y + 30 + i * 18, name, { bold: i === 4 }).text(541, y + 30 + i * 18, amount(value, 'usd'), {
      align: 'right',
      bold: i === 4,
    });
  p.flow(
    50,
    y + 150,
    480,
    'Please make checks payable to Larkspur Analytics Inc. Interest of 1.5% per month is charged on overdue balances.',
    { size: 9, grey: 70 },
  );
  return p;
}

export function german(v) {
  const p = new Page({ face: 'serif', size: 11 });
  p.text(60, 70, v.seller, { size: 17, bold: true }).text(60, 86, 'Musterweg 1, 00000 Beispielstadt, Germany', {
    size: 9,
  });
  p.flow(60, 140, 220, `${v.buyer}\n14 Sample Lane\nEX1 0AA Exampleton\nUnited Kingdom`);
  p.pairs(
    350,
    140,
    [
      ['Invoice no.', v.no],
      ['Invoice date', date(v.on, 'dots')],
      ['Delivery date', date('2026-02-27', 'dots')],
      ['VAT ID', 'DE000000000'],
    ],
    { mode: 'left', gap: 85 },
  );
  p.text(60, 250, 'Invoice', { size: 18, bold: true });
  const y = p.table(
    60,
    270,
    [
      ['Pos.', 40],
      ['Article', 220],
      ['Qty', 50, 'right'],
      ['Price', 80, 'right'],
      ['Sum', 85, 'right'],
    ],
    [
      ['1', 'Planing bench, beech', '2', '420,00', '840,00'],
      ['2', 'Set of chisels, 6 pcs', '3', '66,08', '198,24'],
    ],
  );
  for (const [i, [name, value]] of [
    ['Net amount', v.net],
    ['VAT 19 %', v.tax],
    ['Total amount', v.total],
  ].entries())
    p.text(340, y + 28 + i * 18, name, { bold: i === 2 }).text(531, y + 28 + i * 18, amount(value, 'eu'), {
      align: 'right',
      bold: i === 2,
    });
  p.flow(
    60,
    y + 120,
    470,
    `Payable without deduction by ${date('2026-04-04', 'dots')}. Bank: Beispielbank, IBAN DE00 0000 0000 0000 0000 00.`,
  );
  return p;
}

export function plain(v, { title, rows, meta, style = 'usd', totals, size = 11, foot = '' }) {
  const p = new Page({ size });
  p.text(60, 70, title, { size: 22, bold: true });
  p.text(60, 95, v.seller, { bold: true });
  let y = p.pairs(60, 130, meta, { mode: 'colon' });
  y = p.table(
    60,
    y + 15,
    [
      ['Item', 300],
      ['Amount', 110, 'right'],
    ],
    rows.map(([name, value]) => [name, amount(value, style)]),
    { grid: 'rows' },
  );
  for (const [i, [name, value]] of totals.entries())
    p.text(250, y + 30 + i * 20, name, { bold: i === totals.length - 1 }).text(
      466,
      y + 30 + i * 20,
      amount(value, style),
      { align: 'right', bold: i === totals.length - 1 },
    );
  if (foot) p.flow(60, y + 60 + totals.length * 20, 470, foot, { size: size - 1 });
  return p;
}

export function glasswing(v) {
  const p = new Page({ face: 'serif', size: 12 });
  p.text(60, 90, 'Invoice', { size: 30 });
  p.pairs(
    60,
    140,
    [
      ['FROM', v.seller],
      ['TO', v.buyer],
    ],
    { mode: 'above' },
  );
  p.pairs(
    360,
    140,
    [
      ['INVOICE NUMBER', v.no],
      ['DATE', date(v.on, 'dmy')],
    ],
    { mode: 'above' },
  );
  const y = p.table(
    60,
    240,
    [
      ['', 330],
      ['', 120, 'right'],
    ],
    [
      ['Packaging concept, three variants', '1,200.00'],
      ['Two rounds of changes', '280.00'],
    ],
    { grid: 'rows' },
  );
  p.text(60, y + 50, 'TOTAL', { size: 9, grey: 90 }).text(60, y + 72, amount(v.total, 'plain'), {
    size: 18,
    bold: true,
  });
  p.text(60, 760, 'Thank you for working with us.', { grey: 90 });
  return p;
}

export const half = new Page({ size: 11 });
half.text(60, 80, e7.seller, { size: 20, bold: true }).text(60, 98, '3 Weir Example Street, Millford');
half.pairs(
  60,
  150,
  [
    ['Invoice number', e7.no],
    ['Tax point', date(e7.on, 'uk')],
    ['Payment due', date('2026-09-13', 'uk')],
  ],
  { mode: 'left', gap: 110 },
);
half
  .text(330, 150, 'Customer', { grey: 80 })
  .text(330, 168, e7.buyer, { bold: true })
  .text(330, 184, 'The Boathouse, Pebble Bay');
half.flow(
  60,
  250,
  470,
  'Summer regatta, three days of catering. The particulars of each day and the amount payable are set out overleaf; the signed delivery sheets are kept at our office and can be inspected on request.',
);
half.text(300, 800, 'Page 1 of 2', { size: 9, align: 'centre' });
export const overleaf = new Page({ size: 12 });
overleaf.text(60, 80, `Invoice ${e7.no}, continued`, { bold: true });
const below = overleaf.table(
  60,
  110,
  [
    ['Day', 150],
    ['Covers', 80, 'right'],
    ['Price', 100, 'right'],
    ['Amount', 120, 'right'],
  ],
  [
    ['Friday supper', '60', '£18.50', '£1,110.00'],
    ['Saturday lunch', '85', '£11.00', '£935.00'],
    ['Sunday dinner', '65', '£22.00', '£1,430.00'],
  ],
);
for (const [i, [name, value]] of [
  ['Net total', e7.net],
  ['VAT at 20%', e7.tax],
  ['Total payable', e7.total],
].entries())
  overleaf
    .text(290, below + 34 + i * 22, name, { bold: i === 2 })
    .text(506, below + 34 + i * 22, amount(value, 'gbp'), { align: 'right', bold: i === 2 });

export const e4page = plain(e4, {
  title: 'Invoice',
  meta: [
    ['Invoice number', e4.no],
    ['Date of issue', date(e4.on, 'us')],
    ['Date due', date('2026-03-03', 'us')],
    ['Billed to', e4.buyer],
  ],
  rows: [
    ['Managed hosting, plan M, 1 month', '129.00'],
    ['Off-site backup', '20.00'],
  ],
  totals: [
    ['Subtotal', e4.net],
    ['Tax (0%)', e4.tax],
    ['Total', e4.total],
  ],
});

import { CLAUSES_EN, clausesEn } from './clauses.mjs';
import { contract } from './contract.mjs';
import { pagesOf } from './flow.mjs';
import { amount, date } from './format.mjs';
import { mail, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { grid, para } from './office.mjs';
import { Page } from './page.mjs';

const footEn = (n, of) => `Page ${n} of ${of}`;
const numbered = (texts) => texts.map((text, i) => `${i + 1}. ${text}`);

const e1 = {
  no: 'SA-2026-19',
  a: 'Fernhill Museum Trust',
  b: 'Larkspur Analytics Inc.',
  on: '2026-03-05',
  ends: '2028-03-31',
  amount: '48000.00',
  currency: 'USD',
};
const e1pages = pagesOf(
  [
    { title: 'SERVICES AGREEMENT' },
    `Agreement No. ${e1.no}`,
    `This Agreement is made on ${date(e1.on, 'uk')}`,
    'BETWEEN',
    `(1) ${e1.a}, of 2 Fernhill Example Road, Exampleton (the “Client”); and`,
    `(2) ${e1.b}, of 1200 Example Avenue, Springfield (the “Provider”).`,
    'WHEREAS the Client wishes to have its visitor numbers analysed and the Provider is in the business of analysing data, the parties agree as follows.',
    ...clausesEn(1, CLAUSES_EN.slice(0, 3)),
    { head: '4. Fees' },
    `In consideration of the services the Client shall pay the Provider a total fee of ${amount(e1.amount, 'usdCode')}, exclusive of taxes, in eight equal quarterly instalments of USD 6,000.00. Expenses above USD 500.00 need the Client’s prior consent in writing.`,
    { head: '5. Term' },
    `This Agreement begins on ${date('2026-04-01', 'uk')} and continues until ${date(e1.ends, 'uk')}, when it expires without notice unless the parties have agreed in writing to extend it.`,
    ...clausesEn(6, CLAUSES_EN.slice(3)),
    { head: 'Schedule 1: the services' },
    ...numbered([
      'A count of visitors by day, hour and entrance, from the Client’s turnstile records of the last five years.',
      'A forecast of visitors for each quarter, delivered in the last week of the quarter before.',
      'A written report in each January on the accuracy of the forecasts of the year before.',
      'A workshop for the Client’s staff of one day in each year, at the Client’s premises.',
    ]),
    { gap: 30 },
    {
      sides: [
        [`Signed for the Client`, '______________________', 'Authorised signatory'],
        [`Signed for the Provider`, '______________________', 'Authorised signatory'],
      ],
    },
  ],
  { lang: 'en', size: 12, footer: footEn, header: 'Services Agreement' },
);

const e2 = { a: 'Glasswing Design Studio', b: 'Marlow Tea Importers', on: '2026-01-19', ends: '2029-01-18' };
const e2children = [
  para('MUTUAL NON-DISCLOSURE AGREEMENT', { heading: 1 }),
  para(`This Non-Disclosure Agreement is entered into as of ${date(e2.on, 'us')} by and between:`),
  grid(
    [
      ['Party A', e2.a],
      ['Party B', e2.b],
    ],
    [1800, 7000],
  ),
  para(''),
  para(
    '1. Purpose. The parties wish to explore the design of new packaging and may for this purpose disclose confidential information to each other.',
  ),
  para(
    '2. Confidential information. Drawings, recipes, prices, lists of customers and suppliers, and whatever else is marked as confidential or is plainly so by its nature.',
  ),
  para(
    '3. Duties. The receiving party shall keep the information secret, use it for the purpose only, and return or destroy it when asked to.',
  ),
  para(
    '4. Exceptions. Information that is or becomes public without breach, that was known before, or that must be disclosed by law.',
  ),
  para(`5. Term. This Agreement terminates on ${date(e2.ends, 'us')}. No fee is payable under it.`),
  para('6. Governing law. The laws of the place where the disclosing party has its seat.'),
  para(''),
  grid([['For Party A: ______________', 'For Party B: ______________']], [4400, 4400], { borders: false }),
];

const e3 = {
  no: 'L-0447',
  a: 'Orchard Row Condominiums',
  b: 'Elm Street Garage',
  on: '2026-02-27',
  ends: '2027-02-28',
  amount: '1850.00',
  currency: 'USD',
};
const e3pages = pagesOf(
  [
    { title: 'LEASE AGREEMENT' },
    `Lease No.: ${e3.no}`,
    `Date of signing: ${date(e3.on, 'us')}`,
    `Landlord (Party A): ${e3.a}`,
    `Tenant (Party B): ${e3.b}`,
    { head: '1. Premises' },
    'The Landlord lets to the Tenant the ground floor of 40 Example Row, Springfield, OR 97000, with six parking spaces, for use as a repair shop and for no other purpose.',
    { head: '2. Term' },
    `The term begins on ${date('2026-03-01', 'us')} and ends on ${date(e3.ends, 'us')}. There is no automatic renewal.`,
    { head: '3. Rent' },
    `The monthly rent is ${amount(e3.amount, 'usd')}, payable in advance on the first day of each month.`,
    { head: '4. Upkeep' },
    'The Tenant keeps the premises clean and in good repair, fair wear excepted. The Landlord keeps roof, walls and mains in repair and may enter on one day’s notice, or at once in an emergency.',
    ...clausesEn(5, CLAUSES_EN.slice(7)),
    { gap: 30 },
    { sides: [['Landlord: ____________________'], ['Tenant: ____________________']] },
  ],
  { lang: 'en', size: 12, footer: footEn },
);

const e4 = {
  no: 'MNT-2026-05',
  a: 'Pebble Bay Sailing Club',
  b: 'Harbour Lane Boatyard Ltd',
  on: '2026-04-24',
  ends: '2026-10-31',
  amount: '7200.00',
  currency: 'GBP',
};
const e4first = pagesOf(
  [
    { title: 'Maintenance Contract' },
    `Contract number: ${e4.no}`,
    `Party A (customer): ${e4.a}`,
    `Party B (contractor): ${e4.b}`,
    `Date of contract: ${date(e4.on, 'uk')}`,
    `The contractor maintains the boats listed in the schedule overleaf for a fixed price of ${amount(e4.amount, 'gbp')} for the season. The contract runs from 1 May 2026 and expires on ${date(e4.ends, 'uk')}.`,
    ...clausesEn(1, [CLAUSES_EN[2], CLAUSES_EN[7], CLAUSES_EN[9]]),
    { gap: 30 },
    { sides: [['For the customer: ______________'], ['For the contractor: ______________']] },
  ],
  { lang: 'en', face: 'sans', size: 11 },
);
const schedule = new Page({ width: 842, height: 595, size: 11 });
schedule.text(60, 60, 'Schedule: boats and services', { size: 15, bold: true });
schedule.table(
  60,
  80,
  [
    ['Boat', 160],
    ['Class', 120],
    ['May', 90],
    ['July', 90],
    ['September', 90],
    ['Share of price', 130, 'right'],
  ],
  [
    ['Bittern', 'Dinghy', 'yes', '', 'yes', '£900.00'],
    ['Curlew', 'Dinghy', 'yes', '', 'yes', '£900.00'],
    ['Dunlin', 'Keelboat', 'yes', 'yes', 'yes', '£2,700.00'],
    ['Egret', 'Keelboat', 'yes', 'yes', 'yes', '£2,700.00'],
  ],
);

const e5 = {
  no: 'CN/2026/61',
  a: 'Copper Heron Hotel Ltd',
  b: 'Millrace Catering Ltd',
  on: '2026-05-08',
  ends: '2027-05-31',
  amount: '62400.00',
  currency: 'GBP',
};
const e5children = [
  para('CATERING CONTRACT', { heading: 1 }),
  grid(
    [
      ['Contract No.', e5.no],
      ['Party A', e5.a],
      ['Party B', e5.b],
      ['Date signed', date(e5.on, 'mon')],
      ['End date', date(e5.ends, 'mon')],
      ['Contract value', amount(e5.amount, 'gbp')],
    ],
    [2400, 6400],
  ),
  para(''),
  ...CLAUSES_EN.slice(0, 6).flatMap(([head, text], i) => [para(`${i + 1}. ${head}`, { bold: true }), para(text)]),
  para('Signed by the parties on the date given above.'),
];

export const contractsEn = [
  contract('en', e1, textPdf(e1pages)),
  contract('en', e2, wordFile(e2children)),
  contract('en', e3, scannedPdf(e3pages, { dpi: 140, skew: -0.4 }), {
    note: 'amount is the monthly rent, the only amount',
  }),
  contract('en', e4, rotatedPdf([...e4first, schedule], [...e4first.map(() => 0), 90])),
  contract(
    'en',
    e5,
    mail(
      {
        from: ['Millrace Catering', 'office@millrace.example'],
        to: ['Copper Heron Hotel', 'contracts@copperheron.example'],
        subject: 'Signed catering contract CN/2026/61',
        date: 'Mon, 11 May 2026 09:30:00 +0100',
        text: 'Good morning,\n\nattached is the countersigned contract for your files.\n\nRegards\nMillrace Catering\n',
      },
      [{ name: 'Catering contract CN-2026-61.docx', form: wordFile(e5children) }],
    ),
  ),
];

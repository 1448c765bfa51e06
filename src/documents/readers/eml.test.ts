import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../test/harness/encode-text.ts';
import { makeDocx, makePdf, makeXlsx, paragraph } from '../../../test/harness/make-documents.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

interface Part {
  readonly type: string;
  readonly content: string | Uint8Array;
  readonly name?: string;
  readonly id?: string;
}

const HEAD = ['From: A <a@example.com>', 'To: B <b@example.com>', 'Subject: Outer', 'MIME-Version: 1.0'];

/** Mails in mails need boundaries of their own. */
let mails = 0;

/** A mail with these parts, those with a name as attachments. */
function mailOf(parts: readonly Part[], kind = 'mixed', head = HEAD): Uint8Array {
  mails += 1;
  const lines = parts.flatMap(({ type, content, name, id }) => [
    `--x${mails}`,
    `Content-Type: ${type}`,
    ...(name === undefined ? [] : [`Content-Disposition: attachment; filename="${name}"`]),
    ...(id === undefined ? [] : [`Content-ID: <${id}>`]),
    ...(typeof content === 'string' ? [] : ['Content-Transfer-Encoding: base64']),
    '',
    typeof content === 'string' ? content : Buffer.from(content).toString('base64'),
  ]);
  return Buffer.from(
    [...head, `Content-Type: multipart/${kind}; boundary=x${mails}`, '', ...lines, `--x${mails}--`, ''].join('\r\n'),
  );
}

const read = (bytes: Uint8Array, budgets = {}) => readText(bytes, 'a.eml', { ...DEFAULT_BUDGETS, ...budgets });
const bodyOf = async (bytes: Uint8Array) => (await read(bytes)).markdown.split('\n\n').slice(1).join('\n\n');
const simple = (body: string, ...head: string[]) => [...HEAD, ...head, '', body].join('\r\n');

describe('headers', () => {
  test('encoded words, groups, folded lines; the date as the sender has it', async () => {
    const bytes = Buffer.from(
      [
        'From: =?gb2312?B?1cXI/Q==?= <a@example.com>',
        'To: Team: b@example.com, c@example.com;',
        'Cc: "D, E" <d@example.com>,',
        ' f@example.com',
        'Subject: =?UTF-8?Q?Rechnung_f=C3=BCr_?=',
        ' =?UTF-8?Q?M=C3=A4rz?=',
        'Date: Thu, 5 Mar 2026 00:30:00 +0800 (CST)',
        '',
        'x',
      ].join('\r\n'),
    );
    expect((await read(bytes)).markdown).toBe(
      '- From: 张三 <a@example.com>\n- To: Team\n- Cc: D, E <d@example.com>, f@example.com\n- Date: 2026-03-05T00:30:00+08:00\n- Subject: Rechnung für März\n\nx',
    );
  });

  test.each([
    ['the first line of a mailbox', `From a@example.com Thu Mar  5 10:00:00 2026\r\n${simple('hi')}`],
    ['a mark of byte order', `\ufeff${simple('hi')}`],
    ['lines that end as on Unix', simple('hi').replaceAll('\r\n', '\n')],
  ])('%s', async (_, text) => {
    const { type, markdown } = await readText(Buffer.from(text), 'a');
    expect([type, markdown]).toEqual([
      'eml',
      '- From: A <a@example.com>\n- To: B <b@example.com>\n- Subject: Outer\n\nhi',
    ]);
  });
});

describe('case 43: encodings', () => {
  test.each([
    [
      'quoted-printable',
      'Content-Type: text/plain; charset=ISO-8859-15\nContent-Transfer-Encoding: quoted-printable',
      'Summe 5 =A4',
      'Summe 5 €',
    ],
    ['base64', 'Content-Type: text/plain; charset=gb18030\nContent-Transfer-Encoding: base64', 'xPq6ww==', '您好'],
    ['glued header', 'Content-Type: text/plain; charset="utf-8"content-transfer-encoding: 8bit', 'Grüße', 'Grüße'],
    ['flowed', 'Content-Type: text/plain; charset=utf-8; format=flowed', 'one \r\nline', 'one line'],
  ])('%s', async (_, head, body, expected) => {
    expect(await bodyOf(Buffer.from(simple(body, ...head.split('\n'))))).toBe(expected);
  });

  test.each(['gb18030', 'big5', 'shift_jis'] as const)('%s in head and body, and nothing says so', async (encoding) => {
    const text =
      encoding === 'gb18030' ? '发票号码请见附件' : encoding === 'big5' ? '發票號碼請見附件' : '請求書をお送りします';
    const mail = ['From: A <a@example.com>', `Subject: ${text}`, 'Date: Thu, 5 Mar 2026 10:00:00 +0800', '', text].join(
      '\r\n',
    );
    const { markdown } = await read(encodeText(mail, encoding));
    expect(markdown).toBe(
      `- From: A <a@example.com>\n- Date: 2026-03-05T10:00:00+08:00\n- Subject: ${text}\n\n${text}`,
    );
  });

  test('a body that says its encoding stays right where the head does not', async () => {
    const mail = [
      'From: A <a@example.com>',
      'Subject: 发票',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=gb2312',
      '',
      '您好',
    ].join('\r\n');
    expect((await read(encodeText(mail, 'gb18030'))).markdown).toBe(
      '- From: A <a@example.com>\n- Subject: 发票\n\n您好',
    );
  });
});

describe('the body', () => {
  test('HTML alone, with a table', async () => {
    const html = '<html><body><p>Total:</p><table><tr><td>Paper<td>3</table><script>x</script></body></html>';
    expect(await bodyOf(Buffer.from(simple(html, 'Content-Type: text/html; charset=utf-8')))).toBe(
      'Total:\n\n| Paper | 3 |\n| --- | --- |',
    );
  });

  test('of two forms the one with more to see: HTML, unless nothing is in it', async () => {
    const both = (html: string) =>
      mailOf(
        [
          { type: 'text/plain', content: 'plain' },
          { type: 'text/html', content: html },
        ],
        'alternative',
      );
    expect(await bodyOf(both('<b>rich</b>'))).toBe('**rich**');
    expect(await bodyOf(both('<img src="cid:1">'))).toBe('plain');
  });

  test('HTML that nests too deep gives way to the plain text', async () => {
    const bytes = mailOf(
      [
        { type: 'text/plain', content: 'plain' },
        { type: 'text/html', content: '<div>'.repeat(1000) },
      ],
      'alternative',
    );
    const { markdown, warnings } = await read(bytes);
    expect(markdown).toContain('\n\nplain');
    expect(warnings).toEqual([expect.stringMatching(/^plain_text_taken: /)]);
  });
});

describe('attachments', () => {
  const docx = (text: string): Part => ({
    type: 'application/octet-stream',
    content: makeDocx(paragraph(text)),
    name: `${text}.docx`,
  });

  test('come in order, each under its name, with pages that go on', async () => {
    const xlsx = { type: 'application/vnd.ms-excel', content: makeXlsx({ A1: 'x', B1: 'y' }), name: 'b.xlsx' };
    const csv = { type: 'text/csv', content: encodeText('品名,金额\n纸,3\n', 'gb18030'), name: 'c.csv' };
    const { markdown, pages, warnings } = await read(
      mailOf([{ type: 'text/plain', content: 'hi' }, docx('a'), xlsx, csv]),
    );
    expect(markdown.split('\n\n').slice(1)).toEqual([
      'hi',
      '## Attachment: a.docx',
      'a',
      '## Attachment: b.xlsx',
      '## 发票',
      '| x | y |\n| --- | --- |',
      '## Attachment: c.csv',
      '| 品名 | 金额 |\n| --- | --- |\n| 纸 | 3 |',
    ]);
    expect(pages.map(({ page, start }) => [page, markdown.slice(start!).split('\n')[0]])).toEqual([
      [1, '- From: A <a@example.com>'],
      [2, 'a'],
      [3, '## 发票'],
      [4, '| 品名 | 金额 |'],
    ]);
    expect(warnings).toEqual(['encoding: gb18030 (c.csv)']);
  });

  test('that cannot be read are said and do not fail the mail', async () => {
    const bytes = mailOf([
      { type: 'application/pdf', content: makePdf([[]], { locked: true }), name: 'locked.pdf' },
      { type: 'application/ms-tnef', content: Buffer.from('789f3e2200000000', 'hex'), name: 'winmail.dat' },
      { type: 'application/zip', content: Buffer.from('PK\x03\x04cut'), name: 'cut.zip' },
      { type: 'text/plain', content: Buffer.alloc(0), name: 'empty.txt' },
      docx('good'),
    ]);
    const { markdown, warnings } = await read(bytes);
    expect(markdown).toContain('## Attachment: good.docx\n\ngood');
    expect(markdown).toContain('## Attachment: locked.pdf\n\n(not read: file.password_required)');
    expect(warnings.map((one) => one.split(': ').slice(0, 3).join(': '))).toEqual([
      'attachment_not_read: locked.pdf: file.password_required',
      'attachment_not_read: winmail.dat: file.unsupported',
      'attachment_not_read: cut.zip: file.invalid',
      'attachment_not_read: empty.txt: file.empty',
    ]);
  });

  test('a mail in a mail does not replace the head of the outer one', async () => {
    const inner = mailOf([{ type: 'text/plain', content: 'deep' }, docx('i')], 'mixed', [
      'From: C <c@example.com>',
      'Subject: Inner',
      'MIME-Version: 1.0',
    ]);
    const { markdown } = await read(
      mailOf([
        { type: 'text/plain', content: 'hi' },
        { type: 'message/rfc822', content: inner.toString() },
      ]),
    );
    expect(markdown.split('\n\n')).toEqual([
      '- From: A <a@example.com>\n- To: B <b@example.com>\n- Subject: Outer',
      'hi',
      '## Attachment: attachment-1.eml',
      '- From: C <c@example.com>\n- Subject: Inner',
      'deep',
      '## Attachment: i.docx',
      'i',
    ]);
  });

  test('pictures that the text shows are none, and are said', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    const bytes = mailOf([
      { type: 'text/html', content: '<p>hi</p><img src="cid:logo">' },
      { type: 'image/png', content: png, name: 'logo.png', id: 'logo' },
    ]);
    const { markdown, warnings } = await read(bytes);
    expect(markdown).not.toContain('Attachment');
    expect(warnings).toEqual(['inline_pictures_left_out: 1']);
  });

  test('signatures and what is encrypted are said', async () => {
    const enveloped = Buffer.from('308006092a864886f70d010703a080', 'hex');
    const signed = mailOf(
      [
        { type: 'text/plain', content: 'hi' },
        { type: 'application/pkcs7-signature', content: enveloped, name: 'smime.p7s' },
      ],
      'signed',
    );
    expect((await read(signed)).warnings).toEqual(['signature_not_checked: smime.p7s']);
    const smime = Buffer.from(
      simple(
        enveloped.toString('base64'),
        'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
        'Content-Transfer-Encoding: base64',
      ),
    );
    expect((await read(smime)).warnings).toEqual(['encrypted: smime.p7m']);
    const pgp = mailOf(
      [
        { type: 'application/pgp-encrypted', content: 'Version: 1' },
        { type: 'application/octet-stream', content: 'x', name: 'encrypted.asc' },
      ],
      'encrypted; protocol="application/pgp-encrypted"',
    );
    expect((await read(pgp)).warnings).toEqual(['encrypted: attachment-1', 'encrypted: encrypted.asc']);
    expect((await read(Buffer.from(simple('-----BEGIN PGP MESSAGE-----\r\nx')))).warnings).toEqual([
      'encrypted: the text of the mail',
    ]);
  });

  test('their depth and their number are held', async () => {
    let bytes = mailOf([{ type: 'text/plain', content: 'core' }]);
    for (let depth = 0; depth < 5; depth += 1)
      bytes = mailOf([{ type: 'message/rfc822', content: Buffer.from(bytes).toString() }]);
    expect((await read(bytes)).warnings.join()).toContain('file.too_deep');
    const many = mailOf(Array.from({ length: 4 }, (_, at) => docx(`d${at}`)));
    await expect(read(many, { attachments: 3 })).rejects.toMatchObject({ code: 'file.too_large' });
  });

  test('case 46: what they unpack to counts together', async () => {
    const big = docx('x'.repeat(3_000));
    await expect(
      read(mailOf([big, big, big]), { expandedBytes: 9_000 }).then(({ warnings }) => warnings),
    ).resolves.toEqual([expect.stringMatching(/file\.too_large/)]);
  });
});

test.each([
  ['25 bytes that are no mail', 'From: x\nDate: y\nTo: z\n\n', null],
  ['no header at all', 'hello there', 'file.invalid'],
])('%s', async (_, text, code) => {
  const result = readText(Buffer.from(text), 'a.eml');
  if (code) await expect(result).rejects.toMatchObject({ code });
  else expect((await result).markdown).toContain('From: x');
});

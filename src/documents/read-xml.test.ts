import { describe, expect, test } from 'vitest';
import { DEFAULT_BUDGETS, startMeter } from './budgets.ts';
import { elementsBelow, readXml, textIn } from './read-xml.ts';

const read = (xml: string | Uint8Array, budgets = {}, now = () => 0) =>
  readXml(typeof xml === 'string' ? Buffer.from(xml) : xml, startMeter({ ...DEFAULT_BUDGETS, ...budgets }, now));
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

describe('names', () => {
  test('have the prefix of their namespace, whatever the file calls it', () => {
    const xml = `<x:a xmlns:x="${W}" x:v="1" v="2"><b xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:c xmlns:x="urn:none"/></b><d/></x:a>`;
    expect(read(xml)).toEqual({
      name: 'w:a',
      attributes: { 'w:v': '1', v: '2' },
      children: [
        { name: 'w:b', attributes: {}, children: [{ name: '?:c', attributes: {}, children: [] }] },
        { name: 'd', attributes: {}, children: [] },
      ],
    });
  });

  test('of things in other things are not found twice', () => {
    const tree = read('<a><b><b/></b><c><b/></c></a>');
    expect([...elementsBelow(tree, 'b')]).toHaveLength(2);
  });
});

test('text: entities of XML, numbers, what is quoted whole, comments left out', () => {
  expect(textIn(read('<?xml version="1.0"?><a>1&lt;2&#x4e2d;<![CDATA[<b>&amp;]]><!-- x --> <b/>z</a>'))).toBe(
    '1<2中<b>&amp; z',
  );
});

test('UTF-16 with a mark', () => {
  expect(textIn(read(Buffer.from('\ufeff<a>中</a>', 'utf16le')))).toBe('中');
});

test('what a file declares itself is neither expanded nor fetched', () => {
  const xml = '<!DOCTYPE a [<!ENTITY x "yyyy"><!ENTITY z SYSTEM "file:///etc/passwd">]><a>&x;&z;</a>';
  expect(textIn(read(xml))).toBe('&x;&z;');
});

describe('what is refused', () => {
  test.each([
    ['an element that is not closed', '<a><b></a>', {}, 'file.invalid'],
    ['an end that is missing', '<a><b/>', {}, 'file.invalid'],
    ['a tag that is cut off', '<a', {}, 'file.invalid'],
    ['nothing', '', {}, 'file.invalid'],
    ['depth without end', '<a>'.repeat(100_000), {}, 'file.too_deep'],
    ['elements without number', `<a>${'<b/>'.repeat(50_000)}</a>`, { elements: 30_000 }, 'file.too_large'],
  ])('%s', (_, xml, budgets, code) => {
    expect(() => read(xml, budgets)).toThrowError(expect.objectContaining({ code, errorClass: 'permanent' }));
  });

  test('what takes too long', () => {
    let time = 0;
    const slow = () => (time += 40_000);
    const xml = `<a>${'<b/>'.repeat(50_000)}</a>`;
    expect(() => read(xml, {}, slow)).toThrowError(expect.objectContaining({ code: 'file.too_slow' }));
  });
});

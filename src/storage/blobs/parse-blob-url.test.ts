import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../errors/coded-error.ts';
import { parseBlobUrl } from './parse-blob-url.ts';

describe('parseBlobUrl', () => {
  it.each([
    ['file:///data/raw/1.json', { scheme: 'file', path: '/data/raw/1.json' }],
    ['FILE:///data/1', { scheme: 'file', path: '/data/1' }],
    ['file://localhost/data/1', { scheme: 'file', path: '/data/1' }],
    ['file:/data/1', { scheme: 'file', path: '/data/1' }],
    ['file:raw/1.json', { scheme: 'file', path: 'raw/1.json' }],
    ['file:../raw/1.json', { scheme: 'file', path: '../raw/1.json' }],
    ['file:///%E8%B1%86%E5%8C%85%20%23.json', { scheme: 'file', path: '/豆包 #.json' }],
    ['file:///豆包.json', { scheme: 'file', path: '/豆包.json' }],
    ['s3://raw/a/b.json', { scheme: 's3', bucket: 'raw', key: 'a/b.json' }],
    ['cos://answers-1250000000/2026/07/a.json', { scheme: 'cos', bucket: 'answers-1250000000', key: '2026/07/a.json' }],
    ['s3://raw/a%20b', { scheme: 's3', bucket: 'raw', key: 'a%20b' }],
  ])('%s', (url, parts) => expect(parseBlobUrl(url)).toEqual(parts));

  it.each([
    '',
    'raw.json',
    '/etc/passwd',
    'http://h/x',
    'data:,x',
    'file:',
    'file://host/share/x',
    'file:////host/x',
    'file:///a?b',
    'file:///a#b',
    'file:///a%2fb',
    'file:///a%00b',
    'file:///a\0b',
    'file:///a%zz',
    's3://',
    's3://bucket',
    's3://bucket/',
    's3:///key',
    's3:bucket/key',
    'cos://b@d/key',
    'cos://user:pw@b/key',
  ])('refuses %j', (url) => {
    expect(() => parseBlobUrl(url)).toThrow(expect.objectContaining({ code: 'blob.bad_url', errorClass: 'permanent' }));
  });

  it('never throws anything else', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('', 'file:', 'file://', 's3://', 'cos://b/'),
        fc.string({ unit: 'binary' }),
        (head, tail) => {
          try {
            parseBlobUrl(head + tail);
          } catch (error) {
            expect(error).toBeInstanceOf(CodedError);
          }
        },
      ),
    );
  });
});

import { expect, test } from 'vitest';
import { hostOf, looksLikeHost, registrableDomain } from './registrable-domain.ts';

test.each([
  ['www.36kr.com', '36kr.com'],
  ['docs.apple.com', 'apple.com'],
  ['shop.example.com.cn', 'example.com.cn'],
  ['www.mof.gov.cn', 'mof.gov.cn'],
  ['tieba.a.bj.cn', 'a.bj.cn'],
  ['News.BBC.co.uk', 'bbc.co.uk'],
  ['www.city.kobe.jp', 'city.kobe.jp'],
  ['apple.com.au', 'apple.com.au'],
  ['somebody.github.io', 'github.io'],
  ['www.例子.中国', '例子.中国'],
  ['kimi.com.', 'kimi.com'],
  ['com.cn', 'com.cn'],
  ['localhost', 'localhost'],
  ['192.168.0.1', '192.168.0.1'],
])('the registrable domain of %s is %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain);
});

test('hosts are read from URLs', () => {
  expect(hostOf('https://user@WWW.Kimi.com:443/a?b')).toBe('www.kimi.com');
  expect(hostOf('mailto:a@b.c')).toBeNull();
});

test.each(['You.com', 'www.36kr.com/p/1', 'apple.com.au', 'amazon.ca', 'kimi.moonshot.cn', 'YOU.COM'])(
  '%s looks like a host',
  (word) => {
    expect(looksLikeHost(word)).toBe(true);
  },
);

test.each(['2.5', 'Node.js', 'README.md', 'main.py', 'Kimi.It', 'com.cn', 'a..com', 'kimi', 'e.g', '豆包.com', ''])(
  '%s looks like none',
  (word) => {
    expect(looksLikeHost(word)).toBe(false);
  },
);

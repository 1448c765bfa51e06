import { expect, test } from 'vitest';
import { hostOf, looksLikeHost, registrableDomain } from './registrable-domain.ts';

test.each([
  ['www.36kr.com', '36kr.com'],
  ['docs.apple.com', 'apple.com'],
  ['shop.example.com.cn', 'example.com.cn'],
  ['News.BBC.co.uk', 'bbc.co.uk'],
  ['localhost', 'localhost'],
  ['192.168.0.1', '192.168.0.1'],
])('the registrable domain of %s is %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain);
});

test('hosts are read from URLs and told from words', () => {
  expect(hostOf('https://user@WWW.Kimi.com:443/a?b')).toBe('www.kimi.com');
  expect(hostOf('mailto:a@b.c')).toBeNull();
  expect(looksLikeHost('You.com')).toBe(true);
  expect(looksLikeHost('www.36kr.com/p/1')).toBe(true);
  expect(looksLikeHost('2.5')).toBe(false);
});

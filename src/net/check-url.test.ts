import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from './address-policy.ts';
import { checkUrl, readUrl } from './check-url.ts';

const strict = createAddressPolicy(false);
const check = (text: string) => checkUrl(readUrl(text), strict);

describe('URLs', () => {
  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.com/', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['data:text/plain,x', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['unix:/run/x.sock', 'scheme'],
    ['http://user:secret@example.com/', 'credentials'],
    ['http://user@example.com/', 'credentials'],
    ['http://:secret@example.com/', 'credentials'],
    ['http://h\\@10.0.0.1/', 'ambiguous_url'],
    ['http:\\\\10.0.0.1/', 'ambiguous_url'],
    ['http://exa\tmple.com/', 'ambiguous_url'],
    ['http://example.com/a\r\nx: y', 'ambiguous_url'],
    ['http://localhost/', 'loopback'],
    ['http://localhost.:80/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://0x7f.1/', 'loopback'],
    ['http://[::ffff:7f00:1]/', 'loopback'],
    ['http://169.254.169.254/latest/meta-data/', 'linkLocal'],
    ['http://0/', 'unspecified'],
    ['http://[::]/', 'unspecified'],
    ['http://./', 'no_host'],
  ])('%j is refused: %s', (text, reason) => {
    expect(() => check(text)).toThrow(
      expect.objectContaining({ code: 'net.address_refused', errorClass: 'permanent', detail: { reason } }),
    );
  });

  it.each(['', 'example.com', '/path', 'http://', 'http://1.2.3.4.5.6/', 'http://a b/', 'http://[::1%25lo]/'])(
    '%j cannot be read',
    (text) => {
      expect(() => check(text)).toThrow(expect.objectContaining({ code: 'net.bad_url', errorClass: 'permanent' }));
    },
  );

  it.each([
    'http://example.com',
    ' https://example.com:8443/a?q=a\\b ',
    'https://例え.テスト/',
    'http://1.1.1.1/',
    'http://[2606:4700::1111]/',
  ])('%j passes', (text) => expect(() => check(text)).not.toThrow());
});

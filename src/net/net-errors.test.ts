import { describe, expect, it } from 'vitest';
import { CodedError } from '../errors/coded-error.ts';
import { toNetError } from './net-errors.ts';

const native = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code });

describe('errors of the network', () => {
  it.each([
    ['UND_ERR_CONNECT_TIMEOUT', 'net.timeout', 'transient'],
    ['UND_ERR_BODY_TIMEOUT', 'net.timeout', 'transient'],
    ['ETIMEDOUT', 'net.timeout', 'transient'],
    ['EAI_AGAIN', 'net.dns', 'transient'],
    ['ENOTFOUND', 'net.dns', 'transient'],
    ['ECONNREFUSED', 'net.unreachable', 'transient'],
    ['ECONNRESET', 'net.reset', 'transient'],
    ['UND_ERR_SOCKET', 'net.reset', 'transient'],
    ['HPE_INVALID_EOF_STATE', 'net.reset', 'transient'],
    ['HPE_INVALID_CONSTANT', 'net.bad_response', 'permanent'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'net.tls', 'permanent'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'net.tls', 'permanent'],
    ['CERT_HAS_EXPIRED', 'net.tls', 'permanent'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'net.tls', 'permanent'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'net.tls', 'permanent'],
    ['EPROTO', 'net.tls', 'permanent'],
    ['Z_DATA_ERROR', 'net.bad_encoding', 'permanent'],
    ['ERR__ERROR_FORMAT_PADDING_2', 'net.bad_encoding', 'permanent'],
    ['Z_BUF_ERROR', 'net.truncated', 'transient'],
    ['E_NEVER_HEARD_OF', 'net.failed', 'transient'],
  ])('%s is %s, %s', (code, expected, errorClass) => {
    expect(toNetError(native(code))).toMatchObject({ code: expected, errorClass, detail: { native: code } });
  });

  it('looks into causes and aggregates', () => {
    expect(toNetError(new TypeError('x', { cause: native('ECONNRESET') })).code).toBe('net.reset');
    expect(toNetError(new AggregateError([native('ENETUNREACH'), native('ECONNREFUSED')])).code).toBe(
      'net.unreachable',
    );
    const coded = new CodedError('net.address_refused', 'permanent', 'x');
    expect(toNetError(new AggregateError([new Error('y', { cause: coded })]))).toBe(coded);
  });

  it('survives anything', () => {
    for (const thrown of [undefined, null, 'text', 5, {}]) expect(toNetError(thrown).code).toBe('net.failed');
    const loop: { cause?: unknown } = {};
    loop.cause = loop;
    expect(toNetError(loop).code).toBe('net.failed');
  });
});

import { CodedError, type ErrorClass } from '../errors/coded-error.ts';

type Rule = readonly [code: string, errorClass: ErrorClass, message: string];

const TIMEOUT: Rule = ['net.timeout', 'transient', 'The other side was too slow'];
// "Not found" is transient too: resolvers under load and zones in the middle of a change answer so, and retries are few.
const DNS: Rule = ['net.dns', 'transient', 'The host name could not be looked up'];
const UNREACHABLE: Rule = ['net.unreachable', 'transient', 'The host could not be connected to'];
const RESET: Rule = ['net.reset', 'transient', 'The connection was cut'];
const TLS: Rule = ['net.tls', 'permanent', 'No trusted TLS connection could be made'];
const BAD_RESPONSE: Rule = ['net.bad_response', 'permanent', 'The answer is not HTTP'];
const BAD_REQUEST: Rule = ['net.bad_request', 'permanent', 'The request cannot be sent as it is'];
const BAD_ENCODING: Rule = ['net.bad_encoding', 'permanent', 'The body does not match its Content-Encoding'];
const TRUNCATED: Rule = ['net.truncated', 'transient', 'The compressed body ends early'];
const CLOSED: Rule = ['net.closed', 'transient', 'The client was closed'];
const TOO_LARGE: Rule = ['net.too_large', 'permanent', 'The headers are too large'];
const FAILED: Rule = ['net.failed', 'transient', 'The request failed'];

const RULES: Readonly<Record<string, Rule>> = {
  UND_ERR_CONNECT_TIMEOUT: TIMEOUT,
  UND_ERR_HEADERS_TIMEOUT: TIMEOUT,
  UND_ERR_BODY_TIMEOUT: TIMEOUT,
  ETIMEDOUT: TIMEOUT,
  ENOTFOUND: DNS,
  ENODATA: DNS,
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENETDOWN: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ECONNRESET: RESET,
  ECONNABORTED: RESET,
  EPIPE: RESET,
  UND_ERR_SOCKET: RESET,
  UND_ERR_ABORTED: RESET,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: RESET,
  // A chunked body without its last chunk: the parser sees the end of the connection.
  HPE_INVALID_EOF_STATE: RESET,
  UND_ERR_HEADERS_OVERFLOW: TOO_LARGE,
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  UND_ERR_INVALID_ARG: BAD_REQUEST,
  UND_ERR_NOT_SUPPORTED: BAD_REQUEST,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: BAD_REQUEST,
  UND_ERR_DESTROYED: CLOSED,
  UND_ERR_CLOSED: CLOSED,
  Z_BUF_ERROR: TRUNCATED,
  EPROTO: TLS,
  DEPTH_ZERO_SELF_SIGNED_CERT: TLS,
  SELF_SIGNED_CERT_IN_CHAIN: TLS,
  HOSTNAME_MISMATCH: TLS,
  INVALID_CA: TLS,
  INVALID_PURPOSE: TLS,
};

// Families of codes, of which libraries add members.
const FAMILIES: readonly (readonly [RegExp, Rule])[] = [
  [/^EAI_/, DNS],
  [/^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_)/, TLS],
  [/^HPE_/, BAD_RESPONSE],
  [/^(Z_|ERR__ERROR_FORMAT_|ERR_BROTLI_|ERR_ZLIB_|ERR_PADDING|ZSTD_error_)/, BAD_ENCODING],
];

/**
 * Turns whatever undici, the sockets, the resolver or zlib threw into a coded error of this room. Coded errors pass
 * through. What nothing is known of is `net.failed`, transient: retries are bounded, a wrong "permanent" is final.
 */
export function toNetError(error: unknown): CodedError {
  let first: string | undefined;
  for (const link of chain(error)) {
    if (link instanceof CodedError) return link;
    const code = nativeCode(link);
    if (code === undefined) continue;
    first ??= code;
    const rule = RULES[code] ?? FAMILIES.find(([pattern]) => pattern.test(code))?.[1];
    if (rule !== undefined) return make(rule, code, error);
  }
  return make(FAILED, first, error);
}

function nativeCode({ code, name }: NodeJS.ErrnoException): string | undefined {
  if (typeof code === 'string') return code;
  // What does not even begin like HTTP is reported without a code.
  return name === 'HTTPParserError' ? 'HPE_UNKNOWN' : undefined;
}

function make([code, errorClass, message]: Rule, native: string | undefined, cause: unknown): CodedError {
  return new CodedError(code, errorClass, message, { cause, detail: native === undefined ? {} : { native } });
}

/** The error, what it aggregates (one failure for each address that was tried) and its causes, outermost first. */
function* chain(error: unknown): Generator<NodeJS.ErrnoException> {
  const queue: unknown[] = [error];
  for (let seen = 0; queue.length > 0 && seen < 20; seen += 1) {
    const link = queue.shift();
    if (typeof link !== 'object' || link === null) continue;
    yield link as NodeJS.ErrnoException;
    if (link instanceof AggregateError) queue.push(...link.errors);
    if ('cause' in link) queue.push(link.cause);
  }
}

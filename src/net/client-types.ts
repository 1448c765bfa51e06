import type { Resolver } from './guarded-connect.ts';

export interface HttpClientOptions {
  /**
   * Which addresses beyond public ones may be reached: none (default), all private ranges, or the listed hosts,
   * addresses and CIDRs. See `createAddressPolicy`.
   */
  readonly allowPrivate?: boolean | readonly string[];
  readonly userAgent: string;
  readonly defaults?: Partial<RequestLimits>;
  /** Looks names up instead of the operating system. */
  readonly resolver?: Resolver;
}

export interface RequestLimits {
  /** Look-up, connecting, headers, body and all redirects together, in milliseconds. Default 30,000. */
  readonly timeoutMs: number;
  /**
   * The longest wait for the headers or between two parts of the body, in milliseconds, kept to about half a
   * second. Default 10,000.
   */
  readonly idleTimeoutMs: number;
  /** Cap on the decoded body, in bytes. Default 10 MiB. */
  readonly maxBytes: number;
  /** Cap on the body as it comes, in bytes. Default: 64 KiB more than `maxBytes`. */
  readonly maxWireBytes: number;
  /** Default 5. */
  readonly maxRedirects: number;
  /** False: a redirect is returned like any other status. Default true. */
  readonly followRedirects: boolean;
  /** Refuse a redirect from https to http. Default false. */
  readonly refuseDowngrade: boolean;
}

export interface HttpRequest extends Partial<RequestLimits> {
  readonly url: string | URL;
  /** Default GET. */
  readonly method?: string;
  /** Names in any case. Host, Content-Length and the headers of the connection are the client's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Held whole, so that a redirect can send it again. */
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case; a header that came several times is joined by ", " (Set-Cookie by a line feed). */
  readonly headers: Readonly<Record<string, string>>;
  /** The address that answered in the end. */
  readonly url: string;
  /** The answers that sent the client on, in order. */
  readonly redirects: readonly { readonly url: string; readonly status: number }[];
  /** Decoded. */
  readonly body: Uint8Array;
  readonly bytes: { readonly wire: number; readonly decoded: number };
}

export interface HttpClient {
  /**
   * Sends one request. Every HTTP status is a result; `classifyStatus` says what to make of it.
   *
   * @throws CodedError
   *   permanent: `net.address_refused` (nothing was sent), `net.bad_url`, `net.bad_request`, `net.too_large`,
   *   `net.too_many_redirects`, `net.redirect_loop`, `net.downgrade_refused`, `net.tls`, `net.bad_response`,
   *   `net.bad_encoding`;
   *   transient: `net.timeout`, `net.dns`, `net.unreachable`, `net.reset`, `net.truncated`, `net.aborted`,
   *   `net.closed`, `net.failed`
   */
  request(request: HttpRequest): Promise<HttpResponse>;
  /** Cuts what is under way and closes all connections. */
  close(): Promise<void>;
}

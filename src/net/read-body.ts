import { type Readable, Transform, type TransformCallback, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CodedError } from '../errors/coded-error.ts';
import { contentDecoders } from './decode-content.ts';

export interface BodyLimits {
  /** Cap on the decoded body, in bytes. */
  readonly maxBytes: number;
  /** Cap on the body as it came, in bytes. */
  readonly maxWireBytes: number;
  readonly signal: AbortSignal;
}

export interface ReadBody {
  readonly body: Uint8Array;
  readonly bytes: { readonly wire: number; readonly decoded: number };
}

/**
 * Reads and decodes a body to its end or its cap, holding no more than the cap in memory.
 *
 * @throws CodedError `net.too_large` (by the declared length, before a byte is read, or at the cap), `net.bad_encoding`;
 *   stream and zlib errors as they are
 */
export async function readBody(
  source: Readable,
  headers: { readonly contentEncoding: string | undefined; readonly contentLength: string | undefined },
  limits: BodyLimits,
): Promise<ReadBody> {
  try {
    const decoders = contentDecoders(headers.contentEncoding);
    const declared = Number(headers.contentLength ?? 0);
    const wireCap = decoders.length === 0 ? Math.min(limits.maxBytes, limits.maxWireBytes) : limits.maxWireBytes;
    if (declared > wireCap) throw tooLarge('declared', wireCap);
    const wire = new WireCounter(limits.maxWireBytes);
    const collector = new Collector(limits.maxBytes);
    await pipeline([source, wire, ...decoders, collector], { signal: limits.signal });
    return { body: collector.take(), bytes: { wire: wire.bytes, decoded: collector.bytes } };
  } finally {
    source.on('error', () => {}).destroy();
  }
}

function tooLarge(what: 'declared' | 'wire' | 'decoded', limitBytes: number): CodedError {
  return new CodedError('net.too_large', 'permanent', 'The body is larger than allowed', {
    detail: { what, limit_bytes: limitBytes },
  });
}

class WireCounter extends Transform {
  readonly #cap: number;
  bytes = 0;

  constructor(cap: number) {
    super();
    this.#cap = cap;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#cap) done(tooLarge('wire', this.#cap));
    else done(null, chunk);
  }
}

class Collector extends Writable {
  readonly #cap: number;
  #chunks: Buffer[] = [];
  bytes = 0;

  constructor(cap: number) {
    super();
    this.#cap = cap;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#cap) {
      this.#chunks = [];
      done(tooLarge('decoded', this.#cap));
    } else {
      this.#chunks.push(chunk);
      done();
    }
  }

  take(): Uint8Array {
    const whole = new Uint8Array(this.bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [];
    return whole;
  }
}

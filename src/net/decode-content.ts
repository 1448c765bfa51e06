import { Transform, type TransformCallback } from 'node:stream';
import * as zlib from 'node:zlib';
import { CodedError } from '../errors/coded-error.ts';

type Decoder = Transform & { bytesWritten: number };

const DECODERS: Readonly<Record<string, (firstByte: number) => Decoder>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress(),
  // By the book "deflate" is a zlib stream; some servers send the bare one. The low bits of the first byte tell.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
};

// Each further layer multiplies what a few bytes can cost.
const MAX_LAYERS = 3;

/** What the client can undo, as the value of Accept-Encoding. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

/**
 * The streams that undo a Content-Encoding, in the order in which the body passes through them. They hold back when
 * nobody reads on, so that a bomb never unfolds further than its reader lets it.
 *
 * @throws CodedError `net.bad_encoding` for an unknown coding or more than three layers
 */
export function contentDecoders(contentEncoding: string | undefined): Transform[] {
  const names = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_LAYERS) throw badEncoding('Too many layers of Content-Encoding');
  return names.reverse().map((name) => {
    const open = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
    if (open === undefined) throw badEncoding('Unknown Content-Encoding');
    return new LazyDecoder(open);
  });
}

function badEncoding(message: string): CodedError {
  return new CodedError('net.bad_encoding', 'permanent', message);
}

/** Opens its decoder at the first byte: an empty body is then empty in every coding, where zlib would call it cut. */
class LazyDecoder extends Transform {
  readonly #open: (firstByte: number) => Decoder;
  #inner: Decoder | undefined;

  constructor(open: (firstByte: number) => Decoder) {
    super();
    this.#open = open;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const [firstByte] = chunk;
    if (firstByte === undefined) {
      done();
      return;
    }
    this.#inner ??= this.#start(firstByte);
    this.#inner.write(chunk, (error) => done(error));
  }

  override _read(size: number): void {
    this.#inner?.resume();
    super._read(size);
  }

  override _flush(done: TransformCallback): void {
    const inner = this.#inner;
    // Rubbish behind the compressed data ends the decoder early.
    if (inner === undefined || inner.readableEnded) {
      done();
      return;
    }
    inner.once('end', () => done());
    inner.end();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inner?.destroy();
    done(error);
  }

  #start(firstByte: number): Decoder {
    const inner = this.#open(firstByte);
    inner.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) inner.pause();
    });
    inner.on('error', (error) => this.destroy(error));
    return inner;
  }
}

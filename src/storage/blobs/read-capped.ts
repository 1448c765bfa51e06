import { CodedError } from '../../errors/coded-error.ts';

/**
 * Reads a stream to its end or to the cap, whichever comes first; a stream that is left early is closed.
 *
 * @throws CodedError `blob.too_large`, permanent; errors of the stream as they are
 */
export async function readCapped(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) {
      throw new CodedError('blob.too_large', 'permanent', 'The blob is larger than allowed', {
        detail: { limit_bytes: maxBytes },
      });
    }
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

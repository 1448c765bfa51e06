import type { IncomingMessage } from 'node:http';
import { CodedError } from '../../errors/coded-error.ts';

/** The largest request body that is read, in bytes. */
export const LARGEST_BODY = 32 * 1024 * 1024;

/**
 * Reads a request's body as UTF-8.
 *
 * @throws CodedError `mock_model.too_large`, permanent; whatever the stream fails with when the client leaves
 */
export async function readBody(request: IncomingMessage, largest = LARGEST_BODY): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest) {
      throw new CodedError('mock_model.too_large', 'permanent', `the body is larger than ${largest} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

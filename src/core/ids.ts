import { createHash, randomBytes } from 'node:crypto';

/** Where new identifiers come from. Injected, so that tests can count them. */
export type NewId = () => string;

/**
 * A UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits. Rows made together lie together in
 * their index.
 */
export function uuid7(nowMs: number = Date.now(), random: Buffer = nextRandom()): string {
  const bytes = Buffer.allocUnsafe(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  random.copy(bytes, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return format(bytes);
}

/** Ten random bytes at a time from a large draw: drawing for each id took ten times as long as making it. */
let pool = Buffer.alloc(0);
let drawn = 0;

function nextRandom(): Buffer {
  if (drawn === pool.length) {
    pool = randomBytes(10 * 400);
    drawn = 0;
  }
  drawn += 10;
  return pool.subarray(drawn - 10, drawn);
}

/** A UUID version 5 (RFC 9562): the same for the same parts, so that what is enqueued twice exists once. */
export function uuid5(namespace: string, ...parts: readonly string[]): string {
  const hash = createHash('sha1');
  hash.update(Buffer.from(namespace.replaceAll('-', ''), 'hex'));
  // NUL cannot stand in any of our parts, so ('a','bc') and ('ab','c') differ.
  hash.update(parts.join('\0'));
  const bytes = hash.digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return format(bytes);
}

function format(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

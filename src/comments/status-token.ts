import { createHash, randomBytes } from 'node:crypto';

/** A token that its holder alone knows: 256 random bits. Only its hash is kept. */
export const newStatusToken = (): string => randomBytes(32).toString('base64url');

export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex');

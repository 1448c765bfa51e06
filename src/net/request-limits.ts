import type { RequestLimits } from './client-types.ts';

const WIRE_MARGIN_BYTES = 64 * 1024;

/** The limits of one request: what it says, else what its client says, else the house's own. */
export function requestLimits(request: Partial<RequestLimits>, client: Partial<RequestLimits> = {}): RequestLimits {
  const maxBytes = request.maxBytes ?? client.maxBytes ?? 10 * 1024 * 1024;
  return {
    timeoutMs: request.timeoutMs ?? client.timeoutMs ?? 30_000,
    idleTimeoutMs: request.idleTimeoutMs ?? client.idleTimeoutMs ?? 10_000,
    maxBytes,
    // Compressing what is already dense makes it slightly larger; beyond that, a body wider than its cap is pointless.
    maxWireBytes: request.maxWireBytes ?? client.maxWireBytes ?? maxBytes + WIRE_MARGIN_BYTES,
    maxRedirects: request.maxRedirects ?? client.maxRedirects ?? 5,
    followRedirects: request.followRedirects ?? client.followRedirects ?? true,
    refuseDowngrade: request.refuseDowngrade ?? client.refuseDowngrade ?? false,
  };
}

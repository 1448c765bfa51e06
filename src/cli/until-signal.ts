/**
 * Waits for SIGINT, SIGTERM or SIGHUP. A second one does not cut the stopping short: what was claimed is settled
 * first, and kill -9 loses nothing either.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });
}

/** So many at once; the others wait for their turn. */
export interface Places {
  /** Resolves with what gives the place back. Rejects with the signal's reason. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function openPlaces(count: number): Places {
  let free = count;
  const waiting = new Set<() => void>();
  const leave = () => {
    free += 1;
    const [first] = waiting;
    first?.();
  };
  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const enter = () => {
          waiting.delete(enter);
          signal.removeEventListener('abort', refuse);
          free -= 1;
          resolve(leave);
        };
        const refuse = () => {
          waiting.delete(enter);
          reject(signal.reason);
        };
        if (signal.aborted) return reject(signal.reason);
        if (free > 0) return enter();
        waiting.add(enter);
        signal.addEventListener('abort', refuse, { once: true });
      }),
  };
}

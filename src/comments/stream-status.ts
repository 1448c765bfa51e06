import type { Status } from './status.ts';
import type { VersionWatch } from './watch-versions.ts';

/** A proxy that waits for an answer's next byte gives up after a minute or less. */
const HEARTBEAT_MS = 10_000;
/** A browser comes back by itself after that; a stream that nobody reads any more is over then. */
const LONGEST_MS = 10 * 60_000;
/** What a browser waits before it comes back. */
const RETRY_MS = 3_000;

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** The streams that are open in this process. */
export interface StatusStreams {
  /**
   * Server-sent events: `status` with the whole status whenever it changes, its version as the event's id, and no more once
   * it is terminal.
   * @param lastEventId what the client had seen; a status that it knows is not sent again
   * @returns null where the client knows that nothing more will come: 204 tells a browser to stay away
   */
  open(read: () => Promise<Status>, lastEventId: string | null): Promise<ReadableStream<Uint8Array> | null>;
  close(): void;
}

export function statusStreams(watch: VersionWatch, onError: (error: unknown) => void): StatusStreams {
  const open = new Set<() => void>();
  return {
    open: async (read, lastEventId) => {
      const first = await read();
      const known = lastEventId === String(first.version);
      if (known && first.terminal) return null;
      let end = () => {};
      return new ReadableStream<Uint8Array>({
        start: (controller) => {
          const encoder = new TextEncoder();
          const send = (text: string) => controller.enqueue(encoder.encode(text));
          const tell = (status: Status) =>
            send(`event: status\nid: ${status.version}\ndata: ${JSON.stringify(status)}\n\n`);
          const unwatch = watch.watch(first.id, first.version, () => {
            read()
              .then((status) => {
                if (!open.has(close)) return;
                tell(status);
                if (status.terminal) close();
              })
              .catch(onError);
          });
          const heartbeat = setInterval(() => send(': heartbeat\n\n'), HEARTBEAT_MS);
          const close = () => {
            if (!open.has(close)) return;
            end();
            controller.close();
          };
          const longest = setTimeout(() => close(), LONGEST_MS);
          end = () => {
            open.delete(close);
            unwatch();
            clearInterval(heartbeat);
            clearTimeout(longest);
          };
          open.add(close);
          send(`retry: ${RETRY_MS}\n\n`);
          if (!known) tell(first);
          if (first.terminal) close();
        },
        cancel: () => end(),
      });
    },
    close: () => {
      for (const close of [...open]) close();
    },
  };
}

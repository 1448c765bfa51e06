/** A piece of a text, and where it begins there. */
export interface Window {
  readonly start: number;
  readonly text: string;
}

/** A window ends at a line break if there is one in its last tenth. */
const LOOSE_END = 0.1;

/**
 * Divides a text into windows of at most `size` UTF-16 units. Neighbours share `overlap` units or a few more, so that every
 * piece of the text that is no longer than that lies whole in one window. No surrogate pair is divided.
 * @param overlap less than half of `size`
 */
export function windowsOf(text: string, size: number, overlap: number): Window[] {
  const windows: Window[] = [];
  for (let start = 0; ; ) {
    const most = beforePair(text, Math.min(text.length, start + size));
    if (most === text.length) return [...windows, { start, text: text.slice(start) }];
    const line = text.lastIndexOf('\n', most - 1) + 1;
    const end = line > start + size * (1 - LOOSE_END) ? line : most;
    windows.push({ start, text: text.slice(start, end) });
    start = beforePair(text, end - overlap);
  }
}

/** The beginning and the end of a text that is longer than both together; else the text. */
export function headAndTail(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text;
  return `${text.slice(0, beforePair(text, head))}\n[…]\n${text.slice(beforePair(text, text.length - tail))}`;
}

/** The offset itself, or the one before it where it would divide a surrogate pair. */
function beforePair(text: string, at: number): number {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff ? at - 1 : at;
}

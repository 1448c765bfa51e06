/**
 * The named points of a claim at which tests stop or kill a worker. Production passes no hook and pays one
 * undefined check.
 */
export type Point =
  | 'claimed'
  | 'loaded'
  | 'worked'
  | 'settle.begun'
  | 'settle.fenced'
  | 'settle.moved'
  | 'settle.saved'
  | 'settle.enqueued'
  | 'settled';

export type AtPoint = (point: Point, items: readonly string[]) => void | Promise<void>;

/** A turned rectangle around text; angle in radians, clockwise from the horizontal, within a quarter turn around it. */
export interface TextBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
}

/** For each place how likely it is to be text, row by row, 0 to 1. */
export interface TextMap {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** The figures of the paper's reference implementation, as the model was trained with. */
const TEXT = 0.3;
const SURE = 0.5;
const UNCLIP = 1.5;
const LEAST_SIDE = 3;

/**
 * Where the text is, from a map of a network with differentiable binarisation (Liao et al., Real-time Scene Text Detection
 * with Differentiable Binarization, AAAI 2020): connected regions, the smallest rectangle around each, grown again by
 * what the network was taught to shrink them.
 */
export function textBoxes(map: TextMap): TextBox[] {
  const { width, height, data } = map;
  const seen = new Uint8Array(width * height);
  const stack: number[] = [];
  const boxes: TextBox[] = [];
  for (let seed = 0; seed < data.length; seed += 1) {
    if (seen[seed] || data[seed]! <= TEXT) continue;
    const rows = new Map<number, [number, number]>();
    let sum = 0;
    let count = 0;
    stack.push(seed);
    seen[seed] = 1;
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width;
      const y = (at - x) / width;
      sum += data[at]!;
      count += 1;
      const row = rows.get(y);
      if (!row) rows.set(y, [x, x]);
      else if (x < row[0]) row[0] = x;
      else if (x > row[1]) row[1] = x;
      for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy += 1) {
        for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx += 1) {
          const next = at + dy * width + dx;
          if (seen[next] || data[next]! <= TEXT) continue;
          seen[next] = 1;
          stack.push(next);
        }
      }
    }
    if (sum / count < SURE) continue;
    const box = smallestBox(hullOf(rows));
    if (Math.min(box.width, box.height) < LEAST_SIDE) continue;
    const grow = ((box.width * box.height) / (2 * (box.width + box.height))) * UNCLIP * 2;
    boxes.push({ ...box, width: box.width + grow, height: box.height + grow });
  }
  return boxes;
}

type Point = readonly [number, number];

/** The convex hull (monotone chain, A. M. Andrew 1979) of the pixels' corners. */
function hullOf(rows: ReadonlyMap<number, readonly [number, number]>): Point[] {
  const points: Point[] = [];
  for (const [y, [left, right]] of [...rows].sort(([one], [other]) => one - other)) {
    points.push([left, y], [right + 1, y], [left, y + 1], [right + 1, y + 1]);
  }
  points.sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (sorted: readonly Point[]) => {
    const chain: Point[] = [];
    for (const [x, y] of sorted) {
      while (chain.length > 1) {
        const [ax, ay] = chain.at(-2)!;
        const [bx, by] = chain.at(-1)!;
        if ((bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0) break;
        chain.pop();
      }
      chain.push([x, y]);
    }
    return chain.slice(0, -1);
  };
  return [...half(points), ...half(points.toReversed())];
}

/** Of the rectangles along an edge of the hull the one with the smallest area. */
function smallestBox(hull: readonly Point[]): TextBox {
  let best: TextBox | null = null;
  for (const [at, [x, y]] of hull.entries()) {
    const [nextX, nextY] = hull[(at + 1) % hull.length]!;
    // Within an eighth of a turn of the horizontal, so that the width runs along the line.
    const quarter = Math.PI / 2;
    const edge = Math.atan2(nextY - y, nextX - x);
    const angle = edge - Math.round(edge / quarter) * quarter;
    const box = boxAlong(angle, hull);
    if (!best || box.width * box.height < best.width * best.height) best = box;
  }
  return best!;
}

function boxAlong(angle: number, hull: readonly Point[]): TextBox {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of hull) {
    const along = x * cos + y * sin;
    const across = y * cos - x * sin;
    left = Math.min(left, along);
    right = Math.max(right, along);
    top = Math.min(top, across);
    bottom = Math.max(bottom, across);
  }
  const [along, across] = [(left + right) / 2, (top + bottom) / 2];
  return {
    x: along * cos - across * sin,
    y: along * sin + across * cos,
    width: right - left,
    height: bottom - top,
    angle,
  };
}

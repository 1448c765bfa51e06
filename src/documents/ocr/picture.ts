/** A picture in memory: four bytes a pixel (red, green, blue, and one that is not looked at), row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** The picture turned by quarter turns clockwise. */
export function turnPicture({ width, height, data }: Picture, quarterTurns: 0 | 1 | 2 | 3): Picture {
  if (!quarterTurns) return { width, height, data };
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height);
  const to = new Uint32Array(from.length);
  const [wide, high] = quarterTurns === 2 ? [width, height] : [height, width];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at =
        quarterTurns === 1
          ? x * wide + (wide - 1 - y)
          : quarterTurns === 2
            ? (high - 1 - y) * wide + (wide - 1 - x)
            : (high - 1 - x) * wide + y;
      to[at] = from[y * width + x]!;
    }
  }
  return { width: wide, height: high, data: new Uint8Array(to.buffer) };
}

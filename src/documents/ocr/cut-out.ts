import type { Picture } from './picture.ts';
import type { TextBox } from './text-boxes.ts';

/** A piece of a picture, laid straight: three planes (blue, green, red), 0 to 255. */
export interface Strip {
  readonly width: number;
  readonly height: number;
  readonly planes: Float32Array;
}

/** The part of a picture below a box, scaled to this height; `stretch` makes it wider than that. */

export function cutOut(picture: Picture, box: TextBox, height: number, stretch = 1): Strip {
  const scale = height / box.height;
  const width = Math.max(1, Math.round(box.width * scale * stretch));
  const planes = new Float32Array(3 * width * height);
  const [cos, sin] = [Math.cos(box.angle) / scale, Math.sin(box.angle) / scale];
  // Much smaller than the original, single samples would miss thin strokes.
  const fine = Math.max(1, Math.round(0.5 / scale + 0.25));
  const size = width * height;
  const { data } = picture;
  const lastX = picture.width - 1;
  const lastY = picture.height - 1;
  for (let v = 0; v < height; v += 1) {
    for (let u = 0; u < width; u += 1) {
      let blue = 0;
      let green = 0;
      let red = 0;
      for (let sub = 0; sub < fine * fine; sub += 1) {
        const along = (u + ((sub % fine) + 0.5) / fine - width / 2) / stretch;
        const across = v + (Math.floor(sub / fine) + 0.5) / fine - height / 2;
        const x = Math.min(lastX, Math.max(0, box.x + along * cos - across * sin - 0.5));
        const y = Math.min(lastY, Math.max(0, box.y + along * sin + across * cos - 0.5));
        const left = Math.floor(x);
        const top = Math.floor(y);
        const right = x - left;
        const down = y - top;
        const a = (top * picture.width + left) * 4;
        const b = left < lastX ? a + 4 : a;
        const c = top < lastY ? a + picture.width * 4 : a;
        const d = c + b - a;
        const wa = (1 - right) * (1 - down);
        const wb = right * (1 - down);
        const wc = (1 - right) * down;
        const wd = right * down;
        red += data[a]! * wa + data[b]! * wb + data[c]! * wc + data[d]! * wd;
        green += data[a + 1]! * wa + data[b + 1]! * wb + data[c + 1]! * wc + data[d + 1]! * wd;
        blue += data[a + 2]! * wa + data[b + 2]! * wb + data[c + 2]! * wc + data[d + 2]! * wd;
      }
      const at = v * width + u;
      planes[at] = blue / (fine * fine);
      planes[size + at] = green / (fine * fine);
      planes[2 * size + at] = red / (fine * fine);
    }
  }
  return { width, height, planes };
}

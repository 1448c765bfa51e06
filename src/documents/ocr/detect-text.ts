import { cutOut } from './cut-out.ts';
import { joinBoxes } from './join-boxes.ts';
import type { Network } from './load-models.ts';
import type { Picture } from './picture.ts';
import { type TextBox, textBoxes } from './text-boxes.ts';

/**
 * So many pixels of a page are looked at: letters of an A4 page are some ten high. By area, not by the longer side: a till
 * receipt may be ten times as long as it is wide.
 */
const MOST_PIXELS = 1_300_000;
/** What the network halves the picture to, and again: sides are multiples of it. */
const STEP = 32;
/** Mean and deviation of the pictures that the network was trained with (ImageNet), planes in its order. */
const MEAN = [0.485, 0.456, 0.406];
const DEVIATION = [0.229, 0.224, 0.225];

/** Where text is on a picture, in its pixels. */
export async function detectText(picture: Picture, network: Network): Promise<TextBox[]> {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (picture.width * picture.height)));
  const width = Math.ceil((picture.width * scale) / STEP) * STEP;
  const height = Math.ceil((picture.height * scale) / STEP) * STEP;
  const whole = { x: width / scale / 2, y: height / scale / 2, width: width / scale, height: height / scale, angle: 0 };
  const { planes } = cutOut(picture, whole, height);
  const size = width * height;
  for (let at = 0; at < planes.length; at += 1) {
    const plane = Math.floor(at / size);
    planes[at] = (planes[at]! / 255 - MEAN[plane]!) / DEVIATION[plane]!;
  }
  const { data } = await network.run(planes, height, width);
  return joinBoxes(textBoxes({ width, height, data })).map((box) => ({
    x: box.x / scale,
    y: box.y / scale,
    width: box.width / scale,
    height: box.height / scale,
    angle: box.angle,
  }));
}

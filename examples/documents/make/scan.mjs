// Pages as pictures: clean ones, and ones that went through a scanner or a telephone's camera.
import { createCanvas } from '@napi-rs/canvas';
import { random } from './random.mjs';

/** Draws a page at the given resolution, upright and clean. */
export function draw(page, dpi) {
  const scale = dpi / 72;
  const canvas = createCanvas(Math.round(page.width * scale), Math.round(page.height * scale));
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  for (const op of page.ops) {
    if (op.op === 'text') {
      context.fillStyle = `rgb(${op.grey},${op.grey},${op.grey})`;
      context.font = `${op.size}px "doc-${op.font}"`;
      context.fillText(op.string, op.x, op.y);
    } else if (op.op === 'line') {
      context.strokeStyle = '#222';
      context.lineWidth = op.width;
      context.beginPath();
      context.moveTo(op.x1, op.y1);
      context.lineTo(op.x2, op.y2);
      context.stroke();
    } else {
      context.lineWidth = 0.7;
      context.strokeStyle = '#222';
      if (op.fill !== null) {
        context.fillStyle = `rgb(${op.fill},${op.fill},${op.fill})`;
        context.fillRect(op.x, op.y, op.width, op.height);
      } else context.strokeRect(op.x, op.y, op.width, op.height);
    }
  }
  return canvas;
}

/** A page as PNG, clean: what a program saves. */
export const png = (page, dpi) => draw(page, dpi).toBuffer('image/png');

/**
 * A page as JPEG in grey, as a scanner gives it: a little askew, uneven light, noise, specks.
 * `turn` turns the picture by quarter turns clockwise, as paper that was laid in wrongly.
 */
export function scan(page, { seed, dpi = 150, skew = 0.6, noise = 9, quality = 60, turn = 0, paper = 246 }) {
  const chance = random(seed);
  const clean = draw(page, dpi);
  const swap = turn % 180 !== 0;
  const canvas = createCanvas(swap ? clean.height : clean.width, swap ? clean.width : clean.height);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(canvas.width / 2, canvas.height / 2);
  context.rotate(((turn + skew) * Math.PI) / 180);
  context.drawImage(clean, -clean.width / 2, -clean.height / 2);
  const picture = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = picture;
  for (let y = 0, i = 0; y < canvas.height; y++) {
    for (let x = 0; x < canvas.width; x++, i += 4) {
      const light = paper - 14 * (x / canvas.width) - 6 * (y / canvas.height);
      const ink = 1 - (0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2]) / 255;
      const grain = (chance() + chance() - 1) * noise;
      const value = light - ink * (light - 42) + grain;
      data[i] = data[i + 1] = data[i + 2] = Math.max(0, Math.min(255, value));
    }
  }
  for (let n = 0; n < 60; n++) {
    const at = (Math.floor(chance() * canvas.height) * canvas.width + Math.floor(chance() * canvas.width)) * 4;
    data[at] = data[at + 1] = data[at + 2] = 90;
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.putImageData(picture, 0, 0);
  return canvas.toBuffer('image/jpeg', quality);
}

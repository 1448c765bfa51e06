import type sharpLibrary from 'sharp';
import { broken, tooLarge } from '../budgets.ts';
import { decodeBmp } from './decode-bmp.ts';
import { shrinkage } from './largest.ts';
import type { Import } from './load-models.ts';
import type { Picture } from './picture.ts';

/** What may be unpacked of one picture, whatever is kept of it: a sheet of A2 at 600 dots an inch has 139 million. */
const MOST_PIXELS = 150_000_000;

export interface PictureFile {
  readonly pages: number;
  /** One page, from 0: upright as the camera says, on white, small enough to be recognised. */
  page(at: number): Promise<Picture>;
}

/**
 * Opens a file with one or several pictures in it.
 * @returns null where the library, which is optional, is not installed
 * @throws file.invalid, file.too_large
 */
export async function openPicture(
  bytes: Uint8Array,
  importPackage: Import = (name) => import(name),
): Promise<PictureFile | null> {
  let sharp: typeof sharpLibrary;
  try {
    sharp = ((await importPackage('sharp')) as { default: typeof sharpLibrary }).default;
  } catch {
    return null;
  }
  const bitmap = bytes[0] === 0x42 && bytes[1] === 0x4d ? decodeBmp(bytes, MOST_PIXELS) : null;
  const open = (page: number) =>
    bitmap
      ? sharp(bitmap.data, { raw: { width: bitmap.width, height: bitmap.height, channels: 4 } })
      : sharp(bytes, { page, failOn: 'error', limitInputPixels: false, sequentialRead: true });
  // Pages of a document, not frames of an animation.
  const { pages = 1, format } = await open(0).metadata().catch(damaged);
  return {
    pages: format === 'tiff' ? pages : 1,
    async page(at) {
      const { width, height, autoOrient } = await open(at).metadata().catch(damaged);
      if (width * height > MOST_PIXELS)
        throw tooLarge(`a picture of more than ${MOST_PIXELS / 1e6} million pixels`, { budget: 'pixels' });
      const shrink = shrinkage(width, height);
      const shrunk = (side: number) => Math.max(1, Math.round(side * shrink));
      const { data, info } = await open(at)
        .autoOrient()
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .resize(shrunk(autoOrient.width), shrunk(autoOrient.height), { fit: 'fill' })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
        .catch(damaged);
      return { width: info.width, height: info.height, data };
    },
  };
}

const damaged = (cause: unknown): never => {
  throw broken('the picture cannot be read: the file is damaged', cause);
};

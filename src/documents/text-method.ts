import type { PageRecord } from './page-record.ts';

/** How the text of a document came about: by its text layer, by recognising pictures, by both, or there is none. */
export function textMethod(pages: readonly PageRecord[]): PageRecord['method'] | 'mixed' {
  const methods = new Set(pages.filter(({ characters }) => characters > 0).map(({ method }) => method));
  if (methods.size > 1) return 'mixed';
  const [only] = methods;
  return only ?? 'none';
}

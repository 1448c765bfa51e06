/** How one page became text. Files without pages have one. */
export interface PageRecord {
  readonly page: number;
  /** Where the page's text begins in the document's Markdown, in UTF-16 units; null where it has none. */
  readonly start: number | null;
  /** `none`: the page has neither a text layer nor was it recognised. */
  readonly method: 'text' | 'ocr' | 'none';
  readonly characters: number;
  /** The share of characters that are readable, 0 to 1; null where there are none. */
  readonly score: number | null;
  /** `needs_ocr`: there is no text layer; `unreadable_characters`: the font does not say which characters it draws. */
  readonly warnings: readonly string[];
}

const UNREADABLE = /[\ufffd\p{Co}\p{Cn}]|(?![\n\t\r])\p{Cc}/gu;

/** The record of a page that has a text layer, from its text and where that begins in the document's Markdown. */
export function recordPage(page: number, text: string, start: number, warnings: readonly string[] = []): PageRecord {
  const characters = [...text.replace(/\s+/g, '')].length;
  if (!characters) return { page, start: null, method: 'text', characters, score: null, warnings };
  const score = Math.max(0, 1 - (text.match(UNREADABLE)?.length ?? 0) / characters);
  return {
    page,
    start,
    method: 'text',
    characters,
    score: Math.round(score * 1000) / 1000,
    warnings: score < 0.9 ? [...warnings, 'unreadable_characters'] : warnings,
  };
}

/** The page whose text holds this place of the document's Markdown (in UTF-16 units); null before all text. */
export function pageAt(pages: readonly PageRecord[], offset: number): number | null {
  return pages.findLast(({ start }) => start !== null && start <= offset)?.page ?? null;
}

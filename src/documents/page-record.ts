/** What reading one page gave. */
export interface PageText {
  readonly text: string;
  /** `ocr`: its picture was recognised; `none`: it has no text layer and was not recognised. */
  readonly method: 'text' | 'ocr' | 'none';
  /**
   * Of a text layer the share of characters that are readable, of a recognised page the mean probability of its
   * characters, 0 to 1; null where there are none.
   */
  readonly score: number | null;
  /**
   * Of a text layer: `unreadable_characters`: the font does not say which characters it draws. Without one: `needs_ocr`:
   * nothing here recognises pictures; `ocr_failed`: recognising ended badly or took too long. Of a recognised page:
   * `rotated_90`, `_180`, `_270`: it lay turned clockwise; `low_confidence`; `blank_page`; `no_text_found`: something is
   * on it, and no text.
   */
  readonly warnings: readonly string[];
}

/** How one page became text. Files without pages have one. */
export interface PageRecord extends Omit<PageText, 'text'> {
  readonly page: number;
  /** Where the page's text begins in the document's Markdown, in UTF-16 units; null where it has none. */
  readonly start: number | null;
  readonly characters: number;
}

const UNREADABLE = /[\ufffd\p{Co}\p{Cn}]|(?![\n\t\r])\p{Cc}/gu;
/** A text layer with a smaller share of readable characters is not to be trusted. */
const READABLE = 0.9;

/** A text that stands in the file as text. */
export function textLayer(text: string, warnings: readonly string[] = []): PageText {
  const characters = countCharacters(text);
  if (!characters) return { text, method: 'text', score: null, warnings };
  const score = Math.max(0, 1 - (text.match(UNREADABLE)?.length ?? 0) / characters);
  return {
    text,
    method: 'text',
    score: Math.round(score * 1000) / 1000,
    warnings: score < READABLE ? [...warnings, 'unreadable_characters'] : warnings,
  };
}

/** A page that is a picture and stays one. */
export function notRecognised(warning: 'needs_ocr' | 'ocr_failed'): PageText {
  return { text: '', method: 'none', score: null, warnings: [warning] };
}

/** Characters that leave ink. */
export const countCharacters = (text: string): number => [...text.replace(/\s+/g, '')].length;

/** The record of a page that stands in the file as text. */
export function recordPage(page: number, text: string, start: number, warnings: readonly string[] = []): PageRecord {
  return recordRead(page, textLayer(text, warnings), start);
}

/** The record of a page, from what was read and where that begins in the document's Markdown. */
export function recordRead(page: number, { text, method, score, warnings }: PageText, start: number): PageRecord {
  const characters = countCharacters(text);
  return { page, start: characters ? start : null, method, characters, score, warnings };
}

/** The page whose text holds this place of the document's Markdown (in UTF-16 units); null before all text. */
export function pageAt(pages: readonly PageRecord[], offset: number): number | null {
  return pages.findLast(({ start }) => start !== null && start <= offset)?.page ?? null;
}

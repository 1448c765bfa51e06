import { readPlainText } from './plain-text.ts';

/** Markdown is what readers produce: it is decoded and kept. */
export const readMarkdown = readPlainText;

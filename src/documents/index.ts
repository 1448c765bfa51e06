export { type Budgets, DEFAULT_BUDGETS, tooLarge } from './budgets.ts';
export { type DocumentTypeRule, parseTypes, TYPES_INVALID } from './document-types.ts';
export { type Extraction, extract, extractAsking } from './extract.ts';
export { type PageRecord, pageAt } from './page-record.ts';
export type { DocumentText } from './read-text.ts';
export { type DocumentType, mediaTypeOf } from './sniff-type.ts';
export { textMethod } from './text-method.ts';
export { openTextReader, type TextReader } from './text-reader.ts';

export { type Budgets, DEFAULT_BUDGETS } from './budgets.ts';
export type { PageRecord } from './page-record.ts';
export { type DocumentText, readText } from './read-text.ts';
export type { DocumentType } from './sniff-type.ts';

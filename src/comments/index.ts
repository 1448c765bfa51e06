export type { Case, Reason, Verdict } from './audit.ts';
export { commentMachine } from './machine.ts';
export { type CommentsService, openComments } from './service.ts';

export { type Judged, type LineAuditor, lineAuditor } from './audit-lines.ts';
export { commentMachine } from './machine.ts';
export { POLICIES_INVALID, type Policy, parsePolicy } from './policy.ts';
export { type CommentsService, openComments } from './service.ts';

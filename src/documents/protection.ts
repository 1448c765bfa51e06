import type { BatchOrder } from '../replay/index.ts';
import type { Document } from './document.ts';

/** A person said what type it is, or gave one of its fields. */
export const isHumanDecided = ({ confirmed, fields }: Pick<Document, 'confirmed' | 'fields'>): boolean =>
  confirmed || Object.values(fields).some(({ source }) => source === 'human');

/** Whether a batch may set aside what a person said of it: it was asked to, and nothing was said since it started. */
export const yields = (
  { decidedAt }: Pick<Document, 'decidedAt'>,
  { includeHuman, startedAt }: Pick<BatchOrder, 'includeHuman' | 'startedAt'>,
): boolean => includeHuman && (decidedAt === null || decidedAt <= startedAt);

import type { NewEvent } from '../core/outbox.ts';
import type { Shown } from './shown.ts';

type Origin = NewEvent['origin'];
type About = Pick<Shown, 'type' | 'typeBy' | 'confidence' | 'confirmed'>;

/** A document has another type than before: its first one, another one, or one that a person gave. */
export const classifiedEvent = (
  item: string,
  { type, typeBy, confidence, confirmed }: About,
  origin: Origin,
): NewEvent => ({
  type: 'documents.document.classified',
  item,
  origin,
  data: { document: item, type, by: typeBy, confidence, confirmed },
});

/** Values of its fields changed; which they are now is asked for. */
export const fieldsExtractedEvent = (item: string, { type, fields }: Shown, origin: Origin): NewEvent => ({
  type: 'documents.document.fields_extracted',
  item,
  origin,
  data: {
    document: item,
    type,
    fields: Object.keys(fields),
    filled: Object.values(fields).filter(({ value }) => value !== null).length,
  },
});

/** Nothing of it waits for a person any more. */
export const readyEvent = (item: string, type: string | null, origin: Origin): NewEvent => ({
  type: 'documents.document.ready',
  item,
  origin,
  data: { document: item, type },
});

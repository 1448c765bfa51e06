import { z } from 'zod';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';

/** What a person says of an answer as a whole. */
export interface ValidityValue {
  readonly is_valid: boolean;
  readonly invalid_reason: string | null;
}

/** A place about which a person may say otherwise than the machine, with what is said of it. */
export type Finding =
  | { readonly field: 'validity'; readonly brandName: ''; readonly matchPosition: -1; readonly value: ValidityValue }
  | { readonly field: 'hit'; readonly brandName: string; readonly matchPosition: number; readonly value: boolean }
  | {
      readonly field: 'recommended';
      readonly brandName: string;
      readonly matchPosition: -1;
      readonly value: boolean | null;
    }
  | { readonly field: 'rank'; readonly brandName: string; readonly matchPosition: -1; readonly value: number | null };

export type FindingPlace = Pick<Finding, 'field' | 'brandName' | 'matchPosition'>;

/** Whether two findings are about the same thing: at most one of them holds. */
export const isSamePlace = (one: FindingPlace, other: FindingPlace): boolean =>
  one.field === other.field && one.brandName === other.brandName && one.matchPosition === other.matchPosition;

/** The reasons that cleaning itself knows; refusals by their kind. */
const invalidReason = z
  .string()
  .max(50)
  .regex(
    /^(empty|irrelevant|transport|blocked|reasoning_only|refuse:[a-z_]+)$/,
    'is none of empty, irrelevant, transport, blocked, reasoning_only, refuse:<kind>',
  );

const brand = z.string().min(1).max(100).refine(isStorable, NOT_STORABLE).optional();
const common = {
  /** What the person had seen; 409 when somebody decided since. */
  expected_revision: z.int32().min(1),
  /** Typed by the person; kept where it can be erased. */
  reason: z.string().max(1000).refine(isStorable, NOT_STORABLE).optional(),
  /** Takes the person's word back: the machine's value holds again. */
  withdraw: z.literal(true).optional(),
};

/**
 * A decision about one finding: `value`, or `withdraw` instead of it. `brand_name` may be left out where the task names
 * its brand.
 */
export const decisionSchema = z
  .discriminatedUnion('field', [
    z.strictObject({
      field: z.literal('validity'),
      value: z
        .discriminatedUnion('is_valid', [
          z.strictObject({ is_valid: z.literal(true), invalid_reason: z.null().optional() }),
          z.strictObject({ is_valid: z.literal(false), invalid_reason: invalidReason }),
        ])
        .optional(),
      ...common,
    }),
    z.strictObject({
      field: z.literal('hit'),
      brand_name: brand,
      match_position: z.int32().min(0),
      value: z.boolean().optional(),
      ...common,
    }),
    z.strictObject({
      field: z.literal('recommended'),
      brand_name: brand,
      value: z.boolean().nullable().optional(),
      ...common,
    }),
    z.strictObject({
      field: z.literal('rank'),
      brand_name: brand,
      value: z.int().min(1).max(10_000).nullable().optional(),
      ...common,
    }),
  ])
  .refine((decision) => (decision.value === undefined) === (decision.withdraw === true), {
    error: 'there is either a value or withdraw: true',
    path: ['value'],
  });

export type FindingDecision = z.infer<typeof decisionSchema>;

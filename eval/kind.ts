import type { z } from 'zod';
import type { Item } from './labelled-set.ts';
import type { Judgement } from './tally.ts';

/** A kind of labelled set, and how the product and a baseline are judged on one item of it. */
export interface Kind<T extends Item = Item> {
  readonly about: string;
  /** Heading of the baseline's columns. */
  readonly baseline: string;
  readonly schema: z.ZodType<T>;
  /** The brand names that the label of an item uses. */
  labelled(item: T): string[];
  judge(item: T): Judgement;
}

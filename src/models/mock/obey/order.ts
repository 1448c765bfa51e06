/**
 * Something a text wants from the model.
 * - `say`: that its answer be this text
 * - `reveal`: that it show its system prompt
 * - `set`: that a property or verdict have a value (`decision: approve`); `loose` where it is no order but only looks
 *   like a name with its value, as in JSON or in a form
 * - `verdict`: a value without the name of what it is for (`approve this comment`)
 */
export type Order =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'reveal' }
  | { readonly kind: 'set'; readonly name: string; readonly value: string; readonly loose: boolean }
  | { readonly kind: 'verdict'; readonly value: string };

/** An order and where in its text it begins. */
export interface Found {
  readonly order: Order;
  readonly at: number;
  /** Where the quoted words end that are to be said: what stands in them is no order of its own. */
  readonly quotedTo?: number;
}

import { type CleanedAnswer, cleanAnswer } from '../src/answers/clean-answer.ts';
import { compileBrands } from '../src/answers/compile-brands.ts';
import { parseBrands } from '../src/answers/index.ts';
import type { Item } from './labelled-set.ts';

/** The product's findings on an item: all brands of the item, its text as a whole answer. */
export function clean(item: Item): CleanedAnswer {
  const { text, query_text = '' } = item;
  return cleanAnswer({ answer: text, query_text, brand_name: null }, compileBrands(parseBrands(item.brands)));
}

/** What an invalid answer adds to the description of a wrong finding: nothing in it was measured. */
export const invalidity = ({ validity }: CleanedAnswer): string =>
  validity.valid ? '' : ` (judged invalid: ${validity.reason})`;

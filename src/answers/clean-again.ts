import { type BrandTable, withTaskAliases } from './brands.ts';
import { type CleanInput, checkValidity, measureAnswer, readAnswer, unmeasuredAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';
import type { MachineResult } from './overrule.ts';
import type { Sample } from './sample.ts';
import type { RawAnswer } from './task.ts';

export const inputOf = (sample: Sample, answer: RawAnswer): CleanInput => ({
  answer,
  query_text: sample.queryText,
  scene_type: sample.sceneType,
  brand_name: sample.brandName,
});

/** The brands of a first cleaning: the rulebook's, with the aliases that the task brought. */
export function brandsAtFirst({ brandName, brandAliases }: Sample, brands: BrandTable): BrandTable {
  return brandName === null ? brands : withTaskAliases(brands, brandName, brandAliases);
}

/** The brands of a re-cleaning: the rulebook alone decides for those it knows. */
export function brandsAgain(sample: Sample, brands: BrandTable): BrandTable {
  const isKnown = brands.brands.some(({ name }) => name === sample.brandName);
  return isKnown ? brands : brandsAtFirst(sample, brands);
}

/** Cleans an answer that has a result already. An invalid one is measured too, for a person may have called it valid. */
export function cleanAgain(sample: Sample, answer: RawAnswer, brands: BrandTable): MachineResult {
  const compiled = compileBrands(brandsAgain(sample, brands));
  const input = inputOf(sample, answer);
  const read = readAnswer(answer, compiled);
  const validity = checkValidity(read, input);
  const measured = measureAnswer(read, validity, input, compiled);
  return validity.valid ? measured : { ...unmeasuredAnswer(validity, input, compiled), ifValid: measured };
}

/** The measures of an answer whatever its validity, by the brands that a result was made with. */
export function measureAsValid(
  sample: Sample,
  answer: RawAnswer,
  brands: BrandTable,
): NonNullable<MachineResult['ifValid']> {
  const compiled = compileBrands(brands);
  const input = inputOf(sample, answer);
  const read = readAnswer(answer, compiled);
  const { results, citations, matches } = measureAnswer(read, checkValidity(read, input), input, compiled);
  return { results, citations, matches };
}

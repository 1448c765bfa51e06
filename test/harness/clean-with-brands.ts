import { expect } from 'vitest';
import { parseBrands } from '../../src/answers/brands.ts';
import { type Answer, type BrandResult, cleanAnswer } from '../../src/answers/clean-answer.ts';
import { compileBrands } from '../../src/answers/compile-brands.ts';

/** A brand as brands.yaml writes it; a name alone is its own alias. */
export type BrandConfig = {
  name: string;
  aliases?: unknown[];
  domains?: string[];
  exclude?: string[];
  require?: string[];
};

/** Cleans an answer with these brands and measures all of them. */
export function clean(brands: (string | BrandConfig)[], answer: Answer, query = '推荐几个产品') {
  const table = parseBrands(brands.map((brand) => (typeof brand === 'string' ? { name: brand } : brand)));
  return cleanAnswer({ answer, query_text: query, brand_name: null }, compileBrands(table));
}

/** Mention counts by brand, whatever the validity of the short text. */
export function counts(brands: (string | BrandConfig)[], text: string): Record<string, number> {
  const { matches } = clean(brands, text);
  const found: Record<string, number> = {};
  for (const brand of brands) found[typeof brand === 'string' ? brand : brand.name] = 0;
  for (const match of matches) {
    expect(text.slice(match.match_position, match.match_end)).toBe(match.surface);
    if (match.kind === 'explicit' && match.is_valid_match) found[match.standard_name]!++;
  }
  return found;
}

/** The results by brand. */
export function results(brands: (string | BrandConfig)[], answer: Answer, query?: string): Record<string, BrandResult> {
  return Object.fromEntries(clean(brands, answer, query).results.map((result) => [result.brand_name, result]));
}

const RAISED = { superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻', subscript: '₀₁₂₃₄₅₆₇₈₉₊₋' };

/** Numbers that are set higher or lower, by characters of their own: 10 to the power of 6 would read as 106. */
export function raised(text: string, place: 'superscript' | 'subscript'): string {
  if (!/^[\d+−-]+$/.test(text)) return text;
  return text.replace(/./g, (sign) => RAISED[place][/\d/.test(sign) ? Number(sign) : sign === '+' ? 10 : 11]!);
}

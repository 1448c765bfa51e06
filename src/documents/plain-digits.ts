/** Figures of any script and full width as ASCII, of the same length. */
export function plainDigits(text: string): string {
  return text
    .replace(/[^\P{Nd}0-9]/gu, (figure) => (figure.length === 1 ? String(figureOf(figure)) : figure))
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u00a0\u2007\u2009\u202f\u3000]/g, ' ')
    .replace(/[\u2010-\u2012\u2212]/g, '-');
}

/** Unicode keeps the ten figures of a script together, in order. */
function figureOf(figure: string): number {
  const code = figure.charCodeAt(0);
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1)) && code - zero < 9) zero -= 1;
  return code - zero;
}

/** As `plainDigits`, and letters that recognised pictures show in place of figures (1,850.0o, 2O26) as figures. */
export function readDigits(text: string): string {
  return plainDigits(text)
    .replace(/(?<=\d[.,]?)[oO](?![A-Za-z])|(?<![A-Za-z\d])[oO](?=\d[/.-]\d)/g, '0')
    .replace(/(?<=\d)[lI](?=[\d/.,-])|(?<![A-Za-z\d])[lI](?=\d[/.-]\d)/g, '1');
}

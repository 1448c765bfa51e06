/** z of a two-sided 95 % interval. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval for a proportion (E. B. Wilson, "Probable inference, the law of succession, and statistical
 * inference", JASA 22, 1927), 95 %.
 * @returns null where nothing was counted
 */
export function wilsonInterval(successes: number, trials: number): { low: number; high: number } | null {
  if (trials === 0) return null;
  const p = successes / trials;
  const z2 = Z * Z;
  const middle = p + z2 / (2 * trials);
  const reach = Z * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials * trials));
  const scale = 1 + z2 / trials;
  // Rounding alone may reach past the ends.
  return { low: Math.max(0, (middle - reach) / scale), high: Math.min(1, (middle + reach) / scale) };
}

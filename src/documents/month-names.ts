const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];

const months = new Map<string, number>([['sept', 9]]);
for (const language of LANGUAGES)
  for (const style of ['short', 'long'] as const) {
    const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
    for (let month = 1; month <= 12; month += 1)
      months.set(plainName(format.format(Date.UTC(2026, month - 1, 15))), month);
  }

function plainName(printed: string): string {
  return printed.toLowerCase().replace(/\.$/, '').normalize('NFD').replace(/\p{M}/gu, '');
}

/** 1 to 12 for a month's name or its abbreviation in one of the languages of Western Europe; null for another word. */
export const monthOf = (printed: string): number | null => months.get(plainName(printed)) ?? null;

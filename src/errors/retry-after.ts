/** No answer may put work off for longer than this, in seconds: a postponed run ends after a day. */
export const RETRY_AFTER_CAP_SECONDS = 24 * 60 * 60;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

// The three forms of RFC 9110 §5.6.7. `Date.parse` is no help: it finds a date in "retry 5".
const IMF = /^[a-z]{3}, (?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) (?:GMT|UTC|\+0000)$/i;
const RFC_850 = /^[a-z]{6,9}, (?<day>\d\d)-(?<month>[a-z]{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/i;
const ASCTIME = /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/i;

/**
 * Reads a Retry-After header, seconds or HTTP date.
 *
 * @param value the header's value, if there was one
 * @param nowMs the time to count a date from, in milliseconds since 1970
 * @returns whole seconds to wait from 0 (also for a date gone by) to {@link RETRY_AFTER_CAP_SECONDS}; null when there
 *   is no value or none that can be read. A fraction, which some servers send, is rounded up.
 */
export function parseRetryAfter(value: string | null | undefined, nowMs: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text)), RETRY_AFTER_CAP_SECONDS);
  const at = parseHttpDate(text, nowMs);
  if (at === null) return null;
  return Math.min(Math.max(Math.ceil((at - nowMs) / 1000), 0), RETRY_AFTER_CAP_SECONDS);
}

function parseHttpDate(text: string, nowMs: number): number | null {
  const parts = (IMF.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (parts === undefined) return null;
  const day = Number(parts.day);
  const month = MONTHS.indexOf((parts.month ?? '').toLowerCase());
  const year = fullYear(parts.year ?? '', nowMs);
  const [hour = 0, minute = 0, second = 0] = (parts.time ?? '').split(':').map(Number);
  if (month < 0 || hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  // A 31 April moves on to May instead of failing; a leap second at the end of a month may.
  return date.getUTCDate() === day || second === 60 ? date.getTime() : null;
}

/** RFC 9110: two digits that seem more than 50 years ahead mean the past century. */
function fullYear(text: string, nowMs: number): number {
  if (text.length > 2) return Number(text);
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + Number(text);
  return year > thisYear + 50 ? year - 100 : year;
}

import type { Address, Email } from 'postal-mime';

/** The headers that say who wrote what to whom, one a line. */
export function headersOf(mail: Email): string {
  const lines = [
    ['From', people(mail.from ? [mail.from] : [])],
    ['To', people(mail.to ?? [])],
    ['Cc', people(mail.cc ?? [])],
    ['Date', dateOf(mail)],
    ['Subject', mail.subject?.replace(/\s+/g, ' ').trim() ?? ''],
  ];
  return lines.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join('\n');
}

function people(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || (address ?? '')))
    .join(', ');
}

/** The time on the sender's clock, in ISO 8601: in that of another country it may be another day. */
function dateOf({ date = '', headers }: Email): string {
  const sent = new Date(date).getTime();
  const written = headers.find(({ key }) => key === 'date')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)\b/.exec(written) ?? [];
  if (sign === undefined || Number.isNaN(sent)) return date;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  const local = new Date(sent + offset * 60_000).toISOString().slice(0, 19);
  return `${local}${offset ? `${sign}${hours}:${minutes}` : 'Z'}`;
}

import PostalMime, { type Address, type Email } from 'postal-mime';
import { broken } from '../budgets.ts';
import { decodeText } from '../decode-text.ts';

/**
 * A mail to its parts. Text that stands in it as it is, in an encoding that it does not say, is found out; mails in mails
 * stay whole, as attachments.
 * @throws file.invalid
 */
export async function parseMail(bytes: Uint8Array): Promise<Email> {
  const mail = await parse(bytes);
  if (!isGarbled(mail.subject, mail.text, mail.html, ...people(mail))) return mail;
  const { text, encoding } = decodeText(bytes);
  if (encoding === 'utf-8') return mail;
  // What is labelled rightly comes out right the first time only, what is not labelled the second time only.
  const again = await parse(Buffer.from(text));
  const better = <T extends string | undefined>(first: T, second: T): T => (isGarbled(first) ? second : first);
  return {
    ...mail,
    ...(isGarbled(...people(mail)) && { from: again.from, to: again.to, cc: again.cc }),
    subject: better(mail.subject, again.subject),
    text: better(mail.text, again.text),
    html: better(mail.html, again.html),
  };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return await PostalMime.parse(hasMark ? bytes.subarray(3) : bytes, { forceRfc822Attachments: true });
  } catch (error) {
    throw broken('the mail cannot be read: the file is damaged', error);
  }
}

const isGarbled = (...texts: readonly (string | undefined)[]): boolean => texts.some((one) => one?.includes('\ufffd'));

const people = ({ from, to = [], cc = [] }: Email): string[] =>
  [from, ...to, ...cc].flatMap((one?: Address) => one?.name ?? []);

import type { Candidate, ReadingContext } from './candidate.ts';
import type { Cell, DocumentLines, MailHeader } from './document-lines.ts';
import type { FieldRule } from './document-types.ts';
import { natureOf, readField } from './field-nature.ts';
import type { Party } from './find-parties.ts';
import { labelWords } from './label-words.ts';
import type { LetterParts } from './letter-parts.ts';

/** What a person says of a field whose value has a place instead of a label. */
const LETTERHEAD = /letterhead|first line|at the top|信头|抬头单位|页眉|首行|落款|below the closing|who signs|署名/i;
const SIGNATURE = /落款|below the closing|who signs|署名/i;
const ADDRESSEE = /addressed|addressee|written to|收函|收件人|收信人|抬头(?!单位)|称呼/i;
const OWN_DATE = /letter itself|date of the letter|本身|落款/i;
const SUBJECT = /事由|主题|标题|\bsubject\b|what it is about/i;
const SIGNING = /签订|签署|签约|sign/i;
const REFERENCE = /文号|发文字号/;
const RECEIVER = /户名|购买方|客户|持有人|投保人|\b(?:holder|buyer|customer|client|policyholder|bill to)\b/i;
const PLACE = { exact: 0.95, likely: 0.7, mail: 0.8, carrier: 0.5, window: 0.55 };

/**
 * Where documents print it: a name in the letterhead or below the closing, whom a letter addresses, what it is about, the
 * date that stands alone. Only for fields whose description says so.
 */
export function readByPlace(
  field: FieldRule,
  parts: LetterParts,
  { mail, isAttached }: Pick<DocumentLines, 'mail' | 'isAttached'>,
  context: ReadingContext,
): Candidate[] {
  const found: Candidate[] = [];
  const add = (cell: Cell | null, score: number) => {
    const reading = cell === null ? null : readField(field, cell.text, context);
    if (reading !== null) found.push({ score, reading, start: cell!.start, end: cell!.end });
  };
  const { description } = field;
  const words = `${field.name} ${description}`;
  if (field.type === 'date' && OWN_DATE.test(description)) add(parts.date, PLACE.exact);
  if (field.type === 'date' && SIGNING.test(field.name)) add(parts.signed, PLACE.window);
  if (field.type !== 'string') return found;
  if (ADDRESSEE.test(words)) add(parts.addressee, PLACE.exact);
  else if (LETTERHEAD.test(words)) {
    const isRepeated = parts.signature !== null && parts.signature.text === parts.letterhead?.text;
    add(parts.letterhead, isRepeated ? PLACE.exact : PLACE.likely);
    add(parts.inTitle, PLACE.likely - 0.1);
    if (SIGNATURE.test(words)) add(parts.signature, PLACE.likely - 0.05);
    add(senderOf(mail, context.markdown), isAttached ? PLACE.carrier : PLACE.mail);
  }
  if (RECEIVER.test(words) && natureOf(field) === 'name') add(parts.window, PLACE.window);
  if (SUBJECT.test(words)) add(parts.subject, PLACE.likely);
  if (REFERENCE.test(words)) add(parts.reference, PLACE.exact);
  return found;
}

/** The name in the From of a mail. */
function senderOf(mail: MailHeader | null, markdown: string): Cell | null {
  const name = mail?.from?.replace(/\s*<.*$/, '').replace(/^"|"$/g, '');
  const start = name ? markdown.indexOf(name) : -1;
  return name && start !== -1 ? { text: name, start, end: start + name.length } : null;
}

const PARTY = 0.9;
const ORDER = 0.55;
const FIRST = /甲方|\bparty a\b|\bfirst\b/i;
const SECOND = /乙方|\bparty b\b|\bsecond\b/i;

/** The parties that the first lines of an agreement name, by what they are called there, else by their order. */
export function readParties(field: FieldRule, parties: readonly Party[], context: ReadingContext): Candidate[] {
  if (field.type !== 'string' || natureOf(field) !== 'name') return [];
  const { wanted, kindred } = labelWords(field);
  const order = FIRST.test(`${field.name} ${field.description}`)
    ? 0
    : SECOND.test(`${field.name} ${field.description}`)
      ? 1
      : -1;
  return parties.flatMap(({ name, role, start, end }, at) => {
    const reading = readField(field, name, context);
    const score =
      role !== null && wanted.includes(role)
        ? PARTY
        : role !== null && kindred.includes(role)
          ? PARTY - 0.1
          : at === order
            ? ORDER
            : 0;
    return reading === null || score === 0 ? [] : [{ score, reading, start, end }];
  });
}

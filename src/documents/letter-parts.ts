import type { Cell, DocumentLine } from './document-lines.ts';
import { wordForPaper } from './kinds-of-paper.ts';
import { isAddress, isName } from './names.ts';
import { type DateOrder, findDates } from './normalise-date.ts';

/** What stands where in a letter, and in other papers with a letterhead. */
export interface LetterParts {
  /** The name at the top. */
  readonly letterhead: Cell | null;
  /** 样例银行 in 样例银行对账单: a name that the title begins with. */
  readonly inTitle: Cell | null;
  /** A date where parties sign. */
  readonly signed: Cell | null;
  /** Whom it is written to. */
  readonly addressee: Cell | null;
  /** The first name with an address below it that is not the letterhead: as a window of an envelope shows it. */
  readonly window: Cell | null;
  /** A date that stands by itself. */
  readonly date: Cell | null;
  readonly subject: Cell | null;
  /** 木函〔2026〕7号: the number that offices give to what they send. */
  readonly reference: Cell | null;
  /** The name below the closing. */
  readonly signature: Cell | null;
}

const HEAD_LINES = 15;
const DEAR = /^(?:dear\b|to whom it may concern|sehr geehrte|madame|monsieur)/i;
const SALUTATION = /^(?:尊敬的|致)?\s*([\p{Script=Han}（）()A-Za-z0-9·&、\s]{2,40}?)\s*[：:]$/u;
const CLOSING =
  /^(?:yours\b|sincerely|kind regards|best regards|regards|with (?:kind|best)|respectfully|faithfully|此致|敬礼|特此|顺颂|顺祝|专此|盼复)/i;
const GREETING = /^[您你大各位]*好$|^(?:如下|附件|说明|备注|抄送|联系人|地址|电话|日期|主题|事由|标题)$/;
const REFERENCE = /^\p{Script=Han}{1,12}\s*[〔[(（【]\s*\d{4}\s*[〕\])）】]\s*(?:第\s*)?\d+\s*号$/u;
const DATE_LINE = 40;
const MAX_SUBJECT = 80;

/**
 * Finds the parts of a letter by where they stand.
 * @param isNoName what cannot be a name here: titles of the type, labels
 * @param isLabel what the name behind it is no letterhead of, but its value
 */
export function letterParts(
  lines: readonly DocumentLine[],
  order: DateOrder,
  isNoName: (text: string) => boolean,
  isLabel: (text: string) => boolean,
): LetterParts {
  const cells = lines.flatMap((line, at) => line.cells.map((cell) => ({ cell, line, at })));
  const isPlainName = (text: string, fewestHan: number) => isName(text, fewestHan) && !isNoName(text);
  const singles = lines.map((line) => (line.cells.length === 1 && line.table === null ? line.cells[0]! : null));
  const dear = singles.findIndex((cell) => cell !== null && DEAR.test(cell.text));
  const closing = singles.findLastIndex((cell) => cell !== null && CLOSING.test(cell.text));
  const isDate = (text: string) => text.length < DATE_LINE && isOnlyDate(text, order);

  const isValue = (line: DocumentLine, cell: Cell) => isLabel(line.cells[line.cells.indexOf(cell) - 1]?.text ?? '');
  const letterhead =
    cells.find(({ cell, line, at }) => at < HEAD_LINES && isPlainName(cell.text, 4) && !isValue(line, cell))?.cell ??
    null;
  const window = cells.find(
    ({ cell, line, at }) =>
      at < HEAD_LINES &&
      cell !== letterhead &&
      isPlainName(cell.text, 4) &&
      isAddress(cellUnder(lines, line, at, cell)),
  );
  const salutation = singles.findIndex((cell, at) => at > 0 && at < HEAD_LINES && addressed(cell) !== null);
  const addressee =
    dear > 0 ? blockAddressee(lines.slice(0, dear), letterhead, isDate, isPlainName) : addressed(singles[salutation]);
  const dates = singles.filter((cell) => cell !== null && isDate(cell.text));
  const title = singles
    .slice(0, HEAD_LINES)
    .find((cell) => cell !== null && /^关于.{2,40}的\p{Script=Han}{1,4}$/u.test(cell.text));
  const signature =
    closing === -1 ? aboveLastDate(singles, isDate, isPlainName) : lastName(singles.slice(closing + 1), isPlainName);
  return {
    // `…图书馆文件`: the name with what the paper is.
    letterhead: signature !== null && letterhead?.text.startsWith(signature.text) ? signature : letterhead,
    inTitle:
      cells.map(({ cell, at }) => (at < TITLE_LINES ? nameInTitle(cell) : null)).find((one) => one !== null) ?? null,
    signed: dateOfSigning(lines, order),
    addressee,
    window: window?.cell ?? null,
    date: dates.at(dear === -1 ? -1 : 0) ?? null,
    subject: title ?? (dear === -1 ? null : subjectBelow(lines, dear)),
    reference:
      cells.find(({ cell, at }) => at < HEAD_LINES && REFERENCE.test(cell.text.replace(/\s+/g, '')))?.cell ?? null,
    signature,
  };
}

const FIRM_IN_TITLE =
  /^([\p{Script=Han}（）()]{2,}(?:银行|公司|厂|店|馆|社|医院|学校|中心|局|院|大学))([\p{Script=Han}]{2,10})$/u;
const TITLE_LINES = 5;

function nameInTitle({ text, start }: Cell): Cell | null {
  const [, name, rest] = FIRM_IN_TITLE.exec(text) ?? [];
  return name !== undefined && wordForPaper(rest!) !== null ? { text: name, start, end: start + name.length } : null;
}

const SIGNING = /盖章|公章|签章|签字|签名|\bsigned\b|\bsignature\b|\bby: *_/i;
/** Below the line on which parties sign the date stands within so many lines. */
const SIGNED_WITHIN = 6;

function dateOfSigning(lines: readonly DocumentLine[], order: DateOrder): Cell | null {
  const place = lines.findLastIndex(({ cells }) =>
    cells.some(({ text }) => SIGNING.test(text) && text.length < DATE_LINE),
  );
  if (place === -1) return null;
  const cells = lines.slice(place, place + SIGNED_WITHIN).flatMap((line) => line.cells);
  return cells.find(({ text }) => text.length < DATE_LINE && findDates(text, order).length === 1) ?? null;
}

function cellUnder(lines: readonly DocumentLine[], line: DocumentLine, at: number, cell: Cell): string {
  const below = lines[at + 1]?.cells ?? [];
  return (below.length === line.cells.length ? below[line.cells.indexOf(cell)] : below[0])?.text ?? '';
}

/** Below `Dear`: a line by itself that is bold, or short and no sentence. */
function subjectBelow(lines: readonly DocumentLine[], dear: number): Cell | null {
  const [first, second] = [lines[dear + 1], lines[dear + 2]];
  if (first === undefined || first.cells.length !== 1 || first.table !== null) return null;
  const [cell] = first.cells;
  const isAlone = first.isBlockStart && second?.isBlockStart === true;
  const isShort = cell!.text.length <= MAX_SUBJECT && !/[.,:;!?。，：；！？]$/.test(cell!.text);
  return first.isHeading || (isAlone && isShort) ? cell! : null;
}

function isOnlyDate(text: string, order: DateOrder): boolean {
  const dates = findDates(text, order);
  if (dates.length !== 1) return false;
  const rest = `${text.slice(0, dates[0]!.start)}${text.slice(dates[0]!.end)}`;
  return (rest.match(/\p{L}/gu)?.length ?? 0) <= 20 && !/\d/.test(rest);
}

/** `各经销商：` addresses its readers; `您好：` and `如下：` nobody by name. */
function addressed(cell: Cell | null | undefined): Cell | null {
  const name = cell ? SALUTATION.exec(cell.text)?.[1] : undefined;
  if (!cell || name === undefined || GREETING.test(name) || !/\p{L}/u.test(name)) return null;
  const at = cell.text.indexOf(name);
  return { text: name, start: cell.start + at, end: cell.start + at + name.length };
}

/** Above `Dear`: the first line of the last block of an address that is not that of the letterhead. */
function blockAddressee(
  head: readonly DocumentLine[],
  letterhead: Cell | null,
  isDate: (text: string) => boolean,
  isPlainName: (text: string, fewestHan: number) => boolean,
): Cell | null {
  const blocks: DocumentLine[][] = [];
  for (const line of head) {
    const isAlone = line.cells.length > 1 || /[:：]/.test(line.cells[0]!.text) || isDate(line.cells[0]!.text);
    if (isAlone || line.isBlockStart || blocks.length === 0) blocks.push([]);
    if (!isAlone) blocks.at(-1)!.push(line);
  }
  const names = blocks
    .map(([first]) => first?.cells[0])
    .filter((cell) => cell !== undefined && cell.start !== letterhead?.start && isPlainName(cell.text, 2));
  return names.findLast((cell) => cell !== undefined) ?? null;
}

const lastName = (
  singles: readonly (Cell | null)[],
  isPlainName: (text: string, fewestHan: number) => boolean,
): Cell | null => singles.findLast((cell) => cell !== null && isPlainName(cell.text, 2)) ?? null;

function aboveLastDate(
  singles: readonly (Cell | null)[],
  isDate: (text: string) => boolean,
  isPlainName: (text: string, fewestHan: number) => boolean,
): Cell | null {
  const last = singles.findLastIndex((cell) => cell !== null && isDate(cell.text));
  const above = last > 0 ? singles[last - 1] : null;
  return above && isPlainName(above.text, 2) ? above : null;
}

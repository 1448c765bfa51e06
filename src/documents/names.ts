import { wordForPaper } from './kinds-of-paper.ts';
import { findDates } from './normalise-date.ts';

const MAX_NAME = 60;
const ADDRESS =
  /\d.*\b(?:street|st|road|rd|avenue|ave|lane|suite|floor|postcode|zip)\b\.?|\b(?:suite|floor|p\.?o\.? box)\b|^\d|\d{5}|\b[A-Z]{1,2}\d{1,2}\s?\d[A-Z]{2}\b|[路街道巷弄]\d|\d+[号楼室层]|[省市区县].*[路街道]|\p{L}(?:weg|straße|strasse|gasse|platz|allee|ring|kade|gata|laan)\s+\d/iu;
const SENTENCE = /[.。!！?？;；]$|[:：]|\bplease\b|\bthank(?:s| you)\b|\bdear\b|@|https?:|www\./i;
const ABBREVIATION = /\b(?:inc|ltd|co|corp|b\.v|s\.a|llc|plc|s\.r\.l|n\.v|pty|dr|mr|jr|sr|e\.?v|\b\p{L})\.$/iu;

/** A line of an address. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** What firms, offices and persons are called by: no sentence, no address, no date or amount, no title of a paper. */
export function isName(text: string, fewestHan = 2): boolean {
  if (text.length > MAX_NAME || (SENTENCE.test(text) && !ABBREVIATION.test(text))) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const figures = text.match(/\p{Nd}/gu)?.length ?? 0;
  if (han > 0 ? han < fewestHan : letters < 3) return false;
  if (figures > letters * 0.4 || /[¥￥$€£%|]/.test(text) || ADDRESS.test(text)) return false;
  return wordForPaper(text) === null && findDates(text, null).length === 0;
}

/** A name without what is printed behind it: its address, what it is called from here on, a bracket left open. */
export function bareName(text: string): string {
  return text
    .replace(/\s*[,，]\s*(?=of\b|an?\b|with\b|having\b|whose\b|\d|以下|住所|地址|法定).*$/isu, '')
    .replace(/\s*[（(]\s*(?:以下|下称|简称|the\b|hereinafter|[“"”]).*$/isu, '')
    .replace(/\s*[（(][^（）()]*$/u, '')
    .replace(/\s+\+?[\d-]{6,}$/u, '')
    .replace(/^(?:[（(]\d+[)）]|\d+[.)、])\s*/, '')
    .replace(/[\s,，;；]+$/u, '')
    .trim();
}

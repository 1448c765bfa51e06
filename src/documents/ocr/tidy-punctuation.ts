const FULL: Readonly<Record<string, string>> = { ',': '，', ';': '；', ':': '：', '!': '！', '?': '？' };
const HALF: Readonly<Record<string, string>> = {
  '，': ',',
  '；': ';',
  '：': ':',
  '．': '.',
  '。': '.',
  '／': '/',
  '－': '-',
};

/**
 * A network that reads Chinese and Latin mixes up the two widths of a mark: behind Chinese characters they are wide,
 * between Latin ones narrow, brackets wide where there is Chinese in or before them. Signs of currencies are narrow. Text
 * without spaces in, as many characters out.
 */
export function tidyPunctuation(text: string): string {
  return text
    .replaceAll('￥', '¥')
    .replaceAll('￡', '£')
    .replace(/(?<=[0-9A-Za-z])[，；：．。／－](?=[0-9A-Za-z])/g, (mark) => HALF[mark]!)
    .replace(/(?<=\p{Script=Han}[）)”》]?)[,;:!?]/gu, (mark) => FULL[mark]!)
    .replace(/(\p{Script=Han}?)[(（]([^()（）]*)[)）]/gu, (whole, before: string, inner: string) => {
      if (before || /\p{Script=Han}/u.test(inner)) return `${before}（${inner}）`;
      return /^[\x20-\x7e]*$/.test(inner) ? `(${inner})` : whole;
    });
}

const BY_CHARSET: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

const BY_CODE_PAGE: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** The encoding of a font's character set (`\fcharset`); undefined where that of the document counts. */
export const encodingOfCharset = (charset: number): string | undefined => BY_CHARSET[charset];

/** The encoding of a code page (`\ansicpg`). */
export const encodingOfCodePage = (page: number): string =>
  BY_CODE_PAGE[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');

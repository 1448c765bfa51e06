/**
 * A link as Markdown: the text alone where the address says nothing more (the same address, a mail address, a telephone
 * number), leads nowhere outside of where the document was, or runs something.
 */
export function markdownLink(text: string, href: string): string {
  // Browsers skip control characters and spaces in a scheme, so they are taken out before looking.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const address = href.replace(/[\x00-\x20]/g, '');
  const isShown = address.replace(/^https?:\/\/|\/$/g, '') === text.trim().replace(/^https?:\/\/|\/$/g, '');
  if (isShown || !/^https?:/i.test(address) || text.trim() === '') return text;
  return `[${text}](${address.replace(/[()<>]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)})`;
}

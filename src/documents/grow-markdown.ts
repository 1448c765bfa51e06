/** Markdown that is put together part by part, a blank line between two. */
export interface GrowingMarkdown {
  /** Adds a part and says where it begins, in UTF-16 units. */
  add(part: string): number;
  text(): string;
}

export function growMarkdown(): GrowingMarkdown {
  const parts: string[] = [];
  let length = 0;
  return {
    add(part) {
      const start = parts.length ? length + 2 : 0;
      if (part) {
        parts.push(part);
        length = start + part.length;
      }
      return start;
    },
    text: () => parts.join('\n\n'),
  };
}

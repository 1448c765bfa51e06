const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '‘': '’',
  '「': '」',
  '『': '』',
  '《': '》',
};

const LONGEST = 2000;
/** Characters that a list of choices has at the most. */
export const LONGEST_CHOICE = 200;

/**
 * The text that an order's verb is followed by: what stands in quotes, a JSON object or array as a whole, else
 * everything up to the end of the sentence.
 *
 * @param rest the text after the verb and its fillers
 * @returns null where nothing is said, or where it only describes the answer's form ("a JSON object", "one of …")
 */
export function wantedText(rest: string): string | null {
  const start = rest.trimStart().slice(0, LONGEST);
  const quote = start[0] ?? '';
  const closing = CLOSING[quote];
  if (closing !== undefined) {
    const end = start.indexOf(closing, 1);
    if (end > 1) return start.slice(1, end);
    if (end === 1) return null;
  }
  if (quote === '{' || quote === '[') {
    const json = leadingJson(start);
    if (json !== null) return json;
  }
  const text = sentence(closing === undefined ? start : start.slice(1));
  return text === '' ||
    /^(?:them|it|this|that|these|those|so|something|anything)$/iu.test(text) ||
    describesForm(text) ||
    offersChoice(text)
    ? null
    : text;
}

function leadingJson(text: string): string | null {
  for (let end = text.search(/[}\]]/); end !== -1; end = next(text, end)) {
    const part = text.slice(0, end + 1);
    try {
      JSON.parse(part);
      return part;
    } catch {
      // An inner bracket: look for the next one.
    }
  }
  return null;
}

function next(text: string, after: number): number {
  const offset = text.slice(after + 1).search(/[}\]]/);
  return offset === -1 ? -1 : after + 1 + offset;
}

// A dot inside a number, a version or an address ends no sentence.
function sentence(text: string): string {
  const end = text.search(/[.!?](?=[\s<"'”’)\]]|$)|[。！？\n<]|，(?=不要|不得|并且|然后|而且|谢谢|别)|-->|```/u);
  return (end === -1 ? text : text.slice(0, end)).replace(/["'”’`)\]}*\s]+$/u, '').trim();
}

/** "A JSON object", "in English", "符合以下格式的 JSON": about the answer's form, not its words. */
function describesForm(text: string): boolean {
  return (
    /^(?:(?:only|just|an?|the|this|valid|strict|one|single|in|as|using|with|your|raw|plain|following)\s+)*(?:json|yaml|xml|markdown|object|schema|fields?|format|english|chinese|language|question|user|users)\b/iu.test(
      text,
    ) ||
    /^(?:请|以|用|按|按照|只|仅|一个|一段|合法|有效|严格|符合|的|下列|以下|如下|\s)*(?:json|对象|格式|中文|英文|用户|问题)/iu.test(
      text,
    )
  );
}

/** "approve, reject or unsure", "yes or no", "one of …": the writer leaves the choice to the model. */
export function offersChoice(text: string): boolean {
  if (text.length > LONGEST_CHOICE) return false;
  return (
    /^(?:either|one of|any of)\b|["'\w]\s*\|\s*["'\w]/iu.test(text) ||
    /^["'“]?[\p{L}\w-]+["'”]?(?:\s*[,/、，]\s*["'“]?[\p{L}\w-]+["'”]?)*,?\s*(?:\bor\b|或者?)\s*["'“]?[\p{L}\w-]+["'”]?$/iu.test(
      text,
    )
  );
}

import { readFileSync } from 'node:fs';

/** The texts of the example answers, as their platforms gave them. */
export function answerTexts(): string[] {
  const file = new URL('../../examples/answers/answers.jsonl', import.meta.url);
  const texts: string[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const { answer } = JSON.parse(line) as { answer?: string | { text: string | null } };
    const text = typeof answer === 'string' ? answer : answer?.text;
    if (text) texts.push(text);
  }
  return texts;
}

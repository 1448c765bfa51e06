/** Size of a text in letters of an alphabet: an ideograph or syllable says about as much as two and a half of them. */
export function weigh(text: string): number {
  let weight = 0;
  for (let i = 0; i < text.length; i++) weight += text.charCodeAt(i) >= 0x2e80 ? 2.5 : 1;
  return weight;
}

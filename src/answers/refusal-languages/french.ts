import type { Language, RefusalKind } from './language.ts';

const refusing =
  /(?:\b(?:je|nous) ne (?:peux|puis|pouvons|saurais|saurions|suis|sommes|serai|pourrai|souhaite|veux)\b(?: \S+){0,3}?|\b(?:il|cela) (?:m'est|nous est|ne m'est)(?: \S+){0,2}? (?:impossible|possible)|\bje (?:refuse|dois refuser|préfère ne pas)|\bje ne suis pas (?:en mesure|autorisée?|capable|habilitée?))(?: |$)(?:(?:de|d'|vous|t'|te|y|pas|à|en|malheureusement|en mesure|l') ?)*(?:\S+ ){0,2}?(?:d'|l'|t'|y |à )*(?:répondre|aider|fournir|assister|donner|traiter|discuter|accéder|comparer|recommander de|conseiller|commenter|proposer|satisfaire|partager|poursuivre|prendre position|parler|participer|générer|rédiger|exécuter|accomplir)/;
const unlearned =
  /\bje ne (?:le )?(?:sais|connais) pas|\bje n'ai pas (?:encore )?(?:appris|d'informations?|assez d'informations?|accès)/;

function judge(clause: string): RefusalKind | null {
  if (refusing.test(clause)) return 'unable';
  return unlearned.test(clause) ? 'unlearned' : null;
}

export const french: Language = {
  trigger:
    /\bne (?:peux|puis|pouvons|saur|suis|sommes|serai|pourrai|souhaite|veux|sais|connais|le sais|m'est)|impossible|\bje (?:refuse|dois refuser|préfère ne)|\bn['’]ai pas/,
  preamble:
    /^\s*(?:bonjour|salut|désolée?|je suis (?:vraiment |sincèrement )?désolée?|excusez|toutes mes excuses|malheureusement|merci|en tant qu|je comprends|je suis une? (?:ia|assistant))/,
  judge,
  policy:
    /politique|illég|règles|règlement|conditions d['’]utilisation|directives|contraire (?:à|aux)|éthique|inappropri|nuisible|la loi\b|dangereu/,
  contrast: /[,;.]\s*(?:mais|cependant|toutefois|néanmoins|en revanche|par contre)\b/,
  idle: /autre (?:question|chose|sujet|demande)|n'hésitez pas|volontiers|vous aider (?:avec|sur|à)|autrement/,
  limited:
    /en temps réel|à jour|actuel|personnalisé|(?:conseils?|avis) (?:médica|juridique|financier|en investissement)|diagnosti/,
};

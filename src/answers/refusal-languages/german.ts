import type { Language, RefusalKind } from './language.ts';

const speaker = String.raw`\b(?:(?:kann|darf|möchte|will|werde|könnte) ich|ich (?:kann|darf|möchte|will|werde|könnte)|(?:können|dürfen|möchten|werden) wir|wir (?:können|dürfen|möchten|werden))\b`;
const verb =
  '(?:helfen|weiterhelfen|beantworten|antworten|bereitstellen|geben|unterstützen|liefern|nachkommen|erfüllen|behilflich|leisten|erteilen|äußern|sprechen|sagen|nennen|vergleichen|anbieten|machen|aussprechen|bewerten|eingehen|diskutieren|teilen|bearbeiten|beurteilen|dienen|reden|treffen|erstellen|verarbeiten)';
const refusing = new RegExp(
  String.raw`${speaker}[^.!?,]{0,80}?\b(?:nicht|nichts|keine?[nrsm]?)\b[^.!?]{0,60}?(?<![a-zäöüß])${verb}|\b(?:bin ich|ich bin|sind wir|wir sind)\b[^.!?]{0,40}?\bnicht (?:in der lage|befugt|berechtigt|imstande)|\bist (?:es )?(?:mir|uns)\b[^.!?]{0,30}?\bnicht (?:möglich|gestattet|erlaubt)|\b(?:muss ich|ich muss)\b[^.!?]{0,40}?\b(?:ablehnen|verzichten)|\bkann ich[^.!?]{0,60}?\bkeine (?:auskunft|empfehlung)|\b(?:kann|darf) ich[^.!?]{0,30}keine empfehlungen`,
);
const idiom = /\bpauschal|\bman kann|\bgenug\b/;
const unlearned =
  /\bweiß ich (?:es |das )?(?:leider )?nicht|\bich weiß (?:es |das )?(?:leider )?nicht|\b(?:ich habe|habe ich)\b[^.!?]{0,30}\bkeine (?:informationen|daten|kenntnis)|\b(?:ich habe|habe ich)\b[^.!?]{0,30}\bnoch nicht gelernt/;

function judge(clause: string): RefusalKind | null {
  if (unlearned.test(clause)) return 'unlearned';
  return refusing.test(clause) && !idiom.test(clause) ? 'unable' : null;
}

export const german: Language = {
  trigger: /\b(?:ich|wir|mir|uns)\b/,
  preamble:
    /^\s*(?:hallo|guten tag|entschuldigung|es tut mir (?:sehr )?leid|tut mir leid|leider|verzeih|danke|vielen dank|als ki|ich bin (?:nur )?ein|ich verstehe)/,
  judge,
  policy:
    /richtlinie|illegal|gesetz|verstöß|verstoß|unethisch|ethisch|nutzungsbedingung|unangemessen|meine regeln|schädlich|gefährlich|rechtswidrig/,
  contrast: /[,;.]\s*(?:aber|jedoch|allerdings|dennoch|trotzdem)\b/,
  idle: /(?:andere|weitere)[nrs]? (?:frage|thema|themen|anliegen)|eine andere|gerne? (?:bei|mit|weiter|zu|helfe)|helfe ich (?:ihnen |dir )?gern|stellen sie|frag mich/,
  limited:
    /echtzeit|aktuelle|persönliche|(?:medizinische|rechtliche|ärztliche|finanzielle)[nrs]? (?:beratung|rat|auskunft)|anlageberatung|rechtsberatung|diagnose/,
};

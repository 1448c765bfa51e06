import type { Language, RefusalKind } from './language.ts';

const refusing =
  /(?:답변|답|도움|제공|도와|응답|말씀|안내|추천|비교|평가|논의|대답|처리|지원|공유)\S*\s?(?:\S+\s){0,2}?(?:수(?:가|는)? 없|드리기 어렵|하기 어렵|기 어렵|어렵습니다|불가|못합니다|못해|않겠습니다)/;
const unlearned = /모르겠|알지 못|모릅니다|배우지 못|학습하지 못|정보가 없습니다/;

function judge(clause: string): RefusalKind | null {
  if (refusing.test(clause)) return 'unable';
  return unlearned.test(clause) ? 'unlearned' : null;
}

export const korean: Language = {
  trigger: /없|어렵|불가|못|않겠|모르|모릅/,
  preamble: /^\s*(?:대단히 |정말 )?(?:죄송|미안|안녕|유감|안타깝|저는)/,
  judge,
  policy: /정책|법률|법적|불법|가이드라인|윤리|유해|부적절|규정|지침/,
  contrast: /(?:지만|으나|는데)[,\s]|[.,]\s*(?:하지만|그러나|다만|대신)/,
  idle: /다른 (?:질문|주제|도움)|도와드리겠|문의|말씀해 ?주|알려 ?주|궁금/,
  limited: /실시간|최신|개인 ?맞춤|의학적|의료|법률 (?:자문|조언)|투자 (?:조언|자문)|진단/,
};

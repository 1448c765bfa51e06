import type { Span } from '../text/spans.ts';
import { weigh } from './weigh.ts';

/** What a platform says in the model's place: about its own trouble, or that its filter or its door is shut. */
export interface Notice extends Span {
  readonly reason: 'transport' | 'blocked';
}

const page =
  /^\s*(?:<!doctype html|<html[\s>]|<\?xml[^>]*>\s*<error|\{\s*"?(?:error|errors|err_?msg|errcode|code|status|statuscode|detail)"?\s*:|event:\s*error|(?:http(?:\/[\d.]+)?\s+)?[45]\d\d\s+(?:bad|internal|service|gateway|too many|forbidden|unauthorized|not found))/i;

const trouble = [
  // Chinese
  /(?:服[务務]器?|系[统統]|[网網][络絡路]|[当當]前|[线線]路|模型|[访訪][问問]量?|使用人[数數])[^。\n]{0,12}(?:繁忙|异常|異常|[错錯][误誤]|超[时時]|[开開]小差|不可用|[拥擁][挤擠]|出[错錯]|故障|失[败敗]|[过過]多|[过過]大)(?!的|[时時])/,
  /(?:[请請]求|生成|[连連]接|[网網][络絡]|加[载載])(?:失[败敗]|超[时時]|[过過]于?[频頻]繁|出[错錯])|[请請]?(?:[稍晚][后後候]|[过過]一[会會]儿?)(?:再|重)[试試来來]|[维維][护護]中|[额額]度(?:已)?(?:用完|不足|耗[尽盡])|(?:今日|本日|免[费費])[^。\n]{0,8}次[数數][^。\n]{0,6}(?:用完|上限|耗[尽盡])|次[数數]已?[达達]到?上限/,
  // English
  /too many requests|rate limit(?:ed| exceeded| reached)|(?:service|server|system|model|network)s? (?:is |are )?(?:temporarily |currently )?(?:unavailable|busy|overloaded|error|down)|internal server error|network error|bad gateway|gateway time-?out|something went wrong|(?:an?|unknown|unexpected) error (?:has )?occurred|(?:request|connection) timed out|connection (?:reset|refused|error|lost)|(?:please )?try again (?:later|in a)|(?:at|over) (?:full )?capacity|experiencing (?:high|heavy|unusually)|(?:reached|exceeded|hit) (?:your|the|our) (?:\w+ )*(?:limit|quota)|failed to (?:generate|get|fetch|load)|request failed|under maintenance/i,
  // Japanese, Korean
  /サーバー?[^。\n]{0,10}(?:混み合|混雑|エラー|応答)|エラーが発生|(?:しばらく|後で|のちほど|時間をおいて)[^。\n]{0,10}(?:再試行|お試し|もう一度|やり直)|アクセスが集中|(?:잠시|나중에)[^.\n]{0,8}다시 시도|오류가 발생|서버[^.\n]{0,10}(?:혼잡|오류|응답)/,
  // German, French, Spanish, Portuguese, Italian, Russian
  /versuchen? sie es (?:bitte )?(?:später|in )|(?:ein|interner) (?:server)?fehler (?:ist )?(?:aufgetreten)?|überlastet|réessayer (?:plus tard|dans)|une erreur (?:est survenue|s['’]est produite)|(?:inténtal|inténtel|intent)[^.\n]{0,12}(?:más tarde|de nuevo)|(?:se ha producido|ha ocurrido|ocurrió) un error|tente novamente|ocorreu um erro|riprova(?:re)? (?:più tardi|tra)|si è verificato un errore|(?:повторите|попробуйте)[^.\n]{0,20}позже|произошла ошибка/i,
];

/** The filter speaks, not the model: with an "I" it is the model's refusal. */
const filter = [
  /(?:[内內]容|回[复覆]|回答|[问問][题題]|消息|[输輸]出|[对對][话話])[^。\n]{0,12}(?:[违違][规規]|不合[规規]|被(?:屏蔽|[拦攔]截|[过過][滤濾]|停止|撤回|[删刪]除|[隐隱]藏))|(?:系[统統]|平[台臺]|安全)[^。\n]{0,8}(?:[拦攔]截|屏蔽|[过過][滤濾])|未(?:能)?通[过過][^。\n]{0,8}(?:[审審]核|[检檢][测測]|[审審]查)|(?:包含|含有)[^。\n]{0,10}(?:不[当當]|[违違][规規]|敏感|不良|[违違]禁)|[内內]容安全(?:提示|[审審]核|策略)|已(?:被)?(?:停止生成|[撤]回|[拦攔]截|屏蔽)/,
  /(?:content|response|message|answer|reply|prompt|request|output|conversation) (?:was|has been|is|were|got) (?:\w+ )?(?:blocked|filtered|removed|flagged|withheld|stopped|hidden|deleted)|(?:violates?|violation of|against) (?:our|the) (?:\w+ ){0,2}(?:polic|guidelines|terms)|content (?:filter|management policy|policy violation)|safety (?:filter|system)s?/i,
  /(?:この|その)?(?:コンテンツ|応答|回答|内容)[^。\n]{0,16}(?:ブロック|フィルター?|削除)|(?:콘텐츠|응답|답변)[^.\n]{0,16}(?:차단|삭제|필터)/,
];
const door =
  /(?:完成|[进進]行|[请請]通[过過])(?:安全|人[机機])?[验驗][证證]|人[机機][验驗][证證]|[请請]?先?登[录錄入陸](?:[后後](?:[继繼][续續]|查看|使用)|[账帳][号號]|以|$)|[请請]先?登[录錄入]|verify (?:that )?you(?:'re| are) (?:a )?human|(?:are|you're) not a robot|unusual traffic|captcha|please (?:log|sign) in|(?:log|sign) in to (?:continue|view|use)|access denied|enable (?:javascript|cookies)|not available in your (?:country|region)|ログインして|로그인(?:이 필요|하세요|해 주)|melden sie sich an|connectez-vous|inicia sesión/i;

/** Notices are short; a long answer may speak about busy servers. By `weigh`. */
const LONGEST = 420;
/** More than this after the notice, with a brand in it, is an answer. */
const ADDED = 160;

/** Finds the notice that a text between `from` and `to` consists of. */
export function findNotice(text: string, from: number, to: number): Notice | null {
  const head = text.slice(from, Math.min(to, from + LONGEST));
  if (page.test(head)) return { reason: 'transport', start: from, end: to };
  if (to - from > LONGEST || weigh(head) > LONGEST) return null;
  const found = (reason: Notice['reason'], pattern: RegExp): Notice | null => {
    const match = pattern.exec(head);
    if (match === null) return null;
    return { reason, start: from + match.index, end: from + match.index + match[0].length };
  };
  for (const pattern of trouble) {
    const notice = found('transport', pattern);
    if (notice !== null) return notice;
  }
  const shut = found('blocked', door);
  if (shut !== null) return shut;
  if (/我(?!们的|們的)|\bI\b|\bI'm\b|私は/.test(head)) return null;
  for (const pattern of filter) {
    const notice = found('blocked', pattern);
    if (notice !== null) return notice;
  }
  return null;
}

/** Whether so much follows a notice that it may be part of an answer. */
export const isWithinAnswer = (text: string, notice: Notice, to: number): boolean =>
  weigh(text.slice(notice.end, to)) > ADDED;

import type { Language, RefusalKind } from './language.ts';

const cannot =
  '(?:[无無]法|不能(?!不)|[没沒](?:有)?(?:法|[办辦]法)|不便|不方便|[难難]以|未能|不可以|不得|不予|不宜|[暂暫]不|恕不|恕[难難]|[拒谢謝]绝|拒絕|不[适適]合|不[会會])';
const towards =
  '(?:直接|[为為][您你]|[给給][您你]|[对對]此|就此|在此|[继繼][续續]|再|[帮幫][您你]|[向与與替][您你]|[进進]行|作出|做出)*';
/** What stands between "cannot" and its verb; the variable part once only, so that no text takes long. */
const between = `${towards}(?:(?:代?替|[对對]|就|[关關]于)[^，。]{1,14}?)?${towards}`;
/** An answer is refused with these whoever speaks. */
const answering =
  '(?:回答|回[复覆]|答[复覆]|解答|作答|[回应應]{2}|提供|[协協]助|[讨討][论論]|探[讨討]|[评評][价價论論判]|置[评評]|透露|奉告|[给給]出|展[开開]|[谈談][论論]|[发發]表|生成|[输輸]出|展示|[显顯]示|[给給]到)';
/** With these, what cannot may also be the subject of the answer: they refuse in the first person. */
const doing =
  '(?:[帮幫]助|[帮幫]到?[您你]|[帮幫]忙|[满滿]足|完成|[处處]理|[参參]与|[参參]與|[执執]行|比[较較]|[对對]比|推[荐薦](?:具体|具體|任何|某|特定)|[涉]及|介[绍紹]|替代|代替|[开開](?:具)?(?:[药藥]|[处處]方)|[诊診][断斷]|[创創]作|撰[写寫]|[写寫]|从命|從命|[作做]|[继繼][续續]|[给給]予|站[队隊]|表[态態]|告[诉訴知])';

const refusing = new RegExp(`${cannot}${between}${answering}`);
const declining = new RegExp(`${cannot}${between}(?:${answering}|${doing})`);
const changing =
  /[换換](?:一?[个個])?[话話][题題]|不聊了|我(?:只能|只|[仅僅]能?)(?:回答|[讨討][论論]|解答)|我[^，。]{0,12}(?:不(?:被)?允[许許]|被禁止|受限)|[暂暫]不支持[该該此这這]|(?:回答|解答|答[复覆]|[帮幫]|[满滿]足|[处處]理|提供)不了|答不上|聊[点點]?(?:[别別]的|其他)|[无無]可奉告|恕[难難][从從]命/;
const unlearned =
  /[还還](?:不[会會]|[没沒]有?[学學]|未[学學])|[没沒]有?[学學][会會过過]|不(?:太)?(?:知道|清楚|了解|瞭解|[会會]回答)|超出(?:了)?我(?:的|目前)*(?:能力|知[识識])|不在我的(?:能力|知[识識])|(?:[没沒]有|未能?)(?:掌握|[获獲]取)[^，。]{0,8}(?:信息|[资資][讯訊料])/;

/** Who or what may stand before the verb of a refusal: the speaker, the question, or nothing but adverbs. */
const speaker =
  /我(?!国|國)|本(?:助手|模型|[产產]品|平台|系[统統]|ai)|作[为為]|(?:[这這该該此][个個类類种種]?|您的|[您你]的?|相[关關]|部分|以上)(?:[问問][题題]|[话話][题題]|[请請]求|[内內]容|信息)|[这這]方面/;
/** No part of it may match another way: repeated choices would take for ever on hostile text. */
const adverb =
  '(?:[\\s，,]|但是?|不[过過]|所以|因此|因而|而|且|也|很|非常|十分|实在|實在|抱歉|[对對]不起|[遗遺]憾|[暂暫][时時]?|目前|[现現]在|[当當]前|[还還]|都|均|[将將]|可能|恐怕|[请請][恕原][谅諒]?|恕|故)*';
const adverbs = new RegExp(`^${adverb}(?:(?:[关關]于|[对對]于?|根[据據]|依[据據]|按照)[^，。]{1,20}[，,]?)?${adverb}$`);

/** Clause by clause; a clause without a subject has that of the one before. */
function judge(part: string): RefusalKind | null {
  let isSpeaker = false;
  for (const clause of part.split(/[，,；;：:]/)) {
    const no = declining.exec(clause);
    const found = no ?? unlearned.exec(clause);
    const before = found === null ? clause : clause.slice(0, found.index);
    const isBare = adverbs.test(before);
    isSpeaker = speaker.test(before) || (isBare && isSpeaker);
    if (no !== null && (isSpeaker || (isBare && refusing.test(no[0])))) return 'unable';
    if (no === null && found !== null && (isSpeaker || found[0].includes('我') || (isBare && /[学學]/.test(found[0]))))
      return 'unlearned';
    if (changing.test(clause)) return 'unable';
  }
  return null;
}

/** Chinese, simplified and traditional. */
export const chinese: Language = {
  trigger:
    /[无無]法|不能|[没沒](?:有)?(?:法|[办辦]法|[学學])|不便|不方便|[难難]以|未能|不可以|不得|不予|不宜|[暂暫]不|恕|拒[绝絕]|[谢謝][绝絕]|不[适適]合|不[会會]|[话話][题題]|聊|[还還]未|不(?:太)?(?:知道|清楚|了解|瞭解)|超出|不在我|不聊|[暂暫]不|不了|答不上|奉告|掌握|[获獲]取|我(?:只|[仅僅])|允[许許]|被禁|受限/,
  preamble:
    /^(?:[您你]好|嗨|(?:很|非常|十分|深感|真的?)?(?:抱歉|[对對]不起|[遗遺]憾)|不好意思|作[为為][^，。]{0,24}|我(?:是|只是)[^，。]{0,30}|[感谢謝]{2}[^，。]{0,20}|我(?:很|非常)?(?:理解|明白|知道)[^，。]{0,30})[，,。！!～~：:\s]*$/,
  judge,
  policy:
    /[违違](?:反|背|[规規]|法)|不符合.{0,12}(?:[规規]定|政策|[规規]范|[规規]範|[准準][则則])|法律|法[规規]|敏感|不合[规規]|道德|[伦倫]理|(?:[内內]容|使用|安全|社[区區])(?:政策|[规規][范則则定]|[准準][则則])|不[当當](?:[内內]容|信息)|有害|[规規]定/,
  contrast: /[，,；;。.]\s*(?:但是?|不[过過]|然而|[尽儘]管如此|可以(?![问問试試]))/,
  idle: /(?:可以|[欢歡]迎|[请請]|[让讓]|不妨|[试試][试試]?)[^，。]{0,8}(?:[问問]|聊|[换換]|咨[询詢]|[联聯][系繫]|重新|[修调調])|[帮幫](?:助)?[您你]|[为為][您你](?:解答|服[务務]|提供)|[学學][习習]|[乐樂][于意]|其他(?:[问問][题題]|[话話][题題]|方面)|[谅諒]解|理解|支持/,
  limited:
    /[实實][时時]|最新|具体的?(?:用[药藥]|价格|價格|[数數]字)|[个個]性化|[个個]人化|[医醫][疗療生]|[诊診][断斷]|法律(?:意[见見]|建[议議])|投[资資]建[议議]|[专專][业業](?:的)?(?:意[见見]|建[议議])|[绝絕][对對]|[唯]一|[准準][确確]的?(?:排名|[数數])|[开開](?:具)?(?:[药藥]|[处處]方)/,
  phrase:
    /[替为為代][您你][^，。]{0,4}(?:决定|決定|选择|選擇|做主)|[没沒]有(?:[个個]人|主[观觀])?(?:的)?(?:偏好|[观觀][点點]|喜好|情感|立[场場])/,
  redirect: /心理(?:援助|咨[询詢]|[热熱][线線])|[热熱][线線]|[寻尋]求[专專][业業]/,
  corrects: /[虚虛][构構]|[并並]?不存在/,
};

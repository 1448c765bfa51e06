import type { Language, RefusalKind } from './language.ts';

/** Honorific forms are said by the speaker only; plain ones may be about a product, and need the speaker or a question. */
const honorific =
  /(?:お答え|ご回答|お手伝い|ご提供|ご対応|お応え|お話し|ご案内|ご紹介|ご説明|お力になること|お伝え|申し上げること)(?:を?する)?(?:こと)?(?:は|が|を)?(?:いた)?(?:できません|できかねます|しかねます|控え|差し控え|致しかねます)|申し上げられません|(?:お答え|応じ|お応えし?)(?:ること(?:は|が))?(?:られません|できません)|控えさせて(?:いただ|頂)|ご(?:容赦|遠慮)/;
const plain =
  /(?:回答|提供|対応|比較|評価|推薦|推奨|議論|答える|応じる|手伝う|支援|処理|生成|作成)(?:する)?(?:こと)?(?:は|が|を)?(?:いた)?(?:できません|できない|できかねます|しかねます|控え)/;
const speaker =
  /私|わたし|当(?:サービス|システム)|ai|質問|リクエスト|ご依頼|ご要望|その(?:内容|件|話題)|この(?:内容|件|話題)|申し訳|特定の(?:製品|商品|ブランド|企業|会社|サービス)/;
const unlearned =
  /わかりません|分かりません|わかりかねます|分かりかねます|存じません|学習していません|把握していません/;

function judge(clause: string): RefusalKind | null {
  if (honorific.test(clause) || (plain.test(clause) && speaker.test(clause))) return 'unable';
  return unlearned.test(clause) ? 'unlearned' : null;
}

export const japanese: Language = {
  trigger:
    /でき(?:ません|ない|かね)|かねます|控え|られません|(?:わかり|分かり|存じ|学習してい|把握してい)ません|容赦|遠慮/,
  preamble: /^\s*(?:大変)?(?:申し訳|恐れ入り|すみません|ごめん|残念|こんにちは|ご質問|私は)/,
  judge,
  policy: /規約|ポリシー|法律|ガイドライン|違法|倫理|有害|不適切|規則|法令/,
  contrast: /(?<=ません|ます|です)(?:が|けれども|けど)、?|[。、,]\s*(?:ただし|しかし|代わりに|とはいえ|一方)/,
  idle: /お手伝い(?:します|できます|いたします)|お知らせください|(?:ほか|他)(?:に|の)(?:ご)?(?:質問|話題)|お気軽に|お尋ねください|ご質問ください/,
  limited: /リアルタイム|最新|個別|医療|法律相談|投資(?:の)?(?:助言|アドバイス)|診断|専門的/,
};

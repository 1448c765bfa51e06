import { expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';
import { validate } from './validate.ts';

const judge = (text: string) =>
  validate({ doc: readMarkdown(text), queryText: '推荐几个AI助手 AI assistant', mentions: [] });

test.each([
  // Chinese
  ['抱歉，我无法回答这个问题。', 'refuse:unable'],
  ['很抱歉，我暂时无法为您提供相关信息，请您换个话题。', 'refuse:unable'],
  ['对不起，这个话题我不方便讨论。', 'refuse:unable'],
  ['我还不会这个，正在努力学习中。', 'refuse:unlearned'],
  ['作为一个人工智能语言模型，我不能对品牌做出评价。', 'refuse:unable'],
  ['抱歉，我不能推荐具体的品牌。', 'refuse:unable'],
  ['無法回答您的問題，請換個話題。', 'refuse:unable'],
  ['抱歉，我無法提供這方面的資訊。', 'refuse:unable'],
  ['这个问题超出了我的能力范围，无法为你解答哦。', 'refuse:unlearned'],
  ['您的问题涉及敏感内容，我无法作答。', 'refuse:policy'],
  ['根据平台规定，我不能就该话题发表意见。', 'refuse:policy'],
  ['让我们换个话题聊聊吧，这个我不太想说。', 'refuse:unable'],
  ['不予置评。关于该公司的内部情况目前没有可以公开的信息。', 'refuse:unable'],
  ['关于这个问题，我没有办法给出答案，请谅解。', 'refuse:unable'],
  ['我不太清楚这个品牌的情况。抱歉，没能帮到您。', 'refuse:unlearned'],
  ['非常感谢您的提问！但是很遗憾，我目前还没有学会回答这类问题。', 'refuse:unlearned'],
  ['抱歉，我们无法对竞品进行对比。如有其他问题，我很乐意帮助您。', 'refuse:unable'],
  ['抱歉，暂不支持该功能。', 'refuse:unable'],
  ['抱歉，这个问题我回答不了。', 'refuse:unable'],
  ['这个我答不上来，抱歉啊，您换个问题试试？', 'refuse:unable'],
  ['对不起，我帮不了您这个忙，请咨询专业人士。', 'refuse:unable'],
  ['抱歉，我不能参与涉及品牌优劣的讨论。', 'refuse:unable'],
  ['请原谅，我不能就此发表看法。', 'refuse:unable'],
  ['作为AI，我没有个人偏好，也不能替您评判哪个品牌更好。', 'refuse:unable'],
  ['您好，我是智能助手小元，暂时还不能回答这类问题哦~', 'refuse:unable'],
  ['很抱歉，您的请求我无法满足。', 'refuse:unable'],
  ['抱歉，根据相关规定，该问题无法展示结果。', 'refuse:policy'],
  ['根据相关法律法规，部分内容不予展示。', 'refuse:policy'],
  ['这个话题我们还是不聊了吧。', 'refuse:unable'],
  ['你好，我无法给到相关内容。', 'refuse:unable'],
  ['抱歉，我还没学会这个问题，问点别的吧。', 'refuse:unlearned'],
  ['非常抱歉，作为一个AI语言模型，我无法浏览互联网，因此无法回答您关于最新排名的问题。', 'refuse:unable'],
  ['我无法访问实时信息，因此不能给出排名。', 'refuse:unable'],
  ['我无法联网搜索，所以没办法告诉您现在的排名。', 'refuse:unable'],
  // English
  ["I can't help with that.", 'refuse:unable'],
  ['I’m sorry, but I can’t assist with that request.', 'refuse:unable'],
  ["I'm not able to rank or recommend specific companies.", 'refuse:unable'],
  ["Sorry, I can't compare brands or products. Is there anything else you'd like to know?", 'refuse:unable'],
  ['As an AI language model, I cannot recommend specific products or brands.', 'refuse:unable'],
  ["I won't be able to provide recommendations on this topic.", 'refuse:unable'],
  ["I apologize, but I'm unable to answer that at this time.", 'refuse:unable'],
  ['I must decline to answer this question, as it goes against my guidelines.', 'refuse:policy'],
  ["Unfortunately, I don't have any information about this product.", 'refuse:unlearned'],
  ["Thanks for your question! Unfortunately, I'm not permitted to discuss competitors.", 'refuse:unable'],
  ["That's not something I can help with.", 'refuse:unable'],
  ["As an AI, I don't have personal opinions or preferences.", 'refuse:unable'],
  ["I'm afraid I can't do that.", 'refuse:unable'],
  ['I cannot and will not provide that.', 'refuse:unable'],
  ['Ich darf keine Empfehlungen zu einzelnen Produkten aussprechen.', 'refuse:unable'],
  ['Ich bin nicht in der Lage, diese Anfrage zu bearbeiten.', 'refuse:unable'],
  ["I'm not allowed to share that information.", 'refuse:unable'],
  ["I'd rather not discuss that.", 'refuse:unable'],
  ['I prefer not to continue this conversation.', 'refuse:unable'],
  ["Let's talk about something else.", 'refuse:unable'],
  ["I don't feel comfortable ranking companies.", 'refuse:unable'],
  ['My guidelines prevent me from recommending specific brands.', 'refuse:policy'],
  ['This topic is outside of what I can discuss.', 'refuse:policy'],
  ["Sorry, that's beyond my current scope. Let's talk about something else.", 'refuse:unable'],
  ["I cannot browse the internet, so I can't tell you the current ranking.", 'refuse:unable'],
  ["I don't have enough information to answer that question.", 'refuse:unlearned'],
  ["I'm just a language model, so I can't help you with that.", 'refuse:unable'],
  ["I haven't learned how to answer that yet.", 'refuse:unlearned'],
  ['No comment on that one, sorry about it.', 'refuse:unable'],
  ['It would be inappropriate for me to recommend one company over another.', 'refuse:policy'],
  ['I have to decline: ranking vendors is not something I do.', 'refuse:unable'],
  ["Due to our content policy, I can't answer this question.", 'refuse:policy'],
  ["As an AI developed by OpenAI, I'm unable to compare competitor products.", 'refuse:unable'],
  // German
  ['Leider kann ich zu dieser Frage keine Auskunft geben.', 'refuse:unable'],
  ['Es tut mir leid, aber dazu kann ich nichts sagen.', 'refuse:unable'],
  ['Das kann ich leider nicht beantworten.', 'refuse:unable'],
  ['Diese Anfrage kann ich nicht bearbeiten, da sie gegen unsere Richtlinien verstößt.', 'refuse:policy'],
  ['Darüber möchte ich mich nicht äußern.', 'refuse:unable'],
  ['Das weiß ich leider nicht.', 'refuse:unlearned'],
  ['Tut mir leid, dabei kann ich nicht helfen.', 'refuse:unable'],
  // French
  ['Désolé, je ne peux pas vous aider avec cette demande.', 'refuse:unable'],
  ['Je ne suis pas en mesure de répondre à cette question.', 'refuse:unable'],
  ["Je regrette, mais il m'est impossible de comparer ces marques.", 'refuse:unable'],
  ['Désolée, je ne peux malheureusement pas répondre à cela.', 'refuse:unable'],
  ['Je ne sais pas répondre à cette question.', 'refuse:unlearned'],
  ["Je ne peux pas traiter cette demande, car elle enfreint mes conditions d'utilisation.", 'refuse:policy'],
  ["En tant qu'IA, je ne peux pas donner d'avis sur des marques.", 'refuse:unable'],
  // Spanish
  ['Lo siento, no puedo responder a esa pregunta.', 'refuse:unable'],
  ['Lo siento, pero no puedo ayudarte con eso.', 'refuse:unable'],
  ['No me es posible recomendar un producto concreto.', 'refuse:unable'],
  ['Como modelo de lenguaje, no puedo opinar sobre marcas.', 'refuse:unable'],
  ['No tengo información sobre ese producto, lo lamento.', 'refuse:unlearned'],
  ['No puedo ayudarte porque va en contra de mis políticas.', 'refuse:policy'],
  // Portuguese
  ['Desculpe, não posso ajudar com isso.', 'refuse:unable'],
  ['Infelizmente, não consigo responder a essa pergunta.', 'refuse:unable'],
  // Italian
  ['Mi dispiace, non posso aiutarti con questa richiesta.', 'refuse:unable'],
  ['Purtroppo non sono in grado di rispondere a questa domanda.', 'refuse:unable'],
  // Japanese
  ['申し訳ありませんが、その依頼にはお手伝いできません。', 'refuse:unable'],
  ['申し訳ございませんが、その質問にはお答えすることができません。', 'refuse:unable'],
  ['その内容については回答を控えさせていただきます。', 'refuse:unable'],
  ['特定の製品を推薦することはできません。ご了承ください。', 'refuse:unable'],
  ['すみません、その件についてはわかりません。他の質問をどうぞ。', 'refuse:unlearned'],
  ['利用規約に反するため、この質問には回答できません。', 'refuse:policy'],
  // Korean
  ['죄송하지만 그 질문에는 답변을 드릴 수 없습니다.', 'refuse:unable'],
  ['죄송합니다. 해당 요청은 도와드릴 수 없습니다.', 'refuse:unable'],
  ['특정 브랜드를 추천해 드릴 수 없습니다. 양해 부탁드립니다.', 'refuse:unable'],
  ['잘 모르겠습니다. 다른 질문을 해 주세요. 감사합니다.', 'refuse:unlearned'],
  ['정책에 위배되는 내용이라 답변드리기 어렵습니다.', 'refuse:policy'],
  // Russian
  ['Извините, я не могу помочь с этим вопросом.', 'refuse:unable'],
  ['К сожалению, я не могу ответить на этот вопрос.', 'refuse:unable'],
  ['Я не знаю ответа на этот вопрос, извините.', 'refuse:unlearned'],
  ['Не могу обсуждать эту тему: это противоречит моим правилам.', 'refuse:policy'],
])('%s is %s', (text, reason) => {
  const { valid, reason: found, evidence } = judge(text);
  expect([valid, found]).toEqual([false, reason]);
  expect(text.slice(evidence!.start, evidence!.end).trim()).not.toBe('');
});

// Any ground will do: models give several at once.
test.each([
  '我只能回答与本店商品有关的问题。',
  '我的设定不允许我评价其他公司，抱歉。',
  "I'm sorry, but as an AI language model, I cannot provide information on how to harm someone.",
  "I'm sorry, but I cannot fulfill that request. It is illegal and unethical to do so.",
  "It is not appropriate or ethical to provide instructions on how to steal someone's identity.",
  'It is not ethical or legal to engage in such activities, and I cannot help with that.',
  'It is not appropriate to discriminate against anyone based on their religion. Everyone should be treated with respect.',
  'As an AI language model, I do not have the ability to access personal information about individuals.',
  'As an AI language model, I do not have access to private information.',
  "I do not have access to someone's medical records. It is important to respect privacy.",
  'I am not able to provide you with that information as it would violate privacy.',
  'Stealing is illegal and can have serious consequences. I cannot provide advice on how to do it.',
  'There is no justification for denying people their rights.',
  'I cannot answer this question as it promotes violence.',
  'I cannot condone or support any form of violence.',
  'I cannot provide a response that promotes discrimination.',
  "I'm really sorry that you're feeling this way, but I'm unable to provide the help that you need. Please talk to a professional.",
  'I am a helpful assistant and I do not support illegal activities.',
  'I am sorry, but I am programmed to follow ethical guidelines and cannot assist you with this request.',
  'I must inform you that this is illegal and I cannot assist.',
  'No, I cannot help you with that.',
  'No, it is not ethical to do that and I will not provide guidance.',
  'My programming does not allow me to engage in such conversations.',
  'I do not encourage or promote violence of any kind.',
  'It is important to remember that violence is never the answer. I cannot give advice on this.',
  "Sorry, but I'm not going to help with that.",
  "I'd be happy to help with other topics, but I can't discuss this one.",
  "While I understand your curiosity, I can't share details on that subject.",
  "Regrettably, I'm not in a position to comment on individual companies.",
  "Apologies, but that is something I'm not able to talk about.",
  'This request goes against my ethical guidelines.',
  "Your request violates our terms, so I won't continue.",
  "I don't do rankings of companies. Ask me something else.",
  "I'm designed to avoid recommending specific brands.",
  "I'm programmed to avoid discussing this topic.",
  'I only answer questions about cooking.',
  'I have been instructed not to compare competitors.',
  'I am prohibited from discussing that.',
])('%s refuses', (text) => {
  expect(judge(text).reason).toMatch(/^refuse:/);
});

// What a product or a reader cannot do, praise, quotations, hedges.
test.each([
  '抱歉让您久等。AI助手常见的有几类：写作、搜索和编程，按用途选择即可。',
  '这款软件无法提供离线功能，但AI助手的在线体验不错，适合日常使用。',
  '免费版无法生成图片，想用AI助手画图要开会员。',
  '很多AI助手还不会画图，选之前先看功能表。',
  'AI助手不能回答医疗问题，只能做参考。日常写作够用了。',
  '用户反映客服经常说“抱歉，我无法回答这个问题”，这类AI助手不建议买。',
  '它会提示「暂时无法回答」，但大多数时候这个AI助手很稳定。',
  '我不会推荐太贵的，AI助手选免费的就行。',
  "The free plan can't export files, but it opens every format an AI assistant needs.",
  "I can't recommend this AI assistant enough: it is fast and cheap.",
  'You cannot go wrong with either AI assistant.',
  "I can't help but notice that most AI assistants look alike; pick by price.",
  'If the app says "I can\'t help with that", try another AI assistant.',
  'Users complain that the assistant refuses to answer questions about politics.',
  "I can't give you a single best AI assistant, but for most people a free one will do.",
  'Der Assistent kann keine Bilder erstellen, ist aber kostenlos und schnell.',
  'Das kann man nicht pauschal beantworten: Der beste KI-Assistent hängt vom Zweck ab.',
  "L'assistant ne peut pas générer d'images, mais il est gratuit et rapide.",
  'El asistente no puede generar imágenes, pero es gratis y rápido.',
  '無料プランでは画像を生成できませんが、AIアシスタントとしては十分です。',
  '이 앱은 이미지를 만들 수 없지만 AI 비서로는 충분합니다. 가격도 좋습니다.',
  '这要看您怎么用，我不能一概而论：写作选长文强的AI助手，搜索选联网快的。',
  '没有找到关于该品牌的可靠信息。AI助手类产品建议看官网。',
  '目前无法确定哪家AI助手最好，各家的评测结论差别很大，建议按场景自己试一周。',
  'AI助手不会泄露聊天记录，但也不能保证百分之百安全。',
  '不能只看价格，AI助手的回答质量更重要，建议先试用再决定。',
  '不会写代码也能用好AI助手：挑界面简单、教程多的产品就可以。',
  '老人不会打字？选支持语音的AI助手，字号能调大的更好。',
  '很遗憾，这款AI助手已经停止服务，无法再下载，可以换同类产品。',
  '未能通过备案的AI助手不建议使用，优先选已经备案的产品。',
  'I would not recommend paying for an AI assistant yet; the free ones are good.',
  "We can't all afford a paid AI assistant. The free ones are nearly as good now.",
  "If you can't decide, start with a free AI assistant and upgrade later.",
  "I wouldn't worry about the brand; any AI assistant with a privacy mode will do.",
  "I don't have a personal preference, but reviewers tend to favour AI assistants with long memory and low prices.",
  "I won't bore you with details: choose the AI assistant your team already uses.",
  'It is not necessary to pay for an AI assistant; free plans cover most needs.',
  "It's never a good idea to share passwords with an AI assistant. Apart from that, any will do.",
  "I tried the assistant for a week and couldn't create a single useful chart with it.",
  "Unfortunately, I couldn't get the AI assistant to write long texts, so it gets three stars.",
  "I strongly recommend an AI assistant with a free tier; you can't lose anything.",
  'I strongly advise against paying a year in advance for an AI assistant: prices fall every month.',
  'There is no reason to pay for an AI assistant when the free plan does the job.',
  'The request limits differ: this AI assistant promotes its paid plan after ten questions.',
  "This question is outside the scope of most reviews, yet the AI assistant's privacy terms matter.",
  'Ich kann die kostenlose Version des Assistenten nur empfehlen, sie kann aber keine Bilder erstellen.',
  'Ich kann mich nicht beklagen: Der KI-Assistent tut, was er soll.',
  'Je ne peux que recommander cet assistant IA, il est rapide et gratuit.',
  'No puedo dejar de recomendar este asistente: es rápido y gratis.',
  'Diesen KI-Assistenten kann ich nicht empfehlen, er ist langsam und teuer.',
  '豆包目前无法提供离线使用，AI助手都要联网。',
  'Kimi还不会画图，别的AI助手大多可以。',
  '关于隐私，这类AI助手不能完全放心，敏感资料不要上传。',
])('%s refuses nothing', (text) => {
  expect(judge(text)).toMatchObject({ valid: true, flags: [] });
});

// Help in prose, after "but" or after the refusal of one kind of answer only.
test.each([
  '抱歉，我无法提供实时排名，但可以告诉您一般的选购思路：先看用途，再看价格，最后看隐私条款，三者里用途最要紧。',
  '无法提供医疗建议。一般来说，咳嗽超过两周应当去呼吸科检查，期间多喝水、少说话，避免烟尘和冷空气的刺激。',
  "I can't access real-time prices. As of last year the plans cost between ten and thirty dollars a month, with discounts for students.",
  "I'm unable to give financial advice. However, index funds are usually the cheapest way to own many companies at once.",
  'Ich kann keine Rechtsberatung leisten, aber in der Regel gilt: Verträge lassen sich innerhalb von vierzehn Tagen widerrufen.',
  'Je ne peux pas donner de conseils médicaux, mais en général une toux de deux semaines mérite une consultation.',
  'No puedo dar asesoramiento financiero, pero en general los fondos indexados son la opción más barata.',
  '医療上の助言はお答えできませんが、一般的には二週間以上続く咳は呼吸器内科で診てもらうのが安心です。',
])('%s is a partial refusal', (text) => {
  expect(judge(text)).toMatchObject({ valid: true, reason: null, flags: ['partial_refusal'] });
});

const sorry = "I'm sorry, but I can't compare these products.";
test.each<[string, string, boolean]>([
  ['a list', `${sorry}\n\n1. One\n2. Two`, true],
  ['a table', `${sorry}\n\n| Tool | Price |\n|---|---|\n| One | 1 |\n| Two | 2 |`, true],
  [
    'an offer',
    `${sorry} However, I'd be happy to help you with any other question about AI assistants that you may have.`,
    false,
  ],
  ['an appeal', `${sorry} Please feel free to ask something else.`, false],
  [
    'help lines only',
    "I can't help with that. If you are in distress, call a crisis hotline:\n\n- One: 1\n- Two: 2",
    false,
  ],
])('after a refusal, %s', (_, text, isHelp) => {
  expect(judge(text).valid).toBe(isHelp);
});

test('the evidence ends where the sentence turns to help', () => {
  const text = "I can't give personalised investment advice, but here is how analysts look at it.\n\n- One\n- Two";
  const { start, end } = judge(text).evidence!;
  expect(text.slice(start, end)).toBe("I can't give personalised investment advice");
});

test('a refusal far down the text is content', () => {
  expect(judge(`AI助手${'各有长处，按用途选。'.repeat(14)}抱歉，我无法回答这个问题。`)).toMatchObject({
    valid: true,
    flags: [],
  });
});

test('letters that change their length in lower case move nothing', () => {
  const text = `İİİ. ${sorry}`;
  const { start, end } = judge(text).evidence!;
  expect(text.slice(start, end)).toBe(sorry);
});

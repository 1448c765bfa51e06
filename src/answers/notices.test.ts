import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';
import { validate } from './validate.ts';

const judge = (text: string, brand?: string) => {
  const at = brand === undefined ? -1 : text.indexOf(brand);
  const mentions = at === -1 ? [] : [{ start: at, end: at + brand!.length }];
  return validate({ doc: readMarkdown(text), queryText: '推荐几个AI助手 AI assistant', mentions });
};

describe('a platform speaks of its own trouble', () => {
  test.each([
    '服务器繁忙，请稍后再试。',
    '当前使用人数过多，服务暂时不可用，请稍后重试。',
    '网络异常，请检查网络后重试',
    '系统开小差了，请稍后再来～',
    '抱歉，当前访问量过大，我暂时无法回答您的问题，请稍后再试。',
    '请求过于频繁，请稍后再试',
    '今日免费次数已用完，开通会员后可继续使用。',
    '伺服器忙碌中，請稍後再試。',
    '生成失败，点击重试',
    '您的提问次数已达上限，请明天再来。',
    '{"error":{"message":"overloaded","type":"server_error"}}',
    '{"code":500,"msg":"internal error"}',
    '<!DOCTYPE html><html><body>504 Gateway Time-out</body></html>',
    '502 Bad Gateway',
    'Error: Request failed with status code 503',
    'Something went wrong. Please try again later.',
    "We're experiencing high demand right now. Please try again in a few minutes.",
    'ChatGPT is at capacity right now. Please check back soon.',
    "You've reached your message limit. Try again after 3 PM.",
    'Too many requests in 1 hour. Try again later.',
    'Network error. Please check your connection.',
    "I'm having trouble connecting to the server. Please try again later.",
    'サーバーが混み合っています。しばらくしてから再試行してください。',
    'エラーが発生しました。もう一度お試しください。',
    '서버가 혼잡합니다. 잠시 후 다시 시도해 주세요.',
    'Der Dienst ist überlastet. Bitte versuchen Sie es später erneut.',
    "Une erreur s'est produite. Veuillez réessayer plus tard.",
    'Se ha producido un error. Inténtalo de nuevo más tarde.',
    'Ocorreu um erro. Tente novamente mais tarde.',
    'Si è verificato un errore. Riprova più tardi.',
    'Произошла ошибка. Повторите попытку позже.',
  ])('%s', (text) => {
    const { valid, reason, evidence } = judge(text);
    expect([valid, reason]).toEqual([false, 'transport']);
    expect(evidence!.end).toBeGreaterThan(evidence!.start);
  });
});

describe('a filter or a door speaks', () => {
  test.each([
    '内容由于不合规被停止生成',
    '您好，您输入的内容未通过安全审核，本次回答已被屏蔽。',
    '内容安全提示：输入内容可能包含不当信息，系统已拦截本次回复。',
    '该回答已被撤回。如有疑问，请联系客服。',
    '为保障访问安全，请完成人机验证后继续。',
    '请先登录后继续使用本产品的全部功能。',
    '消息包含敏感词，请修改后重新发送。',
    '系统检测到您的提问含有违规内容，请换一种方式提问。',
    'Please log in to continue this conversation.',
    'This response was removed because it may violate our content policy.',
    'Verify you are human by completing the action below.',
    'Your message was flagged as potentially violating our usage policies.',
    'This content may violate our usage policies.',
    'The response was filtered due to the prompt triggering the content management policy.',
    'This service is not available in your country.',
    'Access denied. You do not have permission to view this page.',
    'このコンテンツはポリシー違反のためブロックされました。',
    '이 응답은 정책 위반으로 차단되었습니다.',
    'Bitte melden Sie sich an, um fortzufahren.',
  ])('%s', (text) => {
    const { valid, reason, evidence } = judge(text);
    expect([valid, reason]).toEqual([false, 'blocked']);
    expect(evidence!.end).toBeGreaterThan(evidence!.start);
  });
});

// Answers may speak about busy servers, logins and errors.
test.each([
  'AI助手推荐：先看稳定性，高峰期服务器繁忙的产品不要选，其次看价格。',
  '选AI助手先看登录方式，支持微信登录的更省事，价格也要看。',
  'An AI assistant with a login page that never times out is a good choice; check the price as well.',
  `选AI助手先看稳定性：高峰期服务器繁忙时，很多产品会提示请稍后再试。${'再看回答质量、价格和隐私条款。'.repeat(12)}`,
])('%s', (text) => {
  expect(judge(text)).toMatchObject({ valid: true, flags: [] });
});

test('a notice that names the platform stays one', () => {
  expect(judge('Kimi 服务器繁忙，请稍后再试。', 'Kimi').reason).toBe('transport');
  expect(judge('服务器繁忙，请稍后再试，或升级 Kimi 会员。', 'Kimi').reason).toBe('transport');
});

test('a refusal in the first person is no notice of a filter', () => {
  expect(judge('您的问题包含敏感内容，我无法回答。').reason).toBe('refuse:policy');
});

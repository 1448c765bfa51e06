import { expect, test } from 'vitest';
import { gramContainment } from './gram-containment.ts';

test.each([
  ['有哪些适合企业的云数据库方案？', '企业选云数据库可以看三点：性能、成本和合规。', 0.5, 1],
  ['有哪些适合企业的云数据库方案？', '今天北京天气晴朗，适合户外活动，注意防晒。', 0, 0.05],
  ['Which CRM systems suit small teams?', 'A CRM system keeps customer data; for a small team start simple.', 0.5, 1],
  ['Which CRM systems suit small teams?', 'The weather in Paris is lovely today.', 0, 0.05],
  ['推荐CRM', '今天天气晴。', 0, 0],
  ['视频会议软件推荐', '腾讯会议适合对外沟通。', 0.15, 1],
  ['推薦幾款雲資料庫', '选云资料库先看备份。', 0.6, 1],
  ['おすすめのビデオ会議ツールは？', 'ビデオ会議なら、画面共有の軽さで選びます。', 0.5, 1],
  ['おすすめのビデオ会議ツールは？', '今日の東京は晴れです。', 0, 0.05],
  ['화상회의 도구 추천', '화상회의는 화질과 가격을 보고 고르세요.', 0.4, 1],
])('%s against %s', (query, answer, low, high) => {
  const containment = gramContainment(query, answer);
  expect(containment).toBeGreaterThanOrEqual(low);
  expect(containment).toBeLessThanOrEqual(high);
});

test('a question of common words alone cannot be judged by', () => {
  expect(gramContainment('推荐哪个？', '今天天气晴。')).toBeNull();
});

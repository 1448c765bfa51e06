import { expect, test } from 'vitest';
import { gramContainment } from './gram-containment.ts';

test.each([
  ['有哪些适合企业的云数据库方案？', '企业选云数据库可以看三点：性能、成本和合规。', 0.5, 1],
  ['有哪些适合企业的云数据库方案？', '今天北京天气晴朗，适合户外活动，注意防晒。', 0, 0.05],
  ['Which CRM systems suit small teams?', 'A CRM system keeps customer data; for a small team start simple.', 0.5, 1],
  ['Which CRM systems suit small teams?', 'The weather in Paris is lovely today.', 0, 0.05],
  ['推荐CRM', '今天天气晴。', 0, 0],
])('%s against %s', (query, answer, low, high) => {
  const containment = gramContainment(query, answer);
  expect(containment).toBeGreaterThanOrEqual(low);
  expect(containment).toBeLessThanOrEqual(high);
});

test('a question of common words alone cannot be judged by', () => {
  expect(gramContainment('推荐哪个？', '今天天气晴。')).toBeNull();
});

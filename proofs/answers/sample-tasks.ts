/** Tasks for proofs: short answers of different kinds, so that every path of the machine is taken. */
export function sampleTask(n: number): Record<string, unknown> {
  const answers = [
    `1. 豆包：第 ${n} 次推荐，适合日常使用\n2. Kimi：长文本见长\n3. 通义千问：办公文档`,
    `For question ${n} I would pick Kimi first, because it reads long files; Doubao is the cheaper choice.`,
    '抱歉，我暂时无法回答这个问题，请换个话题再试一次吧。',
    `豆包和 Kimi 都可以，编号 ${n}：前者口语好，后者擅长长文。它还支持联网搜索。`,
  ];
  return {
    clean_task_id: `task-${n}`,
    source_task_id: `collect-${n}`,
    batch_id: 'PROOF',
    brand_name: n % 2 ? '豆包' : 'Kimi',
    brand_aliases: n % 2 ? ['豆包', 'Doubao'] : ['Kimi'],
    platform: ['deepseek', 'kimi', 'doubao'][n % 3],
    scene_type: 'RECOMMEND',
    query_text: '推荐几个AI助手',
    round: 1,
    max_clean_retries: 2,
    answer: answers[n % answers.length],
  };
}

import { expect } from 'vitest';
import { type Reply, type Site, until } from './site.ts';

export interface ResultLine {
  readonly clean_task_id: string;
  readonly brand_name: string | null;
  readonly clean_state: string;
  readonly cleaned_at: string;
  readonly matches: readonly { readonly [column: string]: unknown }[];
  readonly state_history: readonly { readonly from: string; readonly to: string; readonly at: string }[];
  readonly [column: string]: unknown;
}

/** A task whose answer is valid and recommends the brand first. */
export const task = (clean_task_id: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  clean_task_id,
  brand_name: '豆包',
  brand_aliases: ['豆包', 'Doubao'],
  query_text: '推荐几个AI助手',
  answer: '推荐以下几款AI助手：\n\n1. 豆包：语音对话自然\n2. Kimi：擅长长文档',
  ...changes,
});

/** Waits until the samples rest, and gives the lines of their results. */
export async function resultsOf(site: Site, ids: readonly string[]): Promise<ResultLine[]> {
  const query = ids.map((id) => `clean_task_id=${encodeURIComponent(id)}`).join('&');
  await until(async () => {
    const { items } = (await site.call('GET', `/answers/samples?${query}`)).body;
    expect(items.filter((one: { terminal: boolean }) => one.terminal)).toHaveLength(new Set(ids).size);
  });
  return readResults(site, `details=true&limit=500&${query}`);
}

/** All pages of the result list. */
export async function readResults(site: Site, query: string): Promise<ResultLine[]> {
  const lines: ResultLine[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Reply = await site.call('GET', `/answers/results?${query}${cursor && `&cursor=${cursor}`}`);
    expect(page.status, JSON.stringify(page.body)).toBe(200);
    const { items, next_cursor } = page.body as { items: ResultLine[]; next_cursor: string | null };
    lines.push(...items);
    cursor = next_cursor;
  }
  return lines;
}

/** Hands tasks in and waits for their results. */
export async function clean(site: Site, tasks: readonly { readonly clean_task_id: string }[]): Promise<ResultLine[]> {
  const { status, body } = await site.call('POST', '/answers/clean-tasks', { json: tasks });
  expect({ status, ...body }).toEqual({ status: 202, accepted: tasks.length, duplicates: 0, rejected: [] });
  return resultsOf(
    site,
    tasks.map((one) => one.clean_task_id),
  );
}

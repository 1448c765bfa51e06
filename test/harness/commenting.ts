import { expect } from 'vitest';
import { type MockModel, type ScriptInput, startMockModel } from '../../src/models/mock/index.ts';
import { type Site, until } from './site.ts';

/** A mock model whose script a test may replace, and the environment that makes it the house's model. */
export async function startAuditor(script: ScriptInput): Promise<{
  readonly mock: MockModel;
  readonly env: NodeJS.ProcessEnv;
  /** Answers from now on by this script. */
  play(script: ScriptInput): Promise<void>;
}> {
  const mock = await startMockModel({ script });
  return {
    mock,
    env: { OPENAI_BASE_URL: mock.url, SIGNALBOX_MODEL: 'auditor', SIGNALBOX_MODEL_TIMEOUT_S: '5' },
    play: async (next) => {
      const { ok } = await fetch(`${mock.url.replace(/\/v1$/, '')}/mock/script`, {
        method: 'POST',
        body: JSON.stringify(next),
      });
      expect(ok).toBe(true);
    },
  };
}

export const VERDICT = {
  approve: { decision: 'approve', reason_code: 'ok', evidence: '' },
  reject: { decision: 'reject', reason_code: 'spam', evidence: 'buy' },
  unsure: { decision: 'unsure', reason_code: 'unclear', evidence: '' },
} as const;

/** When the question is for a reply, and not for a verdict. */
export const FOR_REPLY = { contains: 'You answer one comment of a reader' };

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a comment by expecting it
type Listed = { items: any[]; [field: string]: any };

let keys = 0;

/** What readers, authors and moderators do on a running house. */
export function commenting(site: () => Site) {
  const call: Site['call'] = (...args) => site().call(...args);
  const asAnybody = (method: string, path: string, json?: unknown) =>
    call(method, path, { key: null, ...(json === undefined ? {} : { json }) });
  const statusOf = async (token: string) => (await asAnybody('GET', `/comments/status/${token}`)).body;
  return {
    call,
    asAnybody,
    statusOf,
    putSites: async (...items: Record<string, unknown>[]) => {
      const { status, body } = await call('PUT', '/comments/sites', { json: { items } });
      expect(status, JSON.stringify(body)).toBe(200);
    },
    putPolicy: async (policy: Record<string, unknown>) => {
      const { status, body } = await call('PUT', '/comments/policies', { json: { items: [policy] } });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.version as number;
    },
    /** Posts a comment and expects that it is taken in. */
    post: async (comment: Record<string, unknown>): Promise<{ id: string; status_token: string; state: string }> => {
      keys += 1;
      const author = { name: `reader ${keys}`, email: `reader-${keys}@example.org` };
      const { status, body } = await asAnybody('POST', '/comments', { article_id: 'a', author, ...comment });
      expect(status, JSON.stringify(body)).toBe(201);
      return body;
    },
    /** Waits until nothing more happens by itself, and gives the status. */
    settled: (token: string) =>
      until(async () => {
        const status = await statusOf(token);
        expect(status).toMatchObject({ terminal: true });
        return status;
      }),
    list: async (query: string): Promise<Listed> => {
      const { status, body } = await asAnybody('GET', `/comments?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    },
  };
}

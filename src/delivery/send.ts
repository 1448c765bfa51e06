import { Webhook } from 'standardwebhooks';
import type { Secrets } from '../core/secrets.ts';
import { classifyStatus } from '../errors/classify-status.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Stage, StageItem } from '../jobs/stage.ts';
import type { HttpClient } from '../net/index.ts';
import type { Queryable } from '../storage/database.ts';
import { messageMachine } from './machine.ts';
import type { Target } from './targets.ts';

export const SEND_STAGE = 'delivery.send';

export interface Message extends StageItem {
  readonly target: string;
  readonly type: string;
  readonly body: string;
}

export interface SendDeps {
  readonly client: HttpClient;
  readonly secrets: Secrets;
  readonly targets: (on: Queryable) => Promise<{ version: number; compiled: ReadonlyMap<string, Target> }>;
  readonly nowMs: () => number;
  readonly clockMs: () => number;
}

/** Waits after the first, second and third failure, in seconds: then the message is exhausted. */
export const SEND_DELAYS = [60, 300, 1800] as const;

const RESPONSE_KEPT = 2_000;

interface Context {
  readonly on: Queryable;
  readonly targets: ReadonlyMap<string, Target>;
}

/** Sends one message. What the target answered is kept for each attempt, whatever becomes of the claim. */
export function sendStage(deps: SendDeps): Stage<typeof messageMachine, Message, null, Context> {
  return {
    name: SEND_STAGE,
    machine: messageMachine,
    from: ['pending', 'sending', 'waiting'],
    actor: 'system',
    batch: 1,
    concurrency: 4,
    expireSeconds: 120,
    retry: { transient: () => SEND_DELAYS.length, baseSeconds: 60, delays: SEND_DELAYS, lost: 3 },
    givenUp: 'exhausted',
    load: async (on, ids) => {
      const { rows } = await on.query<Message>(
        `select id, state, version, content_version as "contentVersion", target, type, body
           from delivery_message where id = any($1::uuid[])`,
        [ids],
      );
      return rows;
    },
    prepare: async (on) => {
      const { version, compiled } = await deps.targets(on);
      return { context: { on, targets: compiled }, rulebookVersion: version };
    },
    work: async (message, { walk, context, signal }) => {
      if (walk.state === 'pending') walk.take({ from: 'pending', to: 'sending' });
      else if (walk.state === 'waiting') walk.take({ from: 'waiting', to: 'sending' });
      try {
        await post(message, context, deps, signal);
      } catch (error) {
        if (error instanceof CodedError && error.errorClass !== 'permanent')
          walk.take({ from: 'sending', to: 'waiting' });
        throw error;
      }
      walk.take({ from: 'sending', to: 'delivered' });
      return null;
    },
    save: async () => {},
    inputRef: (message) => `${message.target}:${message.type}`,
  };
}

async function post(message: Message, { on, targets }: Context, deps: SendDeps, signal: AbortSignal): Promise<void> {
  const target = targets.get(message.target);
  if (!target?.enabled)
    throw new CodedError('delivery.target_gone', 'permanent', `target '${message.target}' is gone or disabled`);
  const secret = await deps.secrets.get(on, target.secret);
  const at = new Date(deps.nowMs());
  const began = deps.clockMs();
  const attempt = async (status: number | null, code: string | null, response: string | null) => {
    await on.query(
      `insert into delivery_attempt (message, attempt, at, duration_ms, status, error_code, response)
       select $1, coalesce(max(attempt), 0) + 1, now_here(), $2, $3, $4, $5 from delivery_attempt where message = $1`,
      [message.id, Math.round(deps.clockMs() - began), status, code, response],
    );
  };
  let answer: Awaited<ReturnType<HttpClient['request']>>;
  try {
    answer = await deps.client.request({
      url: target.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': message.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(message.id, at, message.body),
      },
      body: message.body,
      timeoutMs: 15_000,
      maxBytes: 64 * 1024,
      followRedirects: false,
      signal,
    });
  } catch (error) {
    // Of an address that is refused nothing is kept: its answer would tell what is inside the network.
    await attempt(null, error instanceof CodedError ? error.code : 'net.failed', null);
    throw error;
  }
  const text = Buffer.from(answer.body).toString('utf8').replaceAll('\0', '').slice(0, RESPONSE_KEPT);
  if (answer.status >= 200 && answer.status < 300) {
    await attempt(answer.status, null, text);
    return;
  }
  const code = answer.status === 410 ? 'delivery.gone' : 'delivery.refused';
  await attempt(answer.status, code, text);
  const verdict = classifyStatus(answer.status, answer.headers, deps.nowMs());
  throw new CodedError(code, verdict?.errorClass ?? 'permanent', `the target answered ${answer.status}`, {
    detail: { status: answer.status },
    ...(verdict?.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: verdict.retryAfterSeconds }),
  });
}

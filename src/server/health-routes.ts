import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Identity } from '../accounts/api-keys.ts';
import type { Machine } from '../core/machine.ts';
import type { RouteEnv } from '../core/route.ts';
import { readPools } from '../jobs/slots.ts';
import { readHealth } from '../jobs/watchdog.ts';
import type { Database } from '../storage/database.ts';
import { admit } from './admit.ts';

/** `/healthz` (the process answers), `/readyz` (the database does, too), `/metrics` (Prometheus; needs a key). */
export function mountHealth(
  app: OpenAPIHono<RouteEnv>,
  deps: {
    readonly database: Database;
    readonly machines: readonly Machine[];
    readonly identify: (key: string) => Promise<Identity | null>;
  },
): void {
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    try {
      await deps.database.query('select 1');
      return c.json({ status: 'ready' });
    } catch {
      return c.json({ status: 'unavailable', what: 'database' }, 503);
    }
  });
  app.get('/metrics', async (c) => {
    await admit(c.req.header('authorization'), 'read', deps.identify);
    return c.text(await metrics(deps.database, deps.machines), 200, { 'content-type': 'text/plain; version=0.0.4' });
  });
}

async function metrics(database: Database, machines: readonly Machine[]): Promise<string> {
  const health = await readHealth(database, machines);
  const lines: string[] = [];
  const gauge = (name: string, help: string, samples: readonly (readonly [labels: string, value: number])[]) => {
    lines.push(`# HELP signalbox_${name} ${help}`, `# TYPE signalbox_${name} gauge`);
    for (const [labels, value] of samples) lines.push(`signalbox_${name}${labels} ${value}`);
  };
  const byQueue = (value: (queue: (typeof health.queues)[number]) => number) =>
    health.queues.map((queue) => [`{queue="${queue.name}"}`, value(queue)] as const);
  gauge(
    'queue_waiting',
    'Jobs that may start now',
    byQueue((queue) => queue.waiting),
  );
  gauge(
    'queue_delayed',
    'Jobs that may start later',
    byQueue((queue) => queue.delayed),
  );
  gauge(
    'queue_active',
    'Jobs that a worker has claimed',
    byQueue((queue) => queue.active),
  );
  gauge(
    'queue_silent',
    'Claims without a sign of life',
    byQueue((queue) => queue.silent),
  );
  gauge(
    'queue_oldest_seconds',
    'How long the oldest job that may start has waited',
    byQueue((queue) => queue.oldestSeconds),
  );
  gauge('dead_letters', 'Open dead letters', [['', health.deadLetters]]);
  gauge('dead_letter_oldest_seconds', 'Age of the oldest open dead letter', [
    ['', health.oldestDeadLetterSeconds ?? 0],
  ]);
  gauge('transaction_oldest_seconds', 'Age of the oldest open transaction', [['', health.oldestTransactionSeconds]]);
  gauge(
    'stuck_items',
    'Items that sit in a state longer than it allows',
    [...Map.groupBy(health.stuck, (item) => item.machine)].map(
      ([machine, items]) => [`{machine="${machine}"}`, items.length] as const,
    ),
  );
  const pools = await readPools(database);
  gauge(
    'slots_held',
    'Leased slots',
    pools.map((pool) => [`{pool="${pool.name}"}`, pool.held] as const),
  );
  gauge(
    'slots_cap',
    'Slots that may be leased',
    pools.map((pool) => [`{pool="${pool.name}"}`, pool.cap] as const),
  );
  gauge(
    'slot_overhangs',
    'Leases that ran out while their holder still had them',
    pools.map((pool) => [`{pool="${pool.name}"}`, pool.overhangs] as const),
  );
  return `${lines.join('\n')}\n`;
}

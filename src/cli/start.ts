import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Command, InvalidArgumentError } from 'commander';
import { CodedError } from '../errors/coded-error.ts';
import type { House } from '../server/house.ts';
import { complain } from './output.ts';
import { log, reportError } from './report-error.ts';
import { untilSignal } from './until-signal.ts';

export const DEFAULT_FOLDER = '.signalbox';

export function portOption(value: string): number {
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('a port is a number from 0 to 65535');
  return port;
}

export function startCommand(): Command {
  return new Command('start')
    .description('server and workers in one process')
    .option('--port <n>', 'where to listen', portOption, 8080)
    .option('--host <address>', 'on which address', '127.0.0.1')
    .option('--data <dir>', 'data folder of the embedded database', DEFAULT_FOLDER)
    .option('--no-workers', 'serve only; workers run elsewhere (PostgreSQL)')
    .action(async (options: { port: number; host: string; data: string; workers: boolean }) => {
      const localKey = randomBytes(32).toString('base64url');
      const { openHouse } = await import('../server/house.ts');
      const house = await openHouse({
        folder: options.data,
        databaseUrl: process.env.DATABASE_URL,
        workers: options.workers,
        anyFile: false,
        env: process.env,
        localKey,
        onError: reportError,
      });
      const server = await listen(house, options.port, options.host, localKey);
      complain(`Signalbox listens on ${server.address}  (API: ${server.address}/api/v1/docs)`);
      const signal = await untilSignal();
      log.info({ signal }, 'stopping');
      await server.close();
      await house.stop();
    });
}

/** Serves the house's application and tells commands of the same user where, beside the lock of the data folder. */
export async function listen(
  house: House,
  port: number,
  host: string,
  localKey: string,
): Promise<{ readonly address: string; close(): Promise<void> }> {
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const starting = serve({ fetch: house.app.app.fetch, port, hostname: host }, () => resolve(starting));
    starting.once('error', reject);
  }).catch(async (cause: NodeJS.ErrnoException) => {
    await house.stop();
    const message = `cannot listen on ${host}:${port} (${cause.code ?? cause.message})`;
    throw new CodedError('cli.cannot_listen', 'permanent', message, { cause });
  });
  const { port: bound } = server.address() as AddressInfo;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  if (house.database.kind === 'pglite') house.database.lock?.announce(address, localKey);
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        house.endStreams();
        // Idle keep-alive connections would hold the server open for as long as their clients like.
        if ('closeIdleConnections' in server) server.closeIdleConnections();
      }),
  };
}

import { Command, InvalidArgumentError } from 'commander';
import type { LoggedRequest } from './request-log.ts';
import { readScript } from './script.ts';
import { startMockModel } from './server.ts';

interface MockModelFlags {
  readonly port: number;
  readonly host: string;
  readonly script?: string;
}

/**
 * The command `mock-model`: serves until SIGINT or SIGTERM and then ends well.
 * The base URL goes to standard output as one line, a line for each ended request to standard error.
 * A bad script and a port in use are thrown from `parseAsync` as CodedError (see `startMockModel`, `readScript`).
 */
export function mockModelCommand(): Command {
  return new Command('mock-model')
    .description('an OpenAI-compatible model server for trying and testing: deterministic answers, faults on demand')
    .option('--port <n>', 'port to listen on; 0 takes any free one', portNumber, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--script <file>', 'answers and faults, YAML or JSON')
    .action(async ({ port, host, script }: MockModelFlags) => {
      const mock = await startMockModel({
        port,
        host,
        ...(script === undefined ? {} : { script: await readScript(script) }),
      });
      mock.log.subscribe((request, what) => {
        if (what === 'ended') process.stderr.write(`${requestLine(request)}\n`);
      });
      const signalled = untilSignal();
      process.stdout.write(`${mock.url}\n`);
      await signalled;
      await mock.stop();
    });
}

/** One ended request in one line, for people. */
export function requestLine(request: LoggedRequest): string {
  const took = Math.round(
    (request.ended_monotonic_ms ?? request.received_monotonic_ms) - request.received_monotonic_ms,
  );
  return [
    `#${request.n}`,
    request.status ?? '-',
    request.outcome ?? '-',
    `${took}ms`,
    `${request.bytes}B`,
    `in-flight=${request.in_flight}`,
    `model=${request.model ?? '-'}`,
    `key=${request.key || '-'}`,
    ...(request.stream ? ['stream'] : []),
  ].join(' ');
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535.');
  return port;
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process of the product. */
export interface Started {
  stop(): Promise<void>;
}

/** The product with its API. */
export interface StartedHouse extends Started {
  /** Gives the answer's body. Throws for an answer that is none of success. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
}

type Env = Readonly<Record<string, string>>;

const KEY = 'bench'.repeat(8);

/**
 * Server and workers, as `signalbox start` is.
 * @param env what it is told beside the environment of this process
 */
export async function startHouse(folder: string, env: Env): Promise<StartedHouse> {
  const { child, heard } = await start(['start', '--port', '0', '--data', folder], env, /listens on (http:\S+)/);
  return {
    call: async (method, path, body) => {
      const isForm = body instanceof FormData;
      const response = await fetch(`${heard}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${KEY}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response.json() as never;
    },
    stop: () => terminate(child),
  };
}

/** Workers alone, as `signalbox worker` is. */
export async function startWorker(env: Env): Promise<Started> {
  const { child } = await start(['worker'], env, /(is at work)/);
  return { stop: () => terminate(child) };
}

/** Waits until it says that it is there; what else it says goes to our standard error. */
async function start(
  args: readonly string[],
  env: Env,
  ready: RegExp,
): Promise<{ child: ChildProcess; heard: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...args], {
    env: { ...process.env, ...env, SIGNALBOX_API_KEY: KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    said += text;
    const found = ready.exec(said);
    if (found) resolve(found[1]!);
    if (!ready.test(text)) process.stderr.write(text);
  });
  child.once('exit', (code, signal) =>
    reject(new Error(`${args[0]} ended with ${signal ?? code}: ${said.slice(-500)}`)),
  );
  return { child, heard: await promise };
}

async function terminate(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

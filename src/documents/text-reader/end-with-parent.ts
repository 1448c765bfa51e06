import { Worker } from 'node:worker_threads';

const WATCH = `
  const parent = process.ppid;
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500);
`;

/**
 * Ends this process with the one that started it, however that one ends. A file may keep this thread busy for good; then
 * only another one can notice that the parent is gone.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  new Worker(WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 8 } }).unref();
}

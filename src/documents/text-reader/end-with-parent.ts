import { Worker } from 'node:worker_threads';

const WATCH = `
  const { workerData: parent } = require('node:worker_threads');
  setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500);
`;

/**
 * Ends this process with the one that started it, however that one ends. A file may keep this thread busy for good; then
 * only another one can notice that the parent is gone.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit());
  const watch = { eval: true, workerData: process.ppid, resourceLimits: { maxOldGenerationSizeMb: 8 } };
  new Worker(WATCH, watch).unref();
}

import { openTextReader } from '../../src/documents/text-reader.ts';

// A process with two readers, one at rest and one that is busy for ever; it tells the ids of their processes.

const [script] = process.argv.slice(2) as [string];
const file = (...pages: string[]) => Buffer.from(JSON.stringify(pages));
const pidIn = (text: string) => Number(/ by (\d+)/.exec(text)![1]);
const [idle, busy] = [openTextReader({ script }), openTextReader({ script })];
const pids = [pidIn((await idle.read(file('a'), 'a')).markdown), pidIn((await busy.read(file('a'), 'a')).markdown)];
void busy.read(file('spin'), 'b').catch(() => undefined);
process.send!(pids);
setInterval(() => undefined, 2 ** 30);

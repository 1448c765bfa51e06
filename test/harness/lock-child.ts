import { type FolderLock, lockFolder } from '../../src/storage/folder-lock.ts';

// A process that takes data folders when it is told to, for the tests of the lock. It ends with its parent.

export type LockOrder =
  | { readonly take: readonly string[] }
  | { readonly announce: string; readonly address: string; readonly token: string }
  | { readonly release: string };

const held = new Map<string, FolderLock>();

process.on('message', (order: LockOrder) => {
  if ('take' in order) {
    const codes = order.take.map((folder) => {
      try {
        held.set(folder, lockFolder(folder));
        return 'held';
      } catch (error) {
        return (error as { code?: string }).code ?? String(error);
      }
    });
    process.send?.(codes);
    return;
  }
  if ('announce' in order) held.get(order.announce)?.announce(order.address, order.token);
  else held.get(order.release)?.release();
  process.send?.('done');
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');

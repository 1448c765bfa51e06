import { CodedError } from '../../errors/coded-error.ts';
import { loadModels } from '../ocr/load-models.ts';
import { recognisePages } from '../ocr/recognise-pages.ts';
import { readText } from '../read-text.ts';
import { endWithParent } from './end-with-parent.ts';
import type { ReaderNews, ReadOrder } from './protocol.ts';

// A process that reads files for its parent, one after the other, and ends with it.

const tell = (news: ReaderNews) => process.send?.(news);
let models: ReturnType<typeof loadModels> | undefined;
endWithParent();

process.on('message', async (order: ReadOrder) => {
  // The time that pictures take is watched from outside, page by page.
  let apart = 0;
  let since = 0;
  const now = () => performance.now() - apart;
  const work = recognisePages(
    {
      known: order.known,
      gaveUp: order.gaveUp,
      recognising: () => {
        since = performance.now();
        tell({ kind: 'recognising' });
      },
      done: (page) => {
        if (since) apart += performance.now() - since;
        since = 0;
        tell({ kind: 'page', page });
      },
    },
    () => (models ??= loadModels()),
  );
  try {
    tell({ kind: 'done', document: await readText(order.bytes, order.name, order.budgets, now, work) });
  } catch (error) {
    tell(failureOf(error));
  }
});

function failureOf(error: unknown): ReaderNews {
  if (error instanceof CodedError) {
    const { code, errorClass, message, detail } = error;
    return { kind: 'failed', code, errorClass, message, detail };
  }
  const message = `reading broke: ${error instanceof Error ? error.message.split('\n')[0] : error}`;
  return { kind: 'failed', code: 'file.reader_died', errorClass: 'permanent', message, detail: {} };
}

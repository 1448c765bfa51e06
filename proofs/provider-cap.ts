import { earlyRequests, type LoggedRequest } from '../src/models/mock/index.ts';
import { quoteIdentifier } from '../src/storage/quote.ts';
import { checkDocuments, outcomesOf } from './documents/accounts-of-documents.ts';
import { type Office, openOffice } from './documents/open-office.ts';
import { paper } from './documents/papers.ts';
import { type Proof, type ProofStage, terminate } from './proof.ts';

const CAP = 4;
const RETRY_AFTER = 2;
const PROCESSES = 2;
/** One of so many requests is refused. */
const EVERY = 80;
const CALL_MS = 40;

const TROUBLE = {
  latency_ms: CALL_MS,
  faults: [
    { kind: 'rate_limited' as const, above: CAP, retry_after: RETRY_AFTER },
    { kind: 'rate_limited' as const, every: EVERY, retry_after: RETRY_AFTER },
  ],
};

export const proof: Proof = {
  claim: `500 documents uploaded, and then classified anew, by ${PROCESSES} processes with a provider that allows ${CAP} calls at once and answers 429 with Retry-After ${RETRY_AFTER} now and then: never more at once, none before its time, all accepted, no attempt used up`,
  run: async (stage) => {
    const { url } = await stage.postgres();
    const count = stage.quick ? 120 : 500;
    const office = await openOffice(stage, { databaseUrl: url, workers: false, cap: CAP });
    try {
      const workers = Array.from({ length: PROCESSES }, () =>
        stage.start('proofs/workers/replaying-worker.ts', [], office.env),
      );
      await office.says([{ type: 'invoice' }], TROUBLE);
      const live = await phase(stage, office, 'uploads', count, async () => {
        await office.takeIn(Array.from({ length: count }, (_, n) => paper(n)));
        await office.untilAtRest();
        return 'live';
      });
      await office.says([{ type: 'contract' }], TROUBLE);
      await office.editTypes();
      const batch = await phase(stage, office, 're-classification', count, async () => {
        const id = await office.start('re-classify', { all: true });
        await office.untilOver(id);
        return id;
      });
      stage.table(
        'Requests',
        [
          'work',
          'documents',
          'requests',
          'most at once',
          '429: now and then',
          '429: too many',
          'before their time',
          'sent before all had heard',
          'ms at the most',
          'seconds',
        ],
        [live.requests, batch.requests],
      );
      stage.table(
        'Documents',
        [
          'work',
          'documents',
          'accepted to the end',
          'failed',
          'runs postponed',
          'runs failed or lost',
          'attempts used up',
        ],
        [live.documents, batch.documents],
      );
      await checkDocuments(stage, office.house.database);
      for (const worker of workers) stage.equal(await terminate(worker), 0, 'a worker ends with status');
    } finally {
      await office.stop();
    }
  },
};

async function phase(
  stage: ProofStage,
  office: Office,
  what: string,
  count: number,
  work: () => Promise<string>,
): Promise<{ requests: unknown[]; documents: unknown[] }> {
  office.mock.log.reset();
  const began = performance.now();
  const cause = await work();
  const seconds = (performance.now() - began) / 1000;
  const log = office.mock.log.entries();
  const limited = log.filter(({ status }) => status === 429);
  const tooMany = limited.filter(({ in_flight: inFlight }) => inFlight > CAP).length;
  const early = earlyRequests(log).length;
  const { max_in_flight: most } = office.mock.log.stats();
  const found = await readDocuments(office, cause);
  const { accepted = 0, postponed = 0, failed = 0, lost = 0 } = found.outcomes;
  stage.check(most === CAP, `${what}: ${most} at once at the most, ${CAP} are allowed`);
  stage.check(limited.length > tooMany, `${what}: nothing was refused`);
  stage.equal([tooMany, early], [0, 0], `${what}: refused as too many, before their time`);
  const inPauses = comingInPauses(log);
  const last = Math.max(0, ...inPauses);
  stage.check(last < NEWS_MS, `${what}: a request ${Math.round(last)} ms after all were told to wait`);
  stage.equal(postponed, limited.length, `${what}: postponed runs, one a refusal`);
  stage.equal(
    [found.done, found.failed, failed + lost, found.tries],
    [count, 0, 0, 0],
    `${what}: accepted, failed, runs failed or lost, attempts used up`,
  );
  stage.check(accepted >= count, `${what}: ${accepted} accepted runs`);
  return {
    requests: [
      what,
      count,
      log.length,
      most,
      limited.length - tooMany,
      tooMany,
      early,
      inPauses.length,
      Math.round(last),
      seconds.toFixed(1),
    ],
    documents: [what, count, found.done, found.failed, postponed, failed + lost, found.tries],
  };
}

/** For how long processes go by what they last heard of the provider, with the way of a request, in milliseconds. */
const NEWS_MS = 500;

/**
 * For each request that came while another one had been told to wait: how many milliseconds after that. Those that were on
 * their way when the answer came, or left before their process heard of it: nobody can call a sent request back.
 */
function comingInPauses(log: readonly LoggedRequest[]): number[] {
  const promises = log.flatMap(({ retry_promise: promise }) => promise ?? []);
  return log.flatMap(({ received_monotonic_ms: at }) => {
    const pause = promises.find((one) => at > one.made_monotonic_ms && at < one.due_monotonic_ms);
    return pause ? [at - pause.made_monotonic_ms] : [];
  });
}

async function readDocuments(
  { house }: Office,
  cause: string,
): Promise<{ done: number; failed: number; tries: number; outcomes: Readonly<Record<string, number>> }> {
  const { database } = house;
  const { rows } = await database.query<{ done: number; failed: number; tries: number }>(
    `select (select count(distinct item) from run r
              where r.cause = $1 and r.outcome = 'accepted'
                and r.stage = case $1 when 'live' then 'documents.extract-fields' else 'documents.re-classify' end) as done,
            (select count(*) from documents_document where state not in ('ready', 'in_review')) as failed,
            (select count(*) from ${quoteIdentifier(`${database.schema}_jobs`)}.job
              where data ->> 'cause' = $1 and (data ->> 'tries')::int > 0) as tries`,
    [cause],
  );
  const { rows: runs } = await database.query<{ outcome: string }>(
    `select outcome from run where cause = $1 and stage like 'documents.%'`,
    [cause],
  );
  return { ...rows[0]!, outcomes: outcomesOf(runs) };
}

import { runContender } from './measure/contender.ts';
import type { Options } from './measure/options.ts';
import { figure, median, printTable, verdict } from './measure/report.ts';
import type { MatchingRun, MatchingSettings } from './measure/runs.ts';
import { hardware } from './measure/server.ts';

const TARGET = 5;
const ALIASES = 4_000;

/**
 * 4,000 names looked for in answers of 2 KB: our automaton over folded text, with offsets into the original, against
 * the searches that npm offers over the text as it is. All of them must find the same.
 */
export async function matcher({ quick, repetitions, items = quick ? 200 : 1_000 }: Options): Promise<boolean> {
  console.log(hardware());
  const settings: MatchingSettings = { aliases: ALIASES, texts: items, repetitions, passMs: quick ? 300 : 1_500 };
  const { rates, buildMs, bytes, hits } = await runContender<MatchingRun>('matching.ts', settings);
  console.log(`${ALIASES} aliases, ${items} texts of ${figure(bytes)} bytes, ${figure(hits)} hits each\n`);
  const [ours, ...peers] = Object.keys(buildMs);
  const names = [ours!, ...peers];
  printTable(
    ['texts/s', ...rates.map((_, n) => `repetition ${n + 1}`), 'median', 'MB/s', 'built in ms'],
    names.map((name) => {
      const middle = median(rates.map((rate) => rate[name]!));
      return [name, ...rates.map((rate) => rate[name]!), middle, (middle * bytes) / 1e6, buildMs[name]!];
    }),
  );
  const ratio = median(rates.map((rate) => rate[ours!]! / Math.max(...peers.map((name) => rate[name]!))));
  console.log();
  return verdict('matcher', ratio, TARGET, 'ours / fastest peer, same hits');
}

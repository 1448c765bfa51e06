import { cleanAnswer } from '../src/answers/clean-answer.ts';
import { Chance } from './fuzz/chance.ts';
import { type Corpus, KINDS, mutate, pieces, readCorpus, withText } from './fuzz/fuzzed-answers.ts';
import { doublings, growthOf, type Shape, shapesOf, shortestOf, type Take } from './fuzz/time-growth.ts';
import { Tally, Trial } from './fuzz/trial.ts';
import type { Proof, ProofStage } from './proof.ts';

const MEGABYTE = 1 << 20;
/** Per unit of the longest text at most so many times what the shortest takes. */
const MAX_GROWTH = 3;

interface Size {
  readonly answers: number;
  readonly longTexts: number;
  readonly longest: number;
  /** Of all shapes the time is taken at doubling lengths up to the first, of those that grew most up to the second. */
  readonly grownTo: readonly [number, number];
  readonly followed: number;
}

const FULL: Size = {
  answers: 100_000,
  longTexts: 15,
  longest: 5 * MEGABYTE,
  grownTo: [MEGABYTE / 2, 4 * MEGABYTE],
  followed: 14,
};
const QUICK: Size = {
  answers: 3_000,
  longTexts: 8,
  longest: MEGABYTE,
  grownTo: [MEGABYTE / 8, MEGABYTE],
  followed: 8,
};

export const proof: Proof = {
  claim:
    'answers mutated in every way, up to 5 MB long: cleaning never throws, offsets are exact, results agree with themselves, time is linear',
  run: async (stage) => {
    const size = stage.quick ? QUICK : FULL;
    const corpus = readCorpus();
    const chance = new Chance(stage.random);
    fuzzMany(stage, corpus, chance, size);
    const shapes = shapesOf(corpus, chance);
    fuzzLong(stage, corpus, chance, size, shapes);
    measureGrowth(stage, corpus, size, shapes);
  },
};

function fuzzMany(stage: ProofStage, corpus: Corpus, chance: Chance, { answers }: Size): void {
  const tallies = new Map(KINDS.map((kind) => [kind, new Tally()]));
  const trial = new Trial(stage, corpus);
  for (let n = 0; n < answers; n++) {
    const kind = KINDS[n % KINDS.length]!;
    trial.of(`answer ${n}, ${kind}`, mutate(corpus, kind, chance), tallies.get(kind)!);
  }
  printTallies(stage, 'Mutated answers', tallies);
}

/** Texts of megabytes: mutated answers strung together, pieces of answers at random, one shape over and over. */
function fuzzLong(stage: ProofStage, corpus: Corpus, chance: Chance, size: Size, shapes: readonly Shape[]): void {
  const { longest, longTexts } = size;
  const makers: Readonly<Record<string, (length: number) => string>> = {
    'answers strung together': (length) => {
      const parts: string[] = [];
      for (let room = length; room > 0; room -= parts.at(-1)!.length + 2) {
        parts.push(mutate(corpus, chance.pick(KINDS), chance).answer.text);
      }
      return parts.join('\n\n').slice(0, length);
    },
    'pieces at random': (length) => pieces(corpus.material, length, chance).slice(0, length),
    'one shape': (length) => chance.pick(shapes).text(length),
  };
  const kinds = Object.keys(makers);
  const tallies = new Map(kinds.map((kind) => [kind, new Tally()]));
  const trial = new Trial(stage, corpus);
  for (let n = 0; n < longTexts; n++) {
    const kind = kinds[n % kinds.length]!;
    const length = n < kinds.length ? longest : chance.between(longest / 10, longest);
    const text = makers[kind]!(length);
    trial.of(`long text ${n}, ${kind}`, withText(chance.pick(corpus.inputs), text), tallies.get(kind)!);
  }
  printTallies(stage, `Long texts, up to ${longest / MEGABYTE} Mi units`, tallies);
}

function printTallies(stage: ProofStage, title: string, tallies: ReadonlyMap<string, Tally>): void {
  const all = [...tallies.values()].reduce((sum, tally) => sum.add(tally), new Tally());
  stage.table(
    title,
    ['kind', 'answers', 'bytes', 'valid', 'matches', 'slowest, ms', 'findings'],
    [...tallies, ['all', all] as const].map(([kind, tally]) => [
      kind,
      tally.answers,
      tally.bytes,
      tally.valid,
      tally.matches,
      tally.slowestMs.toFixed(1),
      tally.findings,
    ]),
  );
}

interface Growth {
  readonly shape: Shape;
  readonly takes: readonly Take[];
  readonly growth: number;
}

/** Time at doubling lengths: of all shapes, then of those that grew most at greater lengths still. */
function measureGrowth(stage: ProofStage, corpus: Corpus, size: Size, shapes: readonly Shape[]): void {
  const [first, last] = size.grownTo.map((to) => doublings(64 * 1024, to)) as [number[], number[]];
  const all = shapes.map((shape) => grow(corpus, shape, first)).sort((a, b) => b.growth - a.growth);
  const followed = all.slice(0, size.followed).map(({ shape }) => grow(corpus, shape, last));
  const slowest = [...all].sort((a, b) => nsPerUnit(b) - nsPerUnit(a)).slice(0, 6);
  printGrowth(stage, `Processor time of ${all.length} shapes of text in ms: the six slowest`, slowest);
  followed.sort((a, b) => b.growth - a.growth);
  printGrowth(stage, `The ${followed.length} shapes that grew most, followed to greater lengths`, followed);
  for (const { shape, growth } of [...all, ...followed]) {
    stage.check(growth <= MAX_GROWTH, `${shape.name}: a unit of the longest takes ${growth.toFixed(1)} times as long`);
  }
}

const nsPerUnit = ({ takes }: Growth): number => (takes.at(-1)!.ms * 1e6) / takes.at(-1)!.length;

function grow(corpus: Corpus, shape: Shape, lengths: readonly number[]): Growth {
  const take = (length: number): Take => {
    const input = withText(corpus.inputs[0]!, shape.text(length));
    return { length, ms: shortestOf(() => cleanAnswer(input, corpus.compiled)) };
  };
  let takes = lengths.map(take);
  // What is really not linear is so again.
  for (let again = 0; again < 2 && growthOf(takes) > MAX_GROWTH; again++) {
    takes = takes.map((earlier) => ({ ...earlier, ms: Math.min(earlier.ms, take(earlier.length).ms) }));
  }
  return { shape, takes, growth: growthOf(takes) };
}

function printGrowth(stage: ProofStage, title: string, rows: readonly Growth[]): void {
  stage.table(
    title,
    ['shape', ...rows[0]!.takes.map(({ length }) => `${length / 1024} Ki`), 'ns a unit', 'growth'],
    rows.map((row) => [
      row.shape.name,
      ...row.takes.map(({ ms }) => ms.toFixed(1)),
      nsPerUnit(row).toFixed(0),
      row.growth.toFixed(2),
    ]),
  );
}

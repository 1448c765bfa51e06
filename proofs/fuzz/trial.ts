import { type CleanedAnswer, cleanAnswer } from '../../src/answers/clean-answer.ts';
import type { CompiledBrands } from '../../src/answers/compile-brands.ts';
import type { ProofStage } from '../proof.ts';
import { findBreaches } from './find-breaches.ts';
import { type Corpus, type FuzzInput, withText } from './fuzzed-answers.ts';
import { shrink } from './shrink.ts';
import { shortestOf } from './time-growth.ts';

/** What an answer may take: a bound that only a text which is read over and over passes. */
const boundMs = (bytes: number): number => 20 + bytes * 0.002;
/** So many findings are printed: to shrink more would only take time. */
const SHOWN = 20;

/** What was tried of one kind. */
export class Tally {
  answers = 0;
  bytes = 0;
  valid = 0;
  matches = 0;
  slowestMs = 0;
  findings = 0;

  add(other: Tally): this {
    this.answers += other.answers;
    this.bytes += other.bytes;
    this.valid += other.valid;
    this.matches += other.matches;
    this.slowestMs = Math.max(this.slowestMs, other.slowestMs);
    this.findings += other.findings;
    return this;
  }
}

/** Cleans answers one after another, and each a second time after the next one, so that nothing may be left over. */
export class Trial {
  readonly #stage: ProofStage;
  readonly #compiled: CompiledBrands;
  readonly #names: readonly string[];
  #before: { name: string; input: FuzzInput; result: string; tally: Tally } | undefined;

  constructor(stage: ProofStage, corpus: Corpus) {
    this.#stage = stage;
    this.#compiled = corpus.compiled;
    this.#names = corpus.material.names;
  }

  /** Cleans one answer and judges the result; a finding is made as small as it can be and noted. */
  of(name: string, input: FuzzInput, tally: Tally): void {
    const { text } = input.answer;
    const bytes = Buffer.byteLength(text);
    tally.answers++;
    tally.bytes += bytes;
    const first = this.#clean(input);
    if (typeof first === 'string') {
      this.#report(name, tally, first, input);
      return;
    }
    const { cleaned } = first;
    // Another process may have had the machine: what is really slow is so in processor time, again.
    const ms = first.ms > boundMs(bytes) ? shortestOf(() => cleanAnswer(input, this.#compiled)) : first.ms;
    tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (ms > boundMs(bytes)) {
      tally.findings++;
      const opening = JSON.stringify(text.slice(0, 120));
      this.#stage.check(false, `${name}: ${bytes} bytes took ${ms.toFixed(0)} ms: ${opening}`);
    }
    if (cleaned.validity.valid) tally.valid++;
    tally.matches += cleaned.matches.length;
    const breach = findBreaches(text, cleaned, this.#names)[0];
    if (breach !== undefined) this.#report(name, tally, breach, input);
    this.#cleanAgain();
    this.#before = { name, input, result: JSON.stringify(cleaned), tally };
  }

  #clean(input: FuzzInput): { cleaned: CleanedAnswer; ms: number } | string {
    try {
      const began = performance.now();
      const cleaned = cleanAnswer(input, this.#compiled);
      return { cleaned, ms: performance.now() - began };
    } catch (error) {
      return `throws: ${String(error)}`;
    }
  }

  #breaches(input: FuzzInput): string[] {
    const first = this.#clean(input);
    return typeof first === 'string' ? [first] : findBreaches(input.answer.text, first.cleaned, this.#names);
  }

  #cleanAgain(): void {
    if (this.#before === undefined) return;
    const { name, input, result, tally } = this.#before;
    if (JSON.stringify(cleanAnswer(input, this.#compiled)) === result) return;
    tally.findings++;
    const opening = JSON.stringify(input.answer.text.slice(0, 300));
    this.#stage.check(false, `${name}: cleaned again it is another: ${opening}`);
  }

  #report(name: string, tally: Tally, breach: string, input: FuzzInput): void {
    tally.findings++;
    const kind = breach.slice(0, breach.indexOf(':') + 1);
    const fails = (text: string) => this.#breaches(withText(input, text)).some((other) => other.startsWith(kind));
    const { text, ...fields } = input.answer;
    const smallest = this.#stage.failures.length < SHOWN ? shrink(text, fails) : text.slice(0, 300);
    const shown = JSON.stringify({ text: smallest, ...fields, query_text: input.query_text });
    this.#stage.check(false, `${name}: ${breach}\n    smallest: ${shown}`);
  }
}

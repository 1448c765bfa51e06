import type { ScriptInput } from '../../src/models/mock/index.ts';

/** What every paper has in it: what the model shows for the type. */
const PASSAGE = 'This is a paper';

/** A paper for proofs: a few lines, no two alike, with two amounts that may be read as its total. */
export const paper = (n: number | string, words = '') => ({
  name: `paper-${n}.txt`,
  text: `${PASSAGE}, no. ${n}.\n\n${words}\n\nTotal 10.00\n\nAmount 12.00\n`,
});

/** Types that share their one field, so that nothing of a decision hangs on the type. */
export const paperTypes = (edition: string) =>
  ['invoice', 'contract', 'receipt'].map((code) => ({
    code,
    name: code,
    description: `Papers of the kind ${code}, edition ${edition}`,
    fields: [{ code: 'total', name: 'Total', type: 'money' }],
  }));

/** What the model says of a paper. */
export interface Opinion {
  /** Words that stand in the papers that it is about; none: all (that no earlier opinion is about). */
  readonly about?: string;
  readonly type: string;
  readonly confidence?: number;
  readonly total?: '10.00' | '12.00';
  /** A passage of theirs that says the total, and that the model shows for all that it says. */
  readonly shows?: string;
}

/** A mock model of these opinions. */
export function scriptOf(opinions: readonly Opinion[], rest: Omit<ScriptInput, 'answers'> = {}): ScriptInput {
  const answers = opinions.flatMap(({ about, type, confidence = 0.95, total = '10.00', shows }) => {
    const matches = about === undefined ? {} : { matches: about };
    const evidence = shows ?? (total === '10.00' ? 'Total 10.00' : 'Amount 12.00');
    return [
      {
        when: { contains: 'You sort documents into types', ...matches },
        reply: { evidence: shows ?? PASSAGE, type, confidence },
      },
      {
        when: { contains: 'You read the values of fields', ...matches },
        reply: { total: { evidence, raw: total, value: Number(total) } },
      },
    ];
  });
  return { ...rest, answers };
}

import { type Undisguised, undisguise } from '../../text/undisguise.ts';

/** What a rule found, and what it means: rejected at once, or shown to a person whatever a model says. */
export interface Finding {
  readonly code: string;
  /** What shows it, as it was written: at most 120 characters. */
  readonly evidence: string;
  readonly rule: string;
  readonly means: 'reject' | 'review';
}

/** One public field of a comment, as it was written and without its disguise. */
export interface Field {
  readonly name: 'content' | 'author.name' | 'author.url';
  readonly text: string;
  readonly plain: Undisguised;
}

/** What is audited: every public field, whole. */
export interface Subject {
  readonly content: string;
  readonly authorName: string;
  readonly authorUrl: string | null;
}

/** What is known of other comments at the time this one came in. */
export interface Facts {
  /** The same text by the same author in the same article. */
  readonly sameByAuthorHere: number;
  /** The same text by the same author, or from the same address, on the whole site. */
  readonly sameByAuthor: number;
  readonly sameByOthers: number;
  /** Comments by the same author within the ten minutes before. */
  readonly recentByAuthor: number;
}

export const NO_FACTS: Facts = { sameByAuthorHere: 0, sameByAuthor: 0, sameByOthers: 0, recentByAuthor: 0 };

export function fieldsOf({ content, authorName, authorUrl }: Subject): Field[] {
  const field = (name: Field['name'], text: string): Field => ({ name, text, plain: undisguise(text) });
  return [
    field('content', content),
    field('author.name', authorName),
    ...(authorUrl === null ? [] : [field('author.url', authorUrl)]),
  ];
}

const LONGEST_EVIDENCE = 120;

/** A passage as evidence, cut between characters. */
export const excerpt = (text: string): string => {
  const characters = [...text];
  return characters.length <= LONGEST_EVIDENCE ? text : `${characters.slice(0, LONGEST_EVIDENCE - 1).join('')}…`;
};

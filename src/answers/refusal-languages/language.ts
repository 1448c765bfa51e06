/** `policy`: against rules, law, ethics; `unlearned`: does not know; `unable`: cannot or will not, without a reason. */
export type RefusalKind = 'unable' | 'unlearned' | 'policy';

/**
 * How one language refuses. All patterns see lower-case text with straight apostrophes in which quotations are blank.
 */
export interface Language {
  /** Words without which nothing below fits: most answers are done with after this one look at their opening. */
  readonly trigger: RegExp;
  /** Greetings, apologies and self-descriptions, which may stand before a refusal and say nothing themselves. */
  readonly preamble: RegExp;
  /** The kind of refusal that a clause is, null for none. What an answer cannot *decide* or *guarantee* is no refusal. */
  readonly judge: (clause: string) => RefusalKind | null;
  /** Gives rules, law or ethics as the ground; looked for around a refusal. */
  readonly policy: RegExp;
  /** What opens the part of a sentence that helps all the same. */
  readonly contrast: RegExp;
  /** Sentences that help with nothing: offers to talk about something else, appeals, sermons. */
  readonly idle: RegExp;
  /** Refuses one kind of answer only (real-time, personal, professional): what follows is meant as help. */
  readonly limited: RegExp;
  /** Turns of phrase that refuse only where nothing follows ("I have no favourites"). */
  readonly phrase?: RegExp;
  /** Sends a person in distress to others: what is listed then are places of help. */
  readonly redirect?: RegExp;
  /** Says that what was asked about does not exist, which is an answer. */
  readonly corrects?: RegExp;
}

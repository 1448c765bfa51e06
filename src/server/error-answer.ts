import { CodedError } from '../errors/coded-error.ts';

/** The status of an error by its code; what is not listed is 400 when permanent, 503 when it may pass. */
const STATUS: readonly (readonly [RegExp, 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422])[] = [
  [/^auth\.missing$|^auth\.unknown_key$/, 401],
  [/^auth\.forbidden$|^comments\.(origin_refused|edit_closed)$/, 403],
  [/_unknown$|\.not_found$|\.unknown$/, 404],
  [/\.gone$/, 410],
  [
    /\.conflict$|_stale$|\.edge_missing$|\.not_completed$|\.claimed$|^comments\.(parent_hidden|not_undoable)$|^replay\.(already_running|not_possible|nothing_failed)$/,
    409,
  ],
  [/\.too_large$/, 413],
  [/\.unsupported$/, 415],
  [
    /^request\.|^comments\.thread_too_deep$|^replay\.(scope|mode|cascade)_|\.invalid$|_invalid$|^answers\.(alias|brand|phrase)_/,
    422,
  ],
];

export interface ErrorAnswer {
  readonly status: number;
  readonly body: {
    readonly error: {
      readonly code: string;
      readonly message: string;
      readonly detail: Readonly<Record<string, unknown>>;
    };
  };
}

/** What a caller is told. Errors that nobody coded keep their text to themselves: it may hold anything. */
export function errorAnswer(error: unknown): ErrorAnswer {
  if (!(error instanceof CodedError)) {
    return {
      status: 500,
      body: { error: { code: 'server.unexpected', message: 'something unexpected happened', detail: {} } },
    };
  }
  const { code, message, detail } = error;
  const status = STATUS.find(([pattern]) => pattern.test(code))?.[1] ?? (error.errorClass === 'permanent' ? 400 : 503);
  return { status, body: { error: { code, message, detail } } };
}

export type State = 'ok' | 'wrong' | 'note' | 'not-tried';

/** `todo` is what the operator should do. It is missing if all is well. */
export type Outcome = { state: State; seen: string; todo?: string };

export const ok = (seen: string): Outcome => ({ state: 'ok', seen });
export const note = (seen: string, todo: string): Outcome => ({ state: 'note', seen, todo });
export const skipped = (reason: string): Outcome => ({ state: 'not-tried', seen: `not tried: ${reason}` });

/** Ends a check with the state "wrong". */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
  readonly outcome: Outcome;

  constructor(seen: string, todo: string) {
    super(seen);
    this.outcome = { state: 'wrong', seen, todo };
  }
}

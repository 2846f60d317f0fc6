export type State = 'ok' | 'wrong' | 'note' | 'not-tried';

/** What a check has found: what was seen and, where that is not all well, what to do. */
export type Outcome = { state: State; seen: string; todo?: string };

export const ok = (seen: string): Outcome => ({ state: 'ok', seen });
export const note = (seen: string, todo: string): Outcome => ({ state: 'note', seen, todo });
export const notTried = (seen: string): Outcome => ({ state: 'not-tried', seen: `not tried: ${seen}` });

/** Ends a check at the first thing that is wrong. */
export class Wrong extends Error {
  override readonly name = 'Wrong';
  readonly todo: string;

  constructor(seen: string, todo: string) {
    super(seen);
    this.todo = todo;
  }
}

export const asWrong = ({ message, todo }: Wrong): Outcome => ({ state: 'wrong', seen: message, todo });

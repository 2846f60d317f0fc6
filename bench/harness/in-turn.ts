/** Another order each round, so that nobody always comes first, or behind the same one. */
export const inTurn = <T>(all: readonly T[]): T[] =>
  all
    .map((each) => ({ each, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ each }) => each);

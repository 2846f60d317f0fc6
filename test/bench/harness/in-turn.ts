/** Another order each round, so that nobody always comes behind the same one, or first. */
export const inTurn = <T>(all: readonly T[], round: number): T[] => {
  const first = round % Math.max(1, all.length);
  const rotated = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? rotated : rotated.toReversed();
};

/** 1,200. */
export const formatCount = (count: number) => count.toLocaleString('en-US');

/** 1 snapshot, 1,200 snapshots. */
export const countOf = (count: number, one: string, many = `${one}s`) =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const lists = new Intl.ListFormat('en-GB');

/** `A, B and C`. */
export const joinNames = (names: Iterable<string>) => lists.format(names);

export const MAX_NAMES = 5;

/** `A, B, C, D, E and 7 more`. The names may be only the first of `count`, but one more than are shown. */
export const joinFirstNames = (names: readonly string[], count = names.length) => {
  const left = count - MAX_NAMES;
  if (left <= 1) return joinNames(names);
  return joinNames([...names.slice(0, MAX_NAMES), `${formatCount(left)} more`]);
};

/** Compares texts character by character, which is the order of the API and of the tables' keys. */
export const compareBy =
  <T>(textOf: (item: T) => string) =>
  (one: T, other: T) => {
    const [first, second] = [textOf(one), textOf(other)];
    return first === second ? 0 : first < second ? -1 : 1;
  };

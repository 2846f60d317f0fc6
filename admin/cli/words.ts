/** 1,200. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** 1 snapshot, 1,200 snapshots. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`;

const lists = new Intl.ListFormat('en-GB');

/** `A, B and C`. */
export const joinNames = (names: Iterable<string>) => lists.format(names);

const MAX_NAMES = 5;

/** `A, B, C, D, E and 7 more`. */
export const joinFirstNames = (names: readonly string[]) => {
  const left = names.length - MAX_NAMES;
  if (left <= 1) return joinNames(names);
  return joinNames([...names.slice(0, MAX_NAMES), `${grouped(left)} more`]);
};

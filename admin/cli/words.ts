/** 1,200. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** 1 snapshot, 1,200 snapshots. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : many}`;

import { forEachConcurrently } from '../../shared/storage/concurrency.ts';

/** With 16 calls at a time, reading 300 clients takes a second. The SDK has more than 16 connections. */
const AT_A_TIME = 16;

/** The results are in the order of the items. */
export const mapConcurrently = async <T, TResult>(
  items: readonly T[],
  work: (item: T) => Promise<TResult>,
): Promise<TResult[]> => {
  const results: TResult[] = [];
  await forEachConcurrently(AT_A_TIME, items.entries(), async ([index, item]) => {
    results[index] = await work(item);
  });
  return results;
};

export function* inGroups<T>(items: readonly T[], size: number) {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

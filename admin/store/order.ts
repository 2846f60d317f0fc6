import { mapConcurrently } from './map-concurrently.ts';

/** Compares texts character by character, which is the order of the API and of the tables' keys. */
export const compareBy =
  <T>(textOf: (item: T) => string) =>
  (one: T, other: T) => {
    const [first, second] = [textOf(one), textOf(other)];
    return first === second ? 0 : first < second ? -1 : 1;
  };

/** Merges lists that are sorted newest first. Reads no more of each list than the result needs. */
export async function* mergeNewestFirst<T>(
  lists: readonly AsyncIterator<T>[],
  timeOf: (item: T) => string,
  atMost = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  const nextOf = async (list: AsyncIterator<T>) => {
    const { done, value } = await list.next();
    return done ? [] : [{ list, item: value, time: timeOf(value) }];
  };
  const heads = (await mapConcurrently(lists, nextOf)).flat();
  for (let count = 1; ; count += 1) {
    const [newest] = heads.sort((one, other) => compareBy<typeof one>(({ time }) => time)(other, one));
    if (!newest) return;
    yield newest.item;
    if (count >= atMost) return;
    heads.splice(0, 1, ...(await nextOf(newest.list)));
  }
}

/** Merges lists that are each sorted, the newest first, into one; asks of each for no more than is needed. */
export async function* newestFirst<TItem>(
  lists: readonly AsyncIterator<TItem>[],
  timeOf: (item: TItem) => string,
  atMost = Number.POSITIVE_INFINITY,
): AsyncGenerator<TItem> {
  const heads = await Promise.all(lists.map(headOf));
  for (let count = 1; ; count += 1) {
    const newest = heads.reduce<Head<TItem>>(
      (best, head) => (isNewer(head, best, timeOf) ? head : best),
      NONE,
    );
    if (newest.list === undefined) return;
    yield newest.item;
    if (count >= atMost) return;
    heads[heads.indexOf(newest)] = await headOf(newest.list);
  }
}

type Head<TItem> = { list: AsyncIterator<TItem>; item: TItem } | { list: undefined };

const NONE = { list: undefined } as const;

const headOf = async <TItem>(list: AsyncIterator<TItem>): Promise<Head<TItem>> => {
  const { done, value } = await list.next();
  return done ? NONE : { list, item: value };
};

const isNewer = <TItem>(head: Head<TItem>, best: Head<TItem>, timeOf: (item: TItem) => string) =>
  head.list !== undefined && (best.list === undefined || timeOf(head.item) > timeOf(best.item));

import { PARTS_OUTLIVE_SECONDS } from '../../shared/snapshot.ts';
import type { Item, Selection } from '../../shared/store/restorer.ts';
import type { Table } from '../deployment.ts';

/** What the key of a part has, and no client's name. */
const PART_SIGN = ':';

/** In which order a table is put back: of snapshots part 1 last, since from then on readers see them. */
export const passesOf = (table: Table): readonly Selection[] =>
  table === 'BalanceSnapshots'
    ? [true, false].map((contains) => ({ attribute: 'Client', contains, text: PART_SIGN }))
    : [undefined];

/** No reader would see it, and the platform would remove it again. Parts go with their part 1, and not a day later. */
export const hasExpired = (table: Table, item: Item, now: Date) => {
  if (table !== 'BalanceSnapshots') return false;
  const isLaterPart = item['Client']?.S?.includes(PART_SIGN) === true;
  const outlives = isLaterPart ? PARTS_OUTLIVE_SECONDS : 0;
  // NaN where nothing is set: that is kept for ever.
  return (Number(item['ExpiresAt']?.N) - outlives) * 1_000 <= now.getTime();
};

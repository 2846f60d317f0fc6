import type { TableName } from '../../shared/tables.ts';
import { counted, grouped } from '../cli/words.ts';
import { UNCARRIED } from '../import/json-values.ts';
import type { Pair } from '../store/batch-get.ts';
import type { Item } from '../store/scan-pages.ts';
import type { Put, PutOutcome } from '../store/table-copier.ts';
import { isRestorable } from './is-restorable.ts';
import { isSameItem } from './same-item.ts';
import { hasExpired } from './snapshot-parts.ts';

/** What may be put, and what stands in its place. */
export type Found = Put & { standing: Item | undefined };

/** What was found out about the items of a restored table, and what became of them. */
export const createTally = (table: TableName, now: Date) => {
  const counts = {
    missing: 0,
    putBack: 0,
    same: 0,
    differing: 0,
    overwritten: 0,
    expired: 0,
    uncarried: 0,
    unknown: 0,
  };

  const kindOf = ({ item, standing }: Pair) => {
    if (standing) return isSameItem(item, standing) ? 'same' : 'differing';
    return hasExpired(table, item, now) ? 'expired' : 'missing';
  };

  return {
    counts,
    seen: () => counts.missing + counts.same + counts.differing + counts.expired,

    /** Counts what these are, and answers what is to be put. */
    compare: (pairs: readonly Pair[], overwrites: boolean): Found[] => {
      const puts: Found[] = [];
      for (const pair of pairs) {
        const kind = kindOf(pair);
        counts[kind] += 1;
        if (kind !== 'missing' && !(kind === 'differing' && overwrites)) continue;
        if (isRestorable({ M: pair.item })) puts.push({ ...pair, overwrites: kind === 'differing' });
        else counts.uncarried += 1;
      }
      return puts;
    },

    onPut: ({ item, overwrites }: Put, outcome: PutOutcome) => {
      if (outcome.is === 'unknown') counts.unknown += 1;
      else if (overwrites) counts.overwritten += 1;
      // Where the answer to an earlier attempt was lost, the item that is in the way is this one itself.
      else if (outcome.is === 'written' || isSameItem(item, outcome.standing)) counts.putBack += 1;
      else {
        counts.missing -= 1;
        counts.differing += 1;
      }
    },
  };
};

export type Tally = ReturnType<typeof createTally>;
type Counts = Tally['counts'];

/** For programs. Only snapshots expire. */
export const toRecord = (
  table: TableName,
  { missing, putBack, same, differing, overwritten, expired }: Counts,
) => ({
  Missing: missing,
  PutBack: putBack,
  Same: same,
  Differing: differing,
  Overwritten: overwritten,
  ...(table === 'BalanceSnapshots' ? { Expired: expired } : {}),
});

/** What there is to do, as a dry run tells it. */
export const findingsInWords = ({ missing, same, differing, expired }: Counts) =>
  [
    `${counted(missing, 'item')} missing`,
    `${grouped(same)} the same`,
    `${grouped(differing)} differing`,
    ...(expired > 0 ? [`${grouped(expired)} expired and left out`] : []),
  ].join(', ');

/** What is done, be it to the end or not. */
export const doneInWords = ({ missing, putBack, overwritten, unknown }: Counts) =>
  [
    `${grouped(putBack)} of ${counted(missing, 'missing item')} put back`,
    ...(overwritten > 0 ? [`, ${grouped(overwritten)} overwritten`] : []),
    '.',
    ...(unknown > 0
      ? [` Up to ${grouped(unknown)} more may have been written: their answers were lost.`]
      : []),
  ].join('');

export const uncarriedInWords = ({ uncarried }: Counts) =>
  `${counted(uncarried, 'item')} left out: an attribute named ${UNCARRIED} cannot be carried. Put them back in the console.`;

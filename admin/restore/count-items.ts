import type { Item } from '../../shared/storage/attribute-json.ts';
import { isExpired, isOfExpiredSnapshot } from '../../shared/storage/snapshot.ts';
import { type TableName, tables } from '../../shared/tables.ts';
import { isSameRow, isWritable } from '../lists/values/compare-values.ts';
import { UNWRITABLE_NAME } from '../lists/values/json-values.ts';
import { isRestoreMark } from '../storage/restore-mark.ts';
import type { Pair, Put, PutOutcome } from '../storage/table-copier.ts';
import { countOf, formatNumber } from '../text/words.ts';

/** An item to write, and the item that it replaces, if there is one. */
export type PlannedPut = Put & Pair;

/** Counts the items of the table that AWS made from a backup, and what happened to them. */
export const createCounter = (table: TableName, now: Date) => {
  const counts = {
    missing: 0,
    restored: 0,
    same: 0,
    differing: 0,
    overwritten: 0,
    expired: 0,
    unwritable: 0,
    unknown: 0,
  };

  const kindOf = ({ item, existing }: Pair) => {
    if (existing) return isSameRow(item, existing) ? 'same' : 'differing';
    return hasExpired(table, item, now) ? 'expired' : 'missing';
  };

  return {
    counts,
    compared: () => counts.missing + counts.same + counts.differing + counts.expired,

    compare: (pairs: readonly Pair[], mayOverwrite: boolean): PlannedPut[] => {
      const puts: PlannedPut[] = [];
      for (const pair of pairs.filter(({ item }) => !isRestoreMark(item))) {
        const kind = kindOf(pair);
        counts[kind] += 1;
        if (kind !== 'missing' && !(kind === 'differing' && mayOverwrite)) continue;
        if (isWritable({ M: pair.item })) puts.push({ ...pair, overwrites: kind === 'differing' });
        else counts.unwritable += 1;
      }
      return puts;
    },

    onPut: ({ item, overwrites }: Put, outcome: PutOutcome) => {
      if (outcome.is === 'unknown') counts.unknown += 1;
      else if (overwrites) counts.overwritten += 1;
      // After a lost response, the first attempt may have written the item already.
      else if (outcome.is === 'written' || isSameRow(item, outcome.existing)) counts.restored += 1;
      else {
        counts.missing -= 1;
        counts.differing += 1;
      }
    },
  };
};

/** Readers would skip an item that has expired, or whose snapshot has, and DynamoDB would remove the item again. */
const hasExpired = (table: TableName, { Client: key, ExpiresAt }: Item, now: Date) => {
  if (!doesExpire(table) || ExpiresAt?.N === undefined) return false;
  const item = { expiresAt: new Date(Number(ExpiresAt.N) * 1_000) };
  return table === 'BalanceSnapshots' ? isOfExpiredSnapshot(key?.S ?? '', item, now) : isExpired(item, now);
};

const doesExpire = (table: TableName) => 'expiry' in tables[table];

export type Counter = ReturnType<typeof createCounter>;
export type Counts = Counter['counts'];

export const toRecord = (
  table: TableName,
  { missing, restored, same, differing, overwritten, expired }: Counts,
) => ({
  Missing: missing,
  Restored: restored,
  Same: same,
  Differing: differing,
  Overwritten: overwritten,
  ...(doesExpire(table) ? { Expired: expired } : {}),
});

export const describeCompared = ({ missing, same, differing, expired }: Counts) => {
  const ofExpired = expired > 0 ? `, ${formatNumber(expired)} expired and left out` : '';
  return `${countOf(missing, 'item')} missing, ${formatNumber(same)} the same, ${formatNumber(differing)} differing${ofExpired}`;
};

export const describeDone = ({ missing, restored, overwritten, unknown }: Counts) => {
  const also = overwritten > 0 ? `, ${formatNumber(overwritten)} overwritten` : '';
  const lost = ` Up to ${formatNumber(unknown)} more may have been written, because the responses were lost.`;
  return `${formatNumber(restored)} of ${countOf(missing, 'missing item')} restored${also}.${unknown > 0 ? lost : ''}`;
};

export const describeUnwritable = ({ unwritable }: Counts) =>
  `${countOf(unwritable, 'item')} not restored, because of an attribute with the name ${UNWRITABLE_NAME}. Restore such items in the AWS console.`;

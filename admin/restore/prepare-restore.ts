import * as v from 'valibot';
import { ClientWithoutHashes, toPlain } from '../../shared/clients/client.ts';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { isList, type ListName, type TableName, tables } from '../../shared/tables.ts';
import { readClientTable } from '../clients/client-table.ts';
import { sharingNotices } from '../clients/slots.ts';
import { restoreMarkOf, type Session } from '../deployment/session.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import { keepSameValues } from '../lists/values/compare-values.ts';
import { listSizeIssue } from '../lists/values/size-limits.ts';
import { scanPages } from '../storage/scan-pages.ts';
import { tableCopier } from '../storage/table-copier.ts';
import { compareBy, countOf } from '../text/words.ts';
import { compareTables, type Restore } from './copy-items.ts';
import { createCounter, type PlannedPut } from './count-items.ts';
import { findTables } from './find-tables.ts';

/** Of these tables, the stock reads only new items. */
const isReadIncrementally = (table: TableName) =>
  table === 'BalanceSnapshots' || table === 'ChangeTimestamps';

type Options = { from: string; overwrites: boolean };

/** Finds both tables, and what an admin should know before the restore. With a `sizeIssue`, nothing may be written. */
export const prepareRestore = async (session: Session, table: TableName, { from, overwrites }: Options) => {
  const bothTables = await findTables(session, table, from);
  const restore: Restore = {
    table,
    copier: tableCopier(session.deployment.dynamodb, bothTables),
    newCounter: () => createCounter(table, session.now),
    overwrites,
    mark: isReadIncrementally(table) ? restoreMarkOf(session) : undefined,
  };
  const sizeIssue = await restoredSizeIssue(session, table, bothTables, overwrites);
  return { restore, sizeIssue, notices: await noticesOfRestored(session, restore) };
};

/** Since the backup, another client may have got the user name or the slot of a restored client. */
const noticesOfRestored = async (session: Session, restore: Restore) => {
  if (restore.table !== 'Clients') return [];
  const { found } = await compareTables(restore);
  const { active } = await readClientTable(session);
  const restored = found.flatMap(({ item }) => {
    const { success, output } = v.safeParse(ClientWithoutHashes, toPlain(item));
    return success && !output.RemovedAt ? [output] : [];
  });
  return sharingNotices([...active, ...restored], new Set(restored.map(({ Client }) => Client)));
};

/** A list with the rows of both tables may be too long for a response of the API. */
const restoredSizeIssue = async (
  { deployment }: Session,
  table: TableName,
  { from, to }: { from: string; to: string },
  overwrites: boolean,
) => {
  if (!isList(table)) return undefined;
  const afterwards = new Map<string | undefined, Item>();
  // For each key, the row of the second table replaces the row of the first table.
  for (const name of overwrites ? [to, from] : [from, to]) {
    for await (const page of scanPages(deployment.dynamodb, name)) {
      for (const item of page) afterwards.set(item[tables[table].partitionKey]?.S, item);
    }
  }
  return listSizeIssue(table, [...afterwards.values()]);
};

/** Returns the changes in the order of the API. */
export const toChanges = (name: ListName, found: readonly PlannedPut[]) =>
  found
    .map(
      ({ item, existing }): RowChange => ({
        kind: existing ? 'changed' : 'added',
        identifier: item[tables[name].partitionKey]?.S ?? '',
        before: existing ?? {},
        after: keepSameValues(existing ?? {}, item),
      }),
    )
    .sort(compareBy(({ identifier }) => identifier));

export const describeDiffering = (table: TableName, differing: number) => {
  const noun = isList(table) ? 'row' : 'item';
  const differ = countOf(differing, `${noun} differs and stays`, `${noun}s differ and stay`);
  if (isList(table)) return `${differ} as in the deployment. --overwrite also restores such rows.`;
  return table === 'Clients' || table === 'AdminRecords'
    ? `${differ} as in the deployment, because admins have changed ${differing === 1 ? 'it' : 'them'} since.`
    : `${differ} as in the deployment. The service never changes such items. So find out who changed them.`;
};

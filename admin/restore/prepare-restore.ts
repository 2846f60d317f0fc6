import * as v from 'valibot';
import { ClientWithoutHashes, toPlain } from '../../shared/clients/client.ts';
import { isList, type ListName, type TableName, tables } from '../../shared/tables.ts';
import { readClientTable } from '../clients/client-table.ts';
import { sharingNotices } from '../clients/slots.ts';
import { restoreMarkOf, type Session } from '../deployment/session.ts';
import type { RowChange } from '../lists/plan/row-change.ts';
import { keepSameValues } from '../lists/values/compare-values.ts';
import { tableCopier } from '../storage/table-copier.ts';
import { compareBy, countOf } from '../text/words.ts';
import { compareTables, type Restore } from './copy-items.ts';
import { createCounter, type PlannedPut } from './count-items.ts';
import { findTables } from './find-tables.ts';

/** Of these tables, the stock reads only new items. */
const isReadIncrementally = (table: TableName) =>
  table === 'BalanceSnapshots' || table === 'ChangeTimestamps';

type Options = { from: string; overwrites: boolean };

export const prepareRestore = async (session: Session, table: TableName, { from, overwrites }: Options) => {
  const restore: Restore = {
    table,
    copier: tableCopier(session.deployment.dynamodb, await findTables(session, table, from)),
    newCounter: () => createCounter(table, session.now),
    overwrites,
    mark: isReadIncrementally(table) ? restoreMarkOf(session) : undefined,
  };
  return { restore, notices: await noticesOfRestored(session, restore) };
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

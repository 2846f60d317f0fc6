import * as v from 'valibot';
import { ClientWithoutHashes, toPlain } from '../../shared/clients/client.ts';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { type CatalogName, isCatalog, type TableName, tables } from '../../shared/tables.ts';
import { requireConfirmation } from '../cli/ask.ts';
import { Failure, WrongUsage } from '../cli/failure.ts';
import { print, say } from '../cli/terminal.ts';
import { counted } from '../cli/words.ts';
import { readClientTable } from '../clients/read-names.ts';
import { conflictsOf } from '../clients/slots.ts';
import type { Session } from '../deployment/session.ts';
import { attributeOf, isSameValue } from '../lists/compare-values.ts';
import type { RowChange } from '../lists/plan-import.ts';
import { printChanges, sayChanges } from '../lists/print-changes.ts';
import { listSizeFault, refuseSize } from '../lists/size-limits.ts';
import { compareBy } from '../store/order.ts';
import { scanPages } from '../store/scan-pages.ts';
import { tableCopier } from '../store/table-copier.ts';
import { compareTables, putBack, type Restore } from './copy-items.ts';
import {
  createCounter,
  describeDone,
  describeFound,
  describeUncarried,
  type Found,
  toRecord,
} from './count-items.ts';
import { findTables } from './find-tables.ts';

type Options = {
  from: string;
  dryRun?: true | undefined;
  overwrite?: true | undefined;
  yes?: true | undefined;
};

export const restoreTable = async (session: Session, table: TableName, options: Options) => {
  refuseWrongUsage(table, options);
  const overwrites = options.overwrite === true;
  const names = await findTables(session, table, options.from);
  const restore: Restore = {
    table,
    copier: tableCopier(session.deployment.dynamodb, names),
    newCounter: () => createCounter(table, session.now),
  };
  const sizeFault = await restoredSizeFault(session, table, names, overwrites);
  for (const conflict of table === 'Clients' ? await conflictsOfRestored(session, restore) : [])
    say(conflict);
  if (options.dryRun) return showFindings(session, restore, overwrites, sizeFault);
  if (sizeFault) throw refuseSize(sizeFault);
  const counts = await putBack(restore, overwrites && (await confirmOverwrite(session, restore, options)));
  const left = counts.differing - counts.overwritten;
  say(counts.missing + counts.overwritten === 0 ? 'Nothing is missing.' : describeDone(counts));
  if (left > 0) say(describeDiffering(table, left));
  await session.printRecord(toRecord(table, counts));
  if (counts.uncarried > 0) throw new Failure(describeUncarried(counts));
};

const refuseWrongUsage = (table: TableName, { overwrite, yes }: Options) => {
  if (overwrite && !isCatalog(table)) {
    throw new WrongUsage(
      `--overwrite is for lists only. A restore never changes existing items of ${table}.`,
    );
  }
  if (yes && !overwrite) {
    throw new WrongUsage('--yes only confirms --overwrite. Missing items are restored without a question.');
  }
};

/** Since the copy, the user name or the slot of a client may have been given to another one. */
const conflictsOfRestored = async (session: Session, restore: Restore) => {
  const { found } = await compareTables(restore);
  const { active } = await readClientTable(session);
  const restored = found.flatMap(({ item }) => {
    const { success, output } = v.safeParse(ClientWithoutHashes, toPlain(item));
    return success && !output.RemovedAt ? [output] : [];
  });
  return conflictsOf([...active, ...restored], new Set(restored.map(({ Client }) => Client)));
};

/** A list with the rows of both tables may be too long for the API's response. */
const restoredSizeFault = async (
  { deployment }: Session,
  table: TableName,
  { from, to }: { from: string; to: string },
  overwrites: boolean,
) => {
  if (!isCatalog(table)) return undefined;
  const afterwards = new Map<string | undefined, Item>();
  // If both tables have a row, the row of the second table stays.
  for (const name of overwrites ? [to, from] : [from, to]) {
    for await (const page of scanPages(deployment.dynamodb, name)) {
      for (const item of page) afterwards.set(item[tables[table].partitionKey]?.S, item);
    }
  }
  return listSizeFault(table, [...afterwards.values()]);
};

/** A dry run also shows the result of a restore that would be refused. */
const showFindings = async (
  session: Session,
  restore: Restore,
  overwrites: boolean,
  sizeFault: string | undefined,
) => {
  const { table } = restore;
  const { counts, found } = await compareTables(restore);
  if (isCatalog(table)) await printChanges(session, table, toChanges(table, found));
  say(`${describeFound(counts)}. Nothing was written.`);
  if (!overwrites && counts.differing > 0) say(describeDiffering(table, counts.differing));
  if (counts.uncarried > 0) say(describeUncarried(counts));
  if (sizeFault) say(`${sizeFault} So the restore will be refused.`);
  if (isCatalog(table)) {
    // A program can read only one JSON or CSV document, which is the changes.
    if (session.format.kind !== 'table') return;
    await print('\n');
  }
  await session.printRecord(toRecord(table, counts));
};

/** Returns whether to overwrite rows. Throws without a confirmation. */
const confirmOverwrite = async (session: Session, restore: Restore, { from, yes }: Options) => {
  const { table } = restore;
  const { counts, found } = await compareTables(restore);
  if (counts.differing === 0) return false;
  if (!yes && isCatalog(table)) {
    const changes = toChanges(table, found).filter(({ kind }) => kind === 'changed');
    // For programs, standard output holds the counts only.
    await (session.format.kind === 'table'
      ? printChanges(session, table, changes)
      : sayChanges(table, changes));
  }
  await requireConfirmation(
    `Overwrite ${counted(counts.differing, 'row')} of ${table} with those of ${from}?`,
    yes,
  );
  return true;
};

const toChanges = (name: CatalogName, found: readonly Found[]) =>
  found
    .map(
      ({ item, existing }): RowChange => ({
        kind: existing ? 'changed' : 'added',
        identifier: item[tables[name].partitionKey]?.S ?? '',
        before: existing ?? {},
        after: keepSame(existing ?? {}, item),
      }),
    )
    .sort(compareBy(({ identifier }) => identifier));

const keepSame = (before: Item, after: Item): Item =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => {
      const existing = attributeOf(before, name);
      return [name, existing && isSameValue(existing, value) ? existing : value];
    }),
  );

const describeDiffering = (table: TableName, differing: number) => {
  const what = isCatalog(table) ? 'row' : 'item';
  const differ = counted(differing, `${what} differs and stays`, `${what}s differ and stay`);
  if (isCatalog(table)) return `${differ} as in the deployment. --overwrite restores them as well.`;
  return table === 'Clients'
    ? `${differ} as in the deployment, because admins have changed ${differing === 1 ? 'it' : 'them'} since.`
    : `${differ} as in the deployment. The service never changes such items, so find out who changed them.`;
};

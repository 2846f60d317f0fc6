import { count, sizesTable } from '../markdown.ts';
import { batchContestants, batchSizes, canStore, OURS, OURS_USUAL } from './batch-contestants.ts';
import type { Bundler } from './bundles.ts';
import { type Item, itemBytes, writeUnits } from './dynamodb-rules.ts';
import { environmentOf } from './environment.ts';
import { BATCH_OPERATION, batchEvents } from './events.ts';
import { serveOk, startProcess } from './function-process.ts';
import { tablesIn } from './tables.ts';

const ROWS = 'ours, a row for each material';

export type Written = { name: string; size: number; items: number; units: number };

const rowsOf = ({ Balances, SnapshotId, EntryCount: _, Parts: __, WriteId: ___, ...shared }: Item): Item[] =>
  Object.entries(Balances?.M ?? {}).map(([code, { M: balance }]) => ({
    ...shared,
    ...balance,
    SnapshotId: { S: `${SnapshotId?.S}#${code}` },
    MaterialCode: { S: code },
  }));

/** Counts the write units of one batch of each size in an empty table. */
export const measureWriteUnits = async (bundler: Bundler, engine: string): Promise<Written[]> => {
  const tables = tablesIn(engine);
  const storedBy = async (file: string, entries: number) => {
    const table = await tables.create(BATCH_OPERATION);
    const process = await startProcess({ file, environment: environmentOf({ tables: engine, table }) });
    await serveOk(process, batchEvents(entries)());
    await process.stop();
    return tables.readItems(table);
  };
  const countUnits = (name: string, size: number, items: readonly Item[]): Written => {
    const units = items.reduce((sum, item) => sum + writeUnits(itemBytes(item)), 0);
    return { name, size, items: items.length, units };
  };
  const written: Written[] = [];
  for (const { name, file } of batchContestants(bundler).filter(({ name }) => name !== OURS_USUAL)) {
    for (const size of batchSizes.filter((size) => canStore(name, size))) {
      const items = await storedBy(file, size);
      if (name === OURS) written.push(countUnits(ROWS, size, items.flatMap(rowsOf)));
      written.push(countUnits(name, size, items));
    }
  }
  return written;
};

export const writeUnitsTable = (written: readonly Written[]) =>
  sizesTable('Write units', written, ({ units, items }) => `${count(units)} in ${count(items)}`);

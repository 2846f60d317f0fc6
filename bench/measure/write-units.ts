import { count, sizesTable } from '../markdown.ts';
import { batchSizes, canStore, OURS } from './batch-contestants.ts';
import type { Bundler } from './bundles.ts';
import { itemBytes, writeUnits } from './dynamodb-rules.ts';
import { environmentOf } from './environment.ts';
import { BATCH_OPERATION, batchEvents } from './events.ts';
import { serveOk, startProcess } from './function-process.ts';
import { tablesIn } from './tables.ts';

const ROWS = 'ours, a row for each material';

export type Written = { name: string; size: number; items: number; units: number };

/** Counts what one batch of each size leaves in an empty table. */
export const measureWriteUnits = async ({ usual, deployed }: Bundler, engine: string): Promise<Written[]> => {
  const tables = tablesIn(engine);
  const contestants = [
    { name: 'floor', file: usual.competitor('floor').file },
    { name: 'hono', file: usual.competitor('hono').file },
    { name: 'express', file: usual.competitor('express').file },
    { name: ROWS, file: deployed.competitor('rows').file },
    { name: OURS, file: deployed.ours(BATCH_OPERATION).file },
  ];
  const countItems = async (name: string, file: string, entries: number): Promise<Written> => {
    const table = await tables.create(BATCH_OPERATION);
    const process = await startProcess({ file, environment: environmentOf({ tables: engine, table }) });
    await serveOk(process, batchEvents(entries)());
    await process.stop();
    const sizes = (await tables.readItems(table)).map(itemBytes);
    const units = sizes.map(writeUnits).reduce((sum, itemUnits) => sum + itemUnits, 0);
    return { name, size: entries, items: sizes.length, units };
  };
  const written: Written[] = [];
  for (const { name, file } of contestants) {
    for (const entries of batchSizes.filter((size) => canStore(name, size)))
      written.push(await countItems(name, file, entries));
  }
  return written;
};

export const writeUnitsTable = (written: readonly Written[]) =>
  sizesTable('Write units', written, ({ units, items }) => `${count(units)} in ${count(items)}`);

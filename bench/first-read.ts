import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toSnapshotItems } from '../shared/storage/snapshot.ts';
import { DAY_MS } from '../shared/time.ts';
import { createBatches, namesOf } from './console/make-batches.ts';
import type { FirstRead } from './first-read-process.ts';
import { fillTable, startService } from './service.ts';

const BATCHES_A_DAY = 96;
export const FIRST_READ_SIZE = { warehouses: 30, balances: 200, everyMs: DAY_MS / BATCHES_A_DAY };

/** Fills the local run's engine with batches of so many days, and reads them in a process as an admin's machine does for the first time. */
export const measureFirstRead = async (
  days: number,
  warehouses = FIRST_READ_SIZE.warehouses,
): Promise<FirstRead> => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  const size = { ...FIRST_READ_SIZE, warehouses, batches: Math.ceil(days * BATCHES_A_DAY) };
  const { dynamodb, stop } = await startService(data, namesOf(size));
  try {
    await fillTable(dynamodb, 'BalanceSnapshots', createBatches(size).all().flatMap(toSnapshotItems));
    const child = fork(new URL('first-read-process.ts', import.meta.url), [data]);
    const [figures] = await once(child, 'message');
    return figures;
  } finally {
    await stop();
    rmSync(data, { recursive: true });
  }
};

import { start } from '../../local/run.ts';
import { engineClient } from '../../local/services/tables.ts';
import type { Snapshot } from '../../shared/storage/snapshot.ts';
import { snapshotWriter } from '../../shared/storage/snapshot-writer.ts';
import { createBatches, nameOf, type Size } from './make-batches.ts';

/** Starts a local run in memory, with the batches of all warehouses. Consoles find the run by its data folder. */
export const startFilledService = async (data: string, size: Size) => {
  const { signal } = new AbortController();
  const ignore = () => {};
  const run = await start({
    ...{ port: 0, data, isInMemory: true, hasLimits: false, signal },
    runStep: (_, action) => action(),
    ...{ onServed: ignore, onFunctionLog: ignore, onMessage: ignore, onNotice: ignore },
  });
  const { DynamoDbEndpoint, Tables } = run.outputs;
  const dynamodb = engineClient(DynamoDbEndpoint);
  const writer = snapshotWriter(dynamodb, Tables['BalanceSnapshots'] ?? '');
  const names = Array.from({ length: size.warehouses }, (_, warehouse) => nameOf(warehouse));
  await run.addClients(names, new Date());
  const { all } = createBatches(size);
  let latest: Snapshot | undefined;
  let count = 0;
  const send = async (batch: Snapshot) => {
    await writer.keep(batch, signal);
    if (batch.client === nameOf(0)) latest = batch;
    count += 1;
  };
  for (const batch of all()) await send(batch);
  return {
    countBatches: () => count,
    /** Sends a batch of the first warehouse, with a new balance of its first material. Returns this balance. */
    sendBatch: async () => {
      if (!latest) throw new Error('There is no batch.');
      const [first, ...others] = latest.entries;
      if (!first) throw new Error('The batch is empty.');
      const receivedAt = new Date();
      const snapshotId = `${receivedAt.toISOString()}-bench`;
      const balance = count + 0.125;
      const entries = [{ ...first, StockBalance: balance }, ...others];
      await send({ ...latest, snapshotId, receivedAt, entries });
      return balance;
    },
    stop: async () => {
      dynamodb.destroy();
      await run.stop();
    },
  };
};

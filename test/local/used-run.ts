import { expect } from 'vitest';
import { batchOf } from '../support/batches.ts';
import { type AnyRun, eventually } from '../support/local-run.ts';
import { familyOf, isRunning } from '../support/processes.ts';

/** Stores a change and a batch, and returns the id of the batch. */
export const useIt = async (run: AnyRun) => {
  expect((await run.post('changes', { Timestamp: '2026-03-01T08:15:30,123Z' })).status).toBe(200);
  const kept = await run.post('material-stock-balance', batchOf(20));
  expect(kept.status).toBe(200);
  return kept.json().SnapshotId;
};

/** Every process of a run: itself, the engine and its supervisor, and the functions that have been used. */
export const processesOf = (pid: number) => familyOf(pid).map((process) => process.pid);

export const allGone = (pids: number[]) => eventually(() => !isRunning(...pids));

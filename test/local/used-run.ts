import { expect } from 'vitest';
import { type AnyRun, eventually, faultyCalls, injectFaults, startCommand } from '../support/local-run.ts';
import { familyOf, isRunning } from '../support/processes.ts';

export const KEPT = { Timestamp: '2026-03-01T08:15:30,123Z' };

export const keepChange = async (run: AnyRun) => expect((await run.post('changes', KEPT)).status).toBe(200);

/** Every process of a run: itself, the engine and its supervisor, and the functions that have been used. */
export const processesOf = (pid: number) => familyOf(pid).map((process) => process.pid);

export const allGone = (pids: number[]) => eventually(() => !isRunning(...pids));

/** Sends a signal to the command, or to its whole process group as a terminal does, and expects a silent end. */
export const expectSilentEnd = async (signal: NodeJS.Signals, to: 'process' | 'group') => {
  const run = await startCommand({ args: ['--quiet'], detached: true });
  await keepChange(run);
  await injectFaults(run, { dynamodb: [{ kind: 'delay', delayMs: 3_600_000 }] });
  const response = run.get('purchase-orders').catch(() => 'cut off');
  await eventually(async () => (await faultyCalls(run))[0] === 1);
  const pids = processesOf(run.pid);
  // The run, the supervisor, the engine, the authorizer and two operations, one of them busy.
  expect(pids.length).toBeGreaterThanOrEqual(6);
  process.kill(to === 'group' ? -run.pid : run.pid, signal);
  await allGone(pids);
  expect(await response).toBe('cut off');
  expect(await run.exit).toMatchObject({ code: 0, stderr: '' });
};

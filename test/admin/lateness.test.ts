import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { entryOf } from '../support/batches.ts';
import { openConsole } from '../support/console.ts';
import type { Row } from '../support/stock-model.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, type NamedClient, putBatch } from './tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterAll(() => void vi.useRealTimers());

const ago = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const waitsSince = (hours: number, more: Partial<NamedClient> = {}) => ({
  SilenceHours: 24,
  SilenceFrom: ago(hours).toISOString(),
  ...more,
});

/** The hours since each batch of a client. Below 0, somebody wrote a batch of the future by hand. */
const cases: Record<string, [state: string, client: Partial<NamedClient>, batches?: number[]]> = {
  'never-sent': ['on time', waitsSince(23)],
  'never-sent-late': ['late', waitsSince(24)],
  'sent-in-time': ['on time', waitsSince(99), [23]],
  'sent-too-early': ['late', waitsSince(99), [25]],
  'waited-for-later': ['on time', waitsSince(23), [25]],
  'without-milliseconds': ['late', { SilenceHours: 24, SilenceFrom: '2026-01-01T00:00:00Z' }],
  unwatched: ['unwatched', waitsSince(99, { SilenceHours: 0 })],
  locked: ['locked', waitsSince(99, { LockedAt: ago(1).toISOString() })],
  'of-the-future': ['late', waitsSince(99), [25, -25]],
  'damaged-of-the-future': ['late', waitsSince(99)],
};

test('the commands and the console agree who is late, and since when', async () => {
  const clients = Object.entries(cases).map(([Client, [, client]]) => ({ Client, ...client }));
  const { names, tables, data } = await emptyDeployment({ clients });
  const damaged = { Client: 'damaged-of-the-future', SnapshotId: `${ago(-25).toISOString()}-damaged` };
  await tables.put('BalanceSnapshots', { ...damaged, EntryCount: 'none' });
  for (const [client, [, , batches = []]] of Object.entries(cases))
    for (const hours of batches)
      await putBatch(names.BalanceSnapshots, client, ago(hours), [entryOf('A', 1)]);
  const run = async (...line: string[]) => JSON.parse((await adminHereOn(data, [...line, '--json'])).stdout);
  const console = await openConsole(data, { isInThreads: false });
  onTestFinished(() => console.stop());
  const statesOf = (rows: readonly Row[]) =>
    Object.fromEntries(rows.map((row) => [row['Client'], row['State']]));
  const expected = Object.fromEntries(Object.entries(cases).map(([name, [state]]) => [name, state]));
  const timesOf = (rows: readonly Row[]) =>
    Object.fromEntries(
      rows.map((row) => [row['Client'], row['LateFrom'] && new Date(row['LateFrom']).getTime()]),
    );
  expect(statesOf(await run('clients', 'list'))).toEqual(expected);
  for (const table of ['clients', 'warehouses'])
    expect(statesOf(await console.rows(table))).toEqual(expected);
  const shown = await Promise.all(Object.keys(cases).map((name) => run('clients', 'show', name)));
  expect(timesOf(shown)).toEqual(timesOf(await console.rows('warehouses')));
});

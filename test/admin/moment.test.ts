import { expect, test } from 'vitest';
import { HOUR_MS } from '../../shared/time.ts';
import { entryOf } from '../support/batches.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const { names, data } = await emptyDeployment({ clients: ['north', 'south'] });
const moment = new Date(Date.now() - 5 * HOUR_MS);
const hourBefore = new Date(moment.getTime() - HOUR_MS).toISOString();
const send = (at: Date, ...codes: string[]) =>
  putBatch(names.BalanceSnapshots, 'north', at, [
    entryOf('A', at < moment ? 5 : -5),
    ...codes.map((code) => entryOf(code, 1)),
  ]);
await send(new Date(hourBefore), 'gone', 'returned');
await send(moment, 'new');
await send(new Date(moment.getTime() + HOUR_MS), 'new', 'returned');
// The first batch of a warehouse.
await putBatch(names.BalanceSnapshots, 'south', moment, [entryOf('A', 5), entryOf('own', 1)]);

const exactly = moment.toISOString();
const before = new Date(moment.getTime() - 1).toISOString();

// The model compares the tables of the console and the other commands at such moments, and test/golden/console its other responses.
test.each<[line: string[], column: string, then: unknown[], before: unknown[]]>([
  [['snapshots', 'show', 'latest', '--client', 'north'], 'ReceivedAt', [exactly], [hourBefore]],
  [['snapshots', 'export'], 'ReceivedAt', [hourBefore, exactly, exactly], [hourBefore]],
  [['check', '--kind', 'sign-flipped'], 'Subject', ['A'], []],
  [
    ['check', '--kind', 'unlisted-code'],
    'SinceAtLeast',
    [hourBefore, exactly, exactly, exactly],
    [hourBefore, hourBefore, hourBefore],
  ],
  [['sql', `select subject from finding where kind = 'sign-flipped'`], 'subject', ['A'], []],
  [['sql', 'select value_before from history where value_before is not null'], 'value_before', [5], []],
])(
  '%j: what came exactly at a moment counts there, and not a millisecond before',
  async (line, column, ...all) => {
    for (const [index, at] of [exactly, before].entries()) {
      const { code, stdout } = await adminHereOn(data, [...line, '--at', at, '--json']);
      expect(code).toBe(0);
      const rows: Record<string, unknown>[] = [JSON.parse(stdout)].flat();
      expect(rows.map((row) => row[column]).toSorted()).toEqual(all[index]);
    }
  },
);

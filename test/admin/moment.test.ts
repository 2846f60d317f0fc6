import { afterAll, describe, expect, test } from 'vitest';
import type { TableWindow } from '../../admin/console/api.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { entryOf } from '../support/batches.ts';
import { startTestConsole } from './console/test-console.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const { names, tables, data } = await emptyDeployment({ clients: ['north', 'south'] });
const moment = new Date(Date.now() - 5 * HOUR_MS);
const hourBefore = new Date(moment.getTime() - HOUR_MS);
await putBatch(names.BalanceSnapshots, 'north', hourBefore, [entryOf('A', 5), entryOf('gone', 1)]);
await putBatch(names.BalanceSnapshots, 'north', moment, [entryOf('A', -5), entryOf('new', 1)]);
// The first batch of a warehouse.
await putBatch(names.BalanceSnapshots, 'south', moment, [entryOf('A', 5), entryOf('own', 1)]);
await tables.put('ChangeTimestamps', {
  ...{ Client: 'north', Timestamp: '2026-01-01T00:00:00,000Z', RequestId: 'test' },
  ReceivedAt: moment.toISOString(),
});
const console = await startTestConsole(data);
await console.read();
afterAll(() => console.stop());

const exactly = moment.toISOString();
const before = new Date(moment.getTime() - 1).toISOString();

describe('what came exactly at a moment counts there, and not a millisecond before', () => {
  const rowsAt = async (line: readonly string[], at: string) => {
    const { code, stdout } = await adminHereOn(data, [...line, '--at', at, '--json']);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const queried = (query: string) => ['sql', `select ${query}`];

  test.each<[line: string[], count: number, countBefore: number]>([
    [['balances'], 5, 2],
    [['history', 'A'], 3, 1],
    [['snapshots', 'list'], 3, 1],
    [['snapshots', 'export'], 3, 1],
    [['changes', 'list'], 1, 0],
    [['check', '--kind', 'sign-flipped'], 1, 0],
    [['check', '--kind', 'unlisted-code'], 4, 2],
    [queried('1 from batch'), 3, 1],
    [queried('1 from change'), 1, 0],
    [queried('1 from history'), 6, 2],
    [queried('1 from history where until is not null'), 2, 0],
    [queried('1 from balance'), 5, 2],
    [queried('1 from balance where value < 0'), 1, 0],
    [queried('1 from balance where received_at = (select max(received_at) from batch)'), 4, 2],
    [queried(`1 from finding where kind = 'sign-flipped'`), 1, 0],
  ])('%j', async (line, count, countBefore) => {
    expect(await rowsAt(line, exactly)).toHaveLength(count);
    expect(await rowsAt(line, before)).toHaveLength(countBefore);
  });

  test('a balance that a batch leaves out has the batch before it', async () => {
    const rows: { MaterialCode: string; ReceivedAt: string }[] = await rowsAt(['balances'], exactly);
    expect(rows.find(({ MaterialCode }) => MaterialCode === 'gone')?.ReceivedAt).toBe(
      hourBefore.toISOString(),
    );
  });

  test('snapshots show latest', async () => {
    const latestAt = async (at: string) =>
      (await rowsAt(['snapshots', 'show', 'latest', '--client', 'north'], at)).ReceivedAt;
    expect(await latestAt(exactly)).toBe(exactly);
    expect(await latestAt(before)).toBe(hourBefore.toISOString());
  });

  const bodyAt = async (path: string, at: string) => {
    const { status, body } = await console.get(`/api/${path}${path.includes('?') ? '&' : '?'}at=${at}`);
    expect(status).toBe(200);
    return body;
  };
  const MOMENTS = [exactly, before];
  const bodiesOf = (path: string) => Promise.all(MOMENTS.map((at) => bodyAt(path, at)));

  test.each([
    ['balances', [5, 2]],
    ['totals', [4, 2]],
    ['history?material=A', [3, 1]],
    ['sentBalances?material=A', [3, 1]],
    ['batches', [3, 1]],
    ['changes', [1, 0]],
    ['findings?kind=sign-flipped', [1, 0]],
  ])('the table %s of the console, and its count', async (path, counts) => {
    const windows = await bodiesOf(`tables/${path}`);
    expect(windows.map(({ rows }) => rows.length)).toEqual(counts);
    const counted = await bodiesOf(`tables/${path.replace(/\?|$/, '/count?')}`);
    expect(counted.map(({ count }) => count)).toEqual(counts);
  });

  test('the figures, the days, a material and the warehouses of the console', async () => {
    expect(await bodiesOf('overview')).toMatchObject([
      { batches: 3, materials: 4, findings: { warning: 5 } },
      { batches: 1, materials: 2, findings: { warning: 2 } },
    ]);
    expect(await bodiesOf(`arrivals?starts=${hourBefore.getTime()},${moment.getTime()}`)).toMatchObject([
      { rows: [{ batches: [1, 1], changes: [0, 1] }, { batches: [0, 1] }] },
      { rows: [{ batches: [1, 0], changes: [0, 0] }, { batches: [0, 0] }] },
    ]);
    expect(await bodiesOf('materials/A')).toMatchObject([
      {
        totals: [{ total: '0' }],
        lines: [{ points: [{ balance: 5 }, { balance: -5 }] }, { client: 'south' }],
      },
      { totals: [{ total: '5' }], lines: [{ points: [{ balance: 5 }] }] },
    ]);
    const lastTimes = ({ columns, rows }: TableWindow) => {
      const shown = ['Client', 'LastBatchAt', 'LastChangeAt'].map((name) =>
        columns.findIndex((column) => column.name === name),
      );
      return rows.map(({ cells }) => shown.map((index) => cells[index])).toSorted();
    };
    const at = moment.getTime();
    expect((await bodiesOf('tables/warehouses')).map(lastTimes)).toEqual([
      [
        ['north', at, at],
        ['south', at, null],
      ],
      [
        ['north', hourBefore.getTime(), null],
        ['south', null, null],
      ],
    ]);
  });
});

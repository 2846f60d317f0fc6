import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { collectStock } from '../../admin/console/stock/collect-stock.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { changeStore } from '../../shared/storage/change-store.ts';
import { newSnapshotId, type Snapshot } from '../../shared/storage/snapshot.ts';
import { snapshotStore } from '../../shared/storage/snapshot-store.ts';
import { largeBatch, storedBatch } from '../support/batches.ts';
import type { TableReader } from '../support/table-reader.ts';
import { adminLine } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { dataFolder, emptyDeployment } from './tables.ts';

let tables: TableReader;
let data: string;

const HOUR_MS = 3_600_000;
const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR_MS);

const entry = (
  MaterialCode: string,
  StockBalance: number,
  StockBalanceUnit = 'kg',
  PurchaseOrders: string[] = [],
) => ({
  MaterialCode,
  StockBalance,
  StockBalanceUnit,
  PurchaseOrders,
});

const keep = async (client: string, receivedAt: Date, entries: Snapshot['entries']) => {
  const snapshotId = newSnapshotId(receivedAt, 'test');
  const snapshot = { client, snapshotId, receivedAt, requestId: 'test', entries };
  await snapshotStore(tables.client, tables.names['BalanceSnapshots'] ?? '').keep(
    snapshot,
    new AbortController().signal,
  );
  return snapshotId;
};

/** A change is received a second after it was made. */
const record = (client: string, madeAt: Date) => {
  const timestamp = madeAt.toISOString().replace('.', ',');
  const receivedAt = new Date(madeAt.getTime() + 1_000).toISOString();
  return changeStore(tables.client, tables.names['ChangeTimestamps'] ?? '').record(
    { client, timestamp, receivedAt, requestId: 'test' },
    new AbortController().signal,
  );
};

const part = (client: string, receivedAt: Date, more: Record<string, unknown> = {}) =>
  tables.put('BalanceSnapshots', {
    Client: client,
    SnapshotId: newSnapshotId(receivedAt, 'orphan'),
    ReceivedAt: receivedAt.toISOString(),
    RequestId: 'orphan',
    EntryCount: 9_000,
    Parts: 3,
    Balances: {},
    ...more,
  });

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await adminHereOn(data, [...args, '--json']);
  expect(stderr).not.toMatch(/error/i);
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

let north: [string, string];
const large = largeBatch();

beforeAll(async () => {
  ({ tables, data } = await emptyDeployment({ clients: ['warehouse', 'north.1'] }));
  for (const hours of [30, 9, 6, 3]) {
    await record('warehouse', ago(hours));
    await keep('warehouse', ago(hours), [entry('Kabel-8/001', hours), entry('Rohr-4/001', 1)]);
  }
  north = [
    await keep('north.1', ago(50), [
      entry('ABC-1', 5),
      entry('Болт', 1, 'шт', ['OT1234567']),
      entry('gone', 0),
      entry('unit', 3, 'kg'),
      entry('same', 4),
    ]),
    await keep('north.1', ago(0.5), [
      entry('ABC-1', -2.5),
      entry('Болт', 1, 'шт', ['OT7654321']),
      entry('new', 7),
      entry('unit', 3, 'g'),
      entry('same', 4),
    ]),
  ];
  await record('north.1', new Date('2026-01-01T00:00:00.000Z'));
});

describe('changes list', () => {
  test('shows the changes of all clients, the newest first', async () => {
    const all = await json('changes', 'list');
    expect(all).toHaveLength(5);
    expect(all.at(-1)).toEqual({
      Client: 'north.1',
      Timestamp: '2026-01-01T00:00:00,000Z',
      ReceivedAt: '2026-01-01T00:00:01.000Z',
      RequestId: 'test',
    });
    const times = all.map(({ Timestamp }: { Timestamp: string }) => Timestamp);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('accepts a client, a time and a count', async () => {
    expect(await json('changes', 'list', '--client', 'north.1')).toHaveLength(1);
    expect(await json('changes', 'list', '--since', '10h')).toHaveLength(3);
    expect(await json('changes', 'list', '--since', '2w', '--last', '2')).toHaveLength(2);
  });

  test('begins with the very instant of --since', async () => {
    const since = (instant: string) => json('changes', 'list', '--client', 'north.1', '--since', instant);
    expect(await since('2026-01-01T00:00:00.000Z')).toHaveLength(1);
    expect(await since('2026-01-01T00:00:00.001Z')).toEqual([]);
  });

  test('shows a change that somebody has edited', async () => {
    const Timestamp = '2026-03-01T08:00:00,000Z';
    await tables.put('ChangeTimestamps', { Client: 'edited', Timestamp, ReceivedAt: 5 });
    const edited = { Client: 'edited', Timestamp, ReceivedAt: '', RequestId: '' };
    expect(await json('changes', 'list', '--client', 'edited')).toEqual([edited]);
  });
});

describe('snapshots', () => {
  test('list shows the snapshots of all clients, newest first', async () => {
    const list = await json('snapshots', 'list', '--last', '2');
    expect(list[0]).toEqual({
      Client: 'north.1',
      SnapshotId: north[1],
      ReceivedAt: ago(0.5).toISOString(),
      EntryCount: 5,
      Parts: 1,
      RequestId: 'test',
    });
    expect(list[1]).toMatchObject({ Client: 'warehouse', EntryCount: 2 });
  });

  test('show shows one as it was sent, by its id or the latest, also from several items', async () => {
    const shown = await json('snapshots', 'show', north[0]);
    expect(shown).toMatchObject({ Client: 'north.1', SnapshotId: north[0], EntryCount: 5 });
    expect(shown.MaterialCodes).toEqual([
      entry('ABC-1', 5),
      entry('gone', 0),
      entry('same', 4),
      entry('unit', 3),
      entry('Болт', 1, 'шт', ['OT1234567']),
    ]);

    await keep('warehouse', new Date(now), storedBatch(large));
    const latest = await json('snapshots', 'show', 'latest', '--client', 'warehouse');
    expect(latest.MaterialCodes).toEqual(storedBatch(large));
  });

  test('diff shows what was added, what has gone and what has changed, with both balances', async () => {
    const differences = await json('snapshots', 'diff', 'previous', 'latest', '--client', 'north.1');
    expect(differences).toEqual([
      {
        Change: 'changed',
        MaterialCode: 'ABC-1',
        StockBalanceBefore: 5,
        StockBalanceAfter: -2.5,
        StockBalanceUnitBefore: 'kg',
        StockBalanceUnitAfter: 'kg',
        PurchaseOrdersBefore: [],
        PurchaseOrdersAfter: [],
      },
      expect.objectContaining({ Change: 'gone', MaterialCode: 'gone', StockBalanceBefore: 0 }),
      expect.objectContaining({ Change: 'added', MaterialCode: 'new', StockBalanceAfter: 7 }),
      expect.objectContaining({
        Change: 'changed',
        MaterialCode: 'unit',
        StockBalanceUnitBefore: 'kg',
        StockBalanceUnitAfter: 'g',
      }),
      expect.objectContaining({
        Change: 'changed',
        MaterialCode: 'Болт',
        PurchaseOrdersBefore: ['OT1234567'],
        PurchaseOrdersAfter: ['OT7654321'],
      }),
    ]);
    const { stdout, stderr } = await adminHereOn(data, ['snapshots', 'diff', north[0], north[1]]);
    expect(stdout).toMatch(/^changed +ABC-1 +5 kg +-2.5 kg$/m);
    expect(stderr).toContain('1 added, 1 gone, 3 changed, 1 the same');
  });

  test('export writes a line for each entry to a file, or whole snapshots as JSON', async () => {
    const file = join(data, 'export.csv');
    const { code, stdout } = await adminHereOn(data, [
      'snapshots',
      'export',
      '--client',
      'north.1',
      '--out',
      file,
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    const lines = readFileSync(file, 'utf8').split('\r\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toBe(
      '\uFEFFClient,SnapshotId,ReceivedAt,MaterialCode,StockBalance,StockBalanceUnit,PurchaseOrders',
    );
    expect(lines.slice(1, 6)).toContain(`north.1,${north[0]},${ago(50).toISOString()},Болт,1,шт,OT1234567`);

    const exported = await json('snapshots', 'export', '--client', 'north.1', '--since', '1h');
    expect(exported).toEqual([expect.objectContaining({ SnapshotId: north[1], EntryCount: 5 })]);
  });

  test('sweep removes parts that were never committed and are older than an hour, and nothing else', async () => {
    await part('warehouse:2', ago(2));
    await part('warehouse:4', ago(2));
    await part('warehouse:2', ago(0.9));
    // Of a snapshot that has expired, the parts outlive part 1 for a day.
    await part('north.1:2', ago(3), { ExpiresAt: Math.floor((now + 12 * HOUR_MS) / 1_000) });
    const before = await tables.rows('BalanceSnapshots');

    const swept = { Client: 'warehouse', SnapshotId: newSnapshotId(ago(2), 'orphan'), Parts: [2, 4] };
    expect(await json('snapshots', 'sweep', '--dry-run')).toEqual([expect.objectContaining(swept)]);
    expect(await tables.rows('BalanceSnapshots')).toHaveLength(before.length);

    expect(await json('snapshots', 'sweep')).toEqual([expect.objectContaining(swept)]);
    expect(await tables.rows('BalanceSnapshots')).toHaveLength(before.length - 2);
    expect(await tables.partIds('warehouse', 2)).toContain(newSnapshotId(ago(0.9), 'orphan'));
    expect(await json('snapshots', 'sweep')).toEqual([]);

    // Nothing else is left of a client that was removed.
    await part('removed:2', ago(2));
    const ofRemoved = await json('snapshots', 'sweep', '--client', 'removed');
    expect(ofRemoved).toEqual([expect.objectContaining({ Client: 'removed', Parts: [2] })]);
  });

  test('previous has the same client as the latest, even if another client has sent in between', async () => {
    await keep('south', ago(0.6), [entry('ABC-1', 1)]);
    const previous = await json('snapshots', 'show', 'previous', '--client', 'north.1');
    expect(previous.SnapshotId).toBe(north[0]);
    const one = await adminHereOn(data, ['snapshots', 'show', 'previous', '--client', 'south']);
    expect(one).toMatchObject({ code: 1, stdout: '' });
  });

  test('export refuses a snapshot together with --since', async () => {
    const { code, stderr } = await adminHereOn(data, ['snapshots', 'export', 'latest', '--since', '1h']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'Give a snapshot or --since, not both.\n' });
  });

  test('of an unknown client are refused, and the known ones are named', async () => {
    for (const args of [['balances'], ['check', '--strict']]) {
      const { code, stdout, stderr } = await adminHereOn(data, [...args, '--client', 'nord']);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        / has no client nord and no records of such a client\. It has: warehouse, north\.1\.\n$/,
      );
    }
  });

  test('that are missing or damaged are named', async () => {
    const none = await adminHereOn(data, ['snapshots', 'show', 'nothing']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toBe(
      'There is no snapshot nothing of warehouse, north.1. `snapshots list` shows all snapshots.\n',
    );

    await part('damaged', ago(4));
    await part('damaged', ago(3), { EntryCount: 'many' });
    await keep('damaged', ago(2), [entry('ABC-1', 1)]);
    const shown = await adminHereOn(data, ['snapshots', 'export', '--client', 'damaged', '--json']);
    expect(JSON.parse(shown.stdout)).toHaveLength(1);
    expect(shown.stderr).toContain('has only 0 of 9000 entries');
    expect(shown.stderr).toContain('is damaged: EntryCount');
    expect(shown.stderr).toContain('Left out because they are damaged: 2.');
  });
});

describe('as of a time', () => {
  /** On the clock of this machine. */
  const aDayAgo = ago(24).toLocaleString('sv-SE');

  test.each([['24h'], [aDayAgo], [ago(50).toISOString()]])(
    'balances --at %j show only what had been received then, with its age then',
    async (time) => {
      const balances = await json('balances', '--client', 'north.1', '--at', time);
      const codes = balances.map((row: { MaterialCode: string }) => row.MaterialCode);
      expect(codes).toEqual(['ABC-1', 'gone', 'same', 'unit', 'Болт']);
      expect(balances[0]).toMatchObject({ StockBalance: 5, SnapshotId: north[0] });
    },
  );

  test('balances for people have their age then, and the time is printed', async () => {
    const { stdout, stderr } = await adminHereOn(data, ['balances', '--client', 'north.1', '--at', aDayAgo]);
    expect(stdout).toMatch(/^ABC-1 +5 +kg +north\.1 +\S+ +26 h$/m);
    expect(stderr).toMatch(new RegExp(`^As of ${aDayAgo} `));
  });

  test('history ends there', async () => {
    const history = await json('history', 'ABC-1', '--client', 'north.1', '--at', '24h');
    expect(history).toEqual([expect.objectContaining({ StockBalance: 5 })]);
  });

  test('a snapshot is the latest one then, and the other of a comparison has the same client', async () => {
    expect(await json('snapshots', 'show', aDayAgo, '--client', 'north.1')).toMatchObject({
      SnapshotId: north[0],
    });
    const earlier = await json('snapshots', 'show', 'latest', '--at', '24h', '--client', 'north.1');
    expect(earlier).toMatchObject({ SnapshotId: north[0] });
    // At that time, the latest snapshot of all was one of another client.
    const { stderr } = await adminHereOn(data, ['snapshots', 'diff', '24h', north[1]]);
    expect(stderr).toContain(`${north[0]} of north.1 to ${north[1]} of north.1: 1 added`);
    const back = await adminHereOn(data, ['snapshots', 'diff', north[1], '24h']);
    expect(back.stderr).toContain(`${north[1]} of north.1 to ${north[0]} of north.1: 1 added`);
  });

  test('export has what had been received until then', async () => {
    const exported = await json('snapshots', 'export', '--client', 'north.1', '--at', '24h');
    expect(exported).toEqual([expect.objectContaining({ SnapshotId: north[0] })]);
    expect(await json('snapshots', 'export', '--client', 'north.1', '--since', '40h', '--at', '24h')).toEqual(
      [],
    );
  });

  test.each([
    [['snapshots', 'show', 'yesterday', '--at', '24h'], '--at goes with `latest` and `previous` only.'],
    [['balances', '--since', '1h', '--at', '24h'], '--since is later than --at.'],
    [['balances', '--at', '9999-01-01'], 'is in the future.'],
  ])('is refused for %j', async (line, words) => {
    const { code, stdout, stderr } = await adminHereOn(data, line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});

describe('data that cannot be written', () => {
  const through = (rest: string) =>
    new Promise<{ code: number; stderr: string }>((resolve) => {
      const line = ['set -o pipefail; "$@"', rest].join(' ');
      execFile(
        'bash',
        ['-c', line, 'bash', ...adminLine(data, ['snapshots', 'export', '--json'])],
        (error, _, stderr) => resolve({ code: Number(error?.code ?? 0), stderr }),
      );
    });

  test('is no error when the reader closes the pipe', async () => {
    expect(await through('| head -c 100')).toEqual({ code: 0, stderr: '' });
  });

  test('is reported in one line when the disk is full', async () => {
    expect(await through('> /dev/full')).toEqual({
      code: 1,
      stderr: 'The output cannot be written: the disk is full\n',
    });
  });
});

describe('balances', () => {
  test('shows the newest report of each material of each client', async () => {
    const balances = await json('balances', '--client', 'north.1');
    const reports = balances.map((row: Record<string, unknown>) => [
      row['MaterialCode'],
      row['StockBalance'],
      row['SnapshotId'],
    ]);
    expect(reports).toEqual([
      ['ABC-1', -2.5, north[1]],
      // The newest snapshot does not include it.
      ['gone', 0, north[0]],
      ['new', 7, north[1]],
      ['same', 4, north[1]],
      ['unit', 3, north[1]],
      ['Болт', 1, north[1]],
    ]);
    expect(await json('balances', '--client', 'north.1', '--since', '1h')).toHaveLength(5);
  });

  test('shows people how old it is', async () => {
    const { stdout } = await adminHereOn(data, ['balances']);
    expect(stdout).toMatch(/^gone +0 +kg +north\.1 +\S+ +2 d$/m);
    expect(stdout).toMatch(/^ABC-1 +-2\.5 +kg +north\.1 +\S+ +\d+ min$/m);
    expect(stdout).toMatch(/^Kabel-8\/001 .* warehouse +\S+ +3 h$/m);
  });
});

describe('history', () => {
  test('shows what was said about a material over time, with a plot', async () => {
    const { code, stdout } = await adminHereOn(data, ['history', 'ABC-1']);
    expect(code).toBe(0);
    const [title, top, ...others] = stdout.split('\n');
    expect(title).toMatch(/^north\.1: -2\.5 kg since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, for \d+ min$/);
    expect(top).toMatch(/^ +5 ┤─+╮$/);
    expect(others[7]).toMatch(/^-2\.5 ┤ +╰$/);
    expect(stdout).toMatch(/^\S+ +north\.1 +5 +kg +\S+$/m);
    expect(stdout).toMatch(/^\S+ +north\.1 +-2\.5 +kg +\S+$/m);
  });

  test('finds a material in any item of a snapshot', async () => {
    const code = large.MaterialCodes.at(-1)?.MaterialCode ?? '';
    const history = await json('history', code);
    expect(history).toEqual([expect.objectContaining({ Client: 'warehouse', StockBalance: -0.001 })]);
  });

  test('of an unknown code is empty, with a message', async () => {
    const { code, stdout, stderr } = await adminHereOn(data, ['history', 'no\u001b[31m', '--json']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
    expect(stderr).toContain('No snapshot contains no\\u001b[31m.');
  });
});

describe("the doctor's test data", () => {
  const LEFT_OUT = 'Without the test data of the doctor: Doctor2, doctor. To show it: --client Doctor2.\n';
  let beside: string;

  beforeAll(async () => {
    beside = dataFolder(tables.names, { clients: ['Doctor2', 'north.1', 'doctor'] });
    await keep('Doctor2', ago(0.2), [entry('Док-1', 1), entry('ABC-1', 9)]);
    await keep('doctor', ago(0.1), [entry('Док-1', 2)]);
  });

  const clientsIn = async (folder: string, ...line: string[]) => {
    const { stdout, stderr } = await adminHereOn(folder, [...line, '--json']);
    const rows: { Client: string }[] = JSON.parse(stdout);
    return { clients: [...new Set(rows.map(({ Client }) => Client).filter(Boolean))].toSorted(), stderr };
  };

  test.each([['balances'], ['history', 'ABC-1'], ['check']])(
    'is left out of %s %s, which says so',
    async (...line) => {
      const { clients, stderr } = await clientsIn(beside, ...line);
      expect(clients).toEqual(['north.1']);
      expect(stderr.startsWith(LEFT_OUT)).toBe(true);
    },
  );

  test('is left out of the report', async () => {
    const options = { local: true, data: beside, stack: 'WarehouseControl', separator: ',' };
    const report = await collectStock(await openSession({ optsWithGlobals: () => options }), {});
    expect(report.clients).toEqual(['north.1']);
    expect(report.materials.code).not.toContain('Док-1');
  });

  test('is shown for its own client, and if there is no other', async () => {
    expect(await clientsIn(beside, 'balances', '--client', 'doctor')).toEqual({
      clients: ['doctor'],
      stderr: '',
    });
    expect(await clientsIn(dataFolder(tables.names, { clients: ['Doctor2', 'doctor'] }), 'balances')).toEqual(
      {
        clients: ['Doctor2', 'doctor'],
        stderr: '',
      },
    );
  });

  test('is among what came in', async () => {
    expect(await clientsIn(beside, 'snapshots', 'list')).toEqual({
      clients: ['Doctor2', 'doctor', 'north.1'],
      stderr: '',
    });
  });
});

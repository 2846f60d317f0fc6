import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newSnapshotId } from '../../shared/storage/snapshot.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { entryOf, largeBatch, storedBatch } from '../support/batches.ts';
import { startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { dataFolder, emptyDeployment, putBatch } from './tables.ts';

const removed = { Client: 'removed', RemovedAt: '2026-01-01T00:00:00.000Z' };
const { names, tables, data } = await emptyDeployment({ clients: ['warehouse', 'north.1', removed] });

const now = Date.now();
const ago = (hours: number) => new Date(now - hours * HOUR_MS);

const keep = (client: string, receivedAt: Date, entries: Parameters<typeof putBatch>[3]) =>
  putBatch(tables.names['BalanceSnapshots'], client, receivedAt, entries);

const record = (Client: string, madeAt: Date) =>
  tables.put('ChangeTimestamps', {
    Client,
    Timestamp: madeAt.toISOString().replace('.', ','),
    ReceivedAt: new Date(madeAt.getTime() + 1_000).toISOString(),
    RequestId: 'test',
  });

const part = (client: string, receivedAt: Date, more: Record<string, unknown> = {}) =>
  tables.put('BalanceSnapshots', {
    ...{ Client: client, SnapshotId: newSnapshotId(receivedAt, 'orphan'), RequestId: 'orphan' },
    ...{ ReceivedAt: receivedAt.toISOString(), EntryCount: 9_000, Parts: 3, Balances: {} },
    ...more,
  });

const run = (...line: string[]) => adminHereOn(data, line);
const json = async (...line: string[]) => {
  const { code, stdout, stderr } = await run(...line, '--json');
  expect(stderr).not.toMatch(/error/i);
  expect(code).toBe(0);
  return JSON.parse(stdout);
};

const NORTH = ['--client', 'north.1'];
const large = storedBatch(largeBatch());

for (const hours of [30, 9, 6, 3]) {
  await record('warehouse', ago(hours));
  await keep('warehouse', ago(hours), [entryOf('Kabel-8/001', hours), entryOf('Rohr-4/001', 1)]);
}
await record('north.1', new Date('2026-01-01T00:00:00.000Z'));
const north = [
  await keep('north.1', ago(50), [
    ...[entryOf('ABC-1', 5), entryOf('Болт', 1, 'шт', ['OT1234567']), entryOf('gone', 0)],
    ...[entryOf('unit', 3, 'kg'), entryOf('same', 4)],
  ]),
  await keep('north.1', ago(0.5), [
    ...[entryOf('ABC-1', -2.5), entryOf('Болт', 1, 'шт', ['OT7654321']), entryOf('new', 7)],
    ...[entryOf('unit', 3, 'g'), entryOf('same', 4)],
  ]),
] as const;

describe('changes list', () => {
  test.each([
    [1, NORTH],
    [3, ['--since', '10h']],
    [2, ['--since', '2w', '--last', '2']],
    [1, [...NORTH, '--since', '2026-01-01T00:00:01.000Z']],
    [0, [...NORTH, '--since', '2026-01-01T00:00:01.001Z']],
  ])('shows %i with %j', async (count, options) => {
    expect(await json('changes', 'list', ...options)).toHaveLength(count);
  });

  test('shows a change that somebody has edited', async () => {
    const Timestamp = '2026-03-01T08:00:00,000Z';
    await tables.put('ChangeTimestamps', { Client: 'edited', Timestamp, ReceivedAt: 5 });
    const edited = { Client: 'edited', Timestamp, ReceivedAt: '2026-03-01T08:00:00.000Z', RequestId: '' };
    expect(await json('changes', 'list', '--client', 'edited')).toEqual([edited]);
  });
});

describe('snapshots', () => {
  test('show shows one as it was sent, by its id or the latest, also from several items', async () => {
    const shown = await json('snapshots', 'show', north[0]);
    expect(shown).toMatchObject({ Client: 'north.1', SnapshotId: north[0], EntryCount: 5 });
    const codes = shown.MaterialCodes.map((entry: { MaterialCode: string }) => entry.MaterialCode);
    expect(codes).toEqual(['ABC-1', 'gone', 'same', 'unit', 'Болт']);
    expect(shown.MaterialCodes.at(-1)).toEqual(entryOf('Болт', 1, 'шт', ['OT1234567']));

    await keep('warehouse', new Date(now), large);
    const latest = await json('snapshots', 'show', 'latest', '--client', 'warehouse');
    expect(latest.MaterialCodes).toEqual(large);
    // In the last item.
    const { MaterialCode = '', StockBalance } = large.at(-1) ?? {};
    expect(await json('history', MaterialCode)).toMatchObject([{ Client: 'warehouse', StockBalance }]);
  });

  test('export writes a line for each entry to a file, or whole snapshots as JSON', async () => {
    const file = join(data, 'export.csv');
    const exported = await run('snapshots', 'export', ...NORTH, '--out', file);
    const stderr = expect.stringMatching(/^Written: 2 snapshots with 10 entries\.$/m);
    expect(exported).toMatchObject({ code: 0, stdout: '', stderr });
    const lines = readFileSync(file, 'utf8').split('\r\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toMatch(/^\uFEFFClient,SnapshotId,ReceivedAt,MaterialCode,StockBalance,/);
    expect(lines.slice(1, 6)).toContain(`north.1,${north[0]},${ago(50).toISOString()},Болт,1,шт,OT1234567`);
    const whole = await json('snapshots', 'export', ...NORTH, '--since', '1h');
    expect(whole).toMatchObject([{ SnapshotId: north[1], EntryCount: 5 }]);
  });

  test('sweep removes parts that were never committed and are older than an hour, and nothing else', async () => {
    await part('warehouse:2', ago(2));
    await part('warehouse:4', ago(2));
    await part('warehouse:2', ago(0.9));
    // Of a snapshot that has expired, the parts outlive part 1 for a day.
    await part('north.1:2', ago(3), { ExpiresAt: Math.floor((now + 12 * HOUR_MS) / 1_000) });
    await part('north.1:2', ago(5), { ReceivedAt: 'damaged' });
    const before = await tables.rows('BalanceSnapshots');

    const swept = { Client: 'warehouse', SnapshotId: newSnapshotId(ago(2), 'orphan'), Parts: [2, 4] };
    expect(await json('snapshots', 'sweep', '--dry-run')).toMatchObject([swept]);
    expect(await tables.rows('BalanceSnapshots')).toHaveLength(before.length);

    expect(await json('snapshots', 'sweep')).toMatchObject([swept]);
    expect(await tables.rows('BalanceSnapshots')).toHaveLength(before.length - 2);
    expect(await tables.partIds('warehouse', 2)).toContain(newSnapshotId(ago(0.9), 'orphan'));
    const stderr = expect.stringContaining('is damaged: ReceivedAt');
    expect(await run('snapshots', 'sweep', '--json')).toMatchObject({ stdout: '[]\n', stderr });

    // Nothing else is left of a client that was removed.
    await part('removed:2', ago(2));
    const ofRemoved = await json('snapshots', 'sweep', '--client', 'removed');
    expect(ofRemoved).toMatchObject([{ Client: 'removed', Parts: [2] }]);
  });

  test('sweep ends on Ctrl-C after the part under way, says what it removed, and does the rest when run again', async () => {
    for (const hours of [3, 2]) for (const number of [2, 3]) await part(`swept:${number}`, ago(hours));
    const engine = await startFaultyEngine();
    onTestFinished(() => engine.stop());
    engine.decide((action) => {
      if (action === 'DeleteItem') process.emit('SIGINT', 'SIGINT');
      return 'through';
    });
    const line = ['snapshots', 'sweep', '--client', 'swept'];
    expect(await adminHereOn(dataFolder(names, { engine: engine.endpoint }), line)).toEqual({
      code: 130,
      stdout: '',
      stderr:
        'Ending after the writes that have already started.\nEnded early.\nRemoved: 1 part of 1 batch, of 4 parts of 2 batches. Run the same command again to remove the other parts.\n',
    });
    expect(await json(...line)).toMatchObject([{ Parts: [3] }, { Parts: [2, 3] }]);
  });

  test('previous has the same client as the latest, even if another client has sent in between', async () => {
    await keep('south', ago(0.6), [entryOf('ABC-1', 1)]);
    const { Client } = await json('snapshots', 'show', 'latest');
    expect(await json('snapshots', 'show', 'previous')).toMatchObject({ Client });
    expect(await json('snapshots', 'show', 'previous', ...NORTH)).toMatchObject({ SnapshotId: north[0] });
    expect((await run('snapshots', 'show', 'previous', '--client', 'south')).code).toBe(1);
  });

  test('that are damaged are named, and those that have expired are left out', async () => {
    await part('damaged', ago(4));
    await part('damaged', ago(3), { EntryCount: 'many' });
    // Nobody could wait for so many parts.
    await part('damaged', ago(2.5), { Parts: 4_294_967_296 });
    // By itself, the SDK would end the whole query at so many digits.
    await part('damaged', ago(2.4), { EntryCount: NumberValue.from('12345678901234567890.5') });
    await part('damaged', ago(2.3), { EntryCount: 1.5 });
    await part('damaged', ago(2.2), { EntryCount: 0, Parts: 1, ExpiresAt: 9e14 });
    await part('damaged', ago(2.15), { EntryCount: 0, Parts: 1, ReceivedAt: '+010000-01-01T00:00:00.000Z' });
    // Two parts have the same code.
    for (const client of ['damaged', 'damaged:2'])
      await part(client, ago(2.1), {
        ...{ EntryCount: 2, Parts: 2 },
        Balances: { 'ABC-1': { StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: [] } },
      });
    await keep('damaged', ago(2), [entryOf('ABC-1', 1)]);
    await part('damaged', ago(1), { EntryCount: 0, Parts: 1, ExpiresAt: Math.floor(now / 1_000) });
    // A client that is not in the table, and whose only snapshot is damaged, has records.
    await part('broken', ago(1), { EntryCount: 'many' });
    const broken = await run('snapshots', 'list', '--client', 'broken', '--json');
    expect(broken.stderr).toContain('is damaged: EntryCount');
    expect(JSON.parse(broken.stdout)).toMatchObject([{ ReceivedAt: ago(1).toISOString() }]);
    const shown = await run('snapshots', 'export', '--client', 'damaged', '--json');
    expect(JSON.parse(shown.stdout)).toHaveLength(1);
    expect(await json('balances', '--client', 'damaged')).toMatchObject([{ MaterialCode: 'ABC-1' }]);
    for (const words of ['has only 0 of 9000 entries', 'is damaged: EntryCount', 'snapshots left out: 8.'])
      expect(shown.stderr).toContain(words);
  });
});

describe('as of a time', () => {
  /** On the clock of this machine. */
  const aDayAgo = ago(24).toLocaleString('sv-SE');

  test.each([
    [1, 'snapshots export --at 24h'],
    [0, 'snapshots export --since 40h --at 24h'],
    [5, 'balances --since 1h'],
    [0, 'changes list --at 2025-12-31'],
  ])('%i rows are in %s', async (count, line) => {
    expect(await json(...line.split(' '), ...NORTH)).toHaveLength(count);
  });

  test('a snapshot is the latest one then, and the other of a comparison has the same client', async () => {
    const earlier = { SnapshotId: north[0] };
    expect(await json('snapshots', 'show', aDayAgo, ...NORTH)).toMatchObject(earlier);
    expect(await json('snapshots', 'show', 'latest', '--at', '24h', ...NORTH)).toMatchObject(earlier);
    // At that time, the latest snapshot of all was one of another client.
    const { stderr } = await run('snapshots', 'diff', '24h', north[1]);
    expect(stderr).toContain(`${north[0]} of north.1 to ${north[1]} of north.1: 1 added`);
    const back = await run('snapshots', 'diff', north[1], '24h');
    expect(back.stderr).toContain(`${north[1]} of north.1 to ${north[0]} of north.1: 1 added`);
  });
});

import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/assembly.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { TableReader, writeOutputs } from '../support/table-reader.ts';
import { createTable, startFaultyEngine } from '../support/tables.ts';
import { adminLine } from './command.ts';
import { adminHereOn } from './in-process.ts';
import { atTerminal } from './pseudo-terminal.ts';
import { putItems } from './table-items.ts';

let run: LocalRun;
let tables: TableReader;

beforeAll(async () => {
  run = await startLocal({ args: ['--demo', '--quiet', '--no-throttle', '--memory'] });
  tables = new TableReader(run.outputs());
});
afterAll(() => run.stop());

const CYRILLIC_A = '\u0410';
const SENT = `${CYRILLIC_A}BC-1`;
const LOOK = `"${CYRILLIC_A}" (U+0410, Cyrillic) where the other has "A" (U+0041, Latin), at 1`;

/** Puts a snapshot of a client that is not in the settings. */
const putSnapshot = (Client: string, minute: number, unit: string, EntryCount = 1) =>
  tables.put('BalanceSnapshots', {
    Client,
    SnapshotId: `2026-01-01T00:0${minute}:00.000Z-test`,
    ReceivedAt: `2026-01-01T00:0${minute}:00.000Z`,
    RequestId: 'test',
    EntryCount,
    Parts: 1,
    Balances: { 'Болт-1/001': { StockBalance: 1, StockBalanceUnit: unit, PurchaseOrders: ['OT0000009'] } },
  });

const SNAPSHOT = {
  Client: { S: 'warehouse' },
  SnapshotId: { S: '2026-01-01T00:00:00.000Z-test' },
  ReceivedAt: { S: '2026-01-01T00:00:00.000Z' },
  RequestId: { S: 'test' },
  EntryCount: { N: '0' },
  Parts: { N: '1' },
  Balances: { M: {} },
};

const kindsIn = (findings: { Kind: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(findings, ({ Kind }) => Kind)].map(([kind, { length }]) => [kind, length]),
  );

describe('check', () => {
  test('shows the faults of the demo in a table, and their counts on standard error', async () => {
    const { code, stdout, stderr } = await adminHereOn(run.data, ['check']);
    expect(code).toBe(0);
    const [titles = '', rule = '', ...lines] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^Kind +Client +Subject +Detail$/);
    expect(rule).toMatch(/^[- ]+$/);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3).join(' '))).toEqual([
      ...['Rohr-4/014', 'Śruba-7/013', 'Болт-1/015'].map((code) => `sign-flipped warehouse ${code}`),
      'unlisted-code warehouse Unlisted-1',
      'unlisted-code warehouse Unlisted-2',
      ...[1, 2, 3, 4, 5].map((n) => expect.stringMatching(`^no-balance Болт-1/00${n} Is in the list`)),
    ]);
    expect(stderr).toBe(
      'sign-flipped: 3 (balances that were positive and are negative, or the other way round)\nunlisted-code: 2 (codes with a balance that the list lacks)\nno-balance: 5 (codes of the list without a balance)\n',
    );
  });

  test('finds what a warehouse sends wrong, as JSON', async () => {
    await tables.put('MaterialCodes', { MaterialCode: 'ABC-1' });
    await tables.put('MaterialCodes', { MaterialCode: 'Rohr-4/001', Unit: 't' });
    const entry = { StockBalance: 1, StockBalanceUnit: 'kg', PurchaseOrders: {} };
    const sent = await run.post('material-stock-balance', {
      MaterialCodes: [
        { ...entry, MaterialCode: SENT },
        { ...entry, MaterialCode: 'rohr-4/002', StockBalanceUnit: 'KG' },
        { ...entry, MaterialCode: 'Rohr-4/001', PurchaseOrders: ['OT0000009'] },
        { ...entry, MaterialCode: 'Rohr-4/003', StockBalanceUnit: 'm' },
      ],
    });
    expect(sent.status).toBe(200);
    const { code, stdout } = await adminHereOn(run.data, ['check', '--json']);
    expect(code).toBe(0);
    const findings = JSON.parse(stdout);
    expect(kindsIn(findings)).toEqual({
      'unlisted-code': 2,
      'no-balance': 119,
      'unlisted-order': 1,
      'unused-order': 40,
      'unit-differs': 3,
      'look-alike': 1,
      'halved-snapshot': 1,
      'case-differs': 1,
    });
    expect(findings).toContainEqual({
      Kind: 'unlisted-code',
      Client: 'warehouse',
      Subject: SENT,
      Detail: `Has a balance, and the list lacks it; it looks like ABC-1 of the list: ${LOOK}. Correct the one that is wrong.`,
    });
  });

  test('checks only the client that --client names, as CSV', async () => {
    await putSnapshot('south', 1, 'kg');
    await putSnapshot('south', 2, 't');
    const { code, stdout } = await adminHereOn(run.data, ['check', '--client', 'south', '--csv']);
    expect(code).toBe(0);
    const findings: { Kind: string }[] = parse(stdout, { bom: true, columns: true });
    expect(kindsIn(findings)).toEqual({
      'no-balance': 120,
      'unlisted-order': 1,
      'unused-order': 40,
      'unit-differs': 1,
    });
    expect(findings[0]).toEqual({
      Kind: 'unit-differs',
      Client: 'south',
      Subject: 'Болт-1/001',
      Detail:
        'Was changed from "kg" to "t": it is 1 t (2026-01-01 00:02:00 UTC), and was 1 kg in the snapshot before (2026-01-01 00:01:00 UTC). Ask south whether the balance was converted, too.',
    });
  });

  const checkClient = async (client: string) => {
    const { stdout, stderr } = await adminHereOn(run.data, ['check', '--client', client, '--json']);
    return { findings: JSON.parse(stdout), stderr };
  };
  const damaged = (Client: string, minute: number, detail: string) => {
    const Subject = `2026-01-01T00:0${minute}:00.000Z-test`;
    return { Kind: 'damaged-snapshot', Client, Subject, Detail: expect.stringContaining(detail) };
  };

  test('reports a damaged latest snapshot, and checks no earlier one instead', async () => {
    await putSnapshot('west', 1, 'kg');
    await putSnapshot('west', 2, 't', 7);
    const detail =
      'of west holds 1 entries of 7. It was left out of this check; the next one that west sends takes its place.';
    expect(await checkClient('west')).toEqual({
      findings: [damaged('west', 2, detail)],
      stderr:
        'There are no balances to compare the lists with.\ndamaged-snapshot: 1 (snapshots that cannot be read whole)\n',
    });
  });

  test('reports a damaged previous snapshot, and checks the latest', async () => {
    await putSnapshot('east', 1, 'kg', 7);
    await putSnapshot('east', 2, 't');
    const [found, ...others] = (await checkClient('east')).findings;
    const detail =
      'The latest one was not compared with it. When east has sent another, it is no longer needed here.';
    expect(found).toEqual(damaged('east', 1, detail));
    expect(kindsIn(others)).toEqual({ 'no-balance': 120, 'unlisted-order': 1, 'unused-order': 40 });
  });

  test('names a damaged snapshot by its id if nothing else can be read', async () => {
    await putSnapshot('harbour', 1, 'kg');
    await tables.put('BalanceSnapshots', { Client: 'harbour', SnapshotId: '2026-01-01T00:02:00.000Z-test' });
    const { findings } = await checkClient('harbour');
    expect(findings).toEqual([damaged('harbour', 2, 'the next one that harbour sends takes its place.')]);
  });

  test('finds a client without a snapshot, and fails with --strict', async () => {
    await tables.put('ChangeTimestamps', { Client: 'silent', Timestamp: '2026-01-01T00:00:00,000Z' });
    const line = ['check', '--client', 'silent', '--json', '--strict'];
    const { code, stdout, stderr } = await adminHereOn(run.data, line);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      {
        Kind: 'no-snapshot',
        Client: 'silent',
        Subject: 'silent',
        Detail:
          'Has sent no snapshot, or none that is still kept, so nothing of it was checked. See to it that its warehouse system sends its balances, or remove the client if it is used no more.',
      },
    ]);
    expect(stderr).toBe(
      'There are no balances to compare the lists with.\nno-snapshot: 1 (clients that have sent no snapshot)\nWith --strict, this is a failure: 1 finding.\n',
    );
  });

  test('shows progress bars at a terminal, and removes them', async () => {
    const { seen } = await atTerminal(adminLine(run.data, ['check', '--csv'])).exit;
    for (const what of ['Reading MaterialCodes', 'Reading PurchaseOrders', 'Checking the latest snapshots']) {
      expect(seen).toContain(what);
    }
    expect(withoutBars(seen)).toMatch(/^\uFEFFKind,Client,Subject,Detail\r+\n/);
  });

  test.each([['check'], ['report', '--out', join(temporaryFolder(), 'stock.html')]])(
    'removes the progress bar after an error: %s',
    async (...line) => {
      const engine = await startFaultyEngine();
      onTestFinished(() => engine.stop());
      engine.decide((call) => (call === 'GetItem' ? 'denied' : 'through'));
      const names = ['MaterialCodes', 'PurchaseOrders', 'ChangeTimestamps', 'BalanceSnapshots'] as const;
      const created = await Promise.all(names.map(async (name) => [name, await createTable(name)] as const));
      const data = temporaryFolder();
      writeOutputs(data, engine.endpoint, Object.fromEntries(created));
      await putItems(Object.fromEntries(created)['BalanceSnapshots'] ?? '', [SNAPSHOT]);
      const { code, seen } = await atTerminal(adminLine(data, line)).exit;
      expect(code).toBe(1);
      expect(seen).toContain('Checking the latest snapshots');
      expect(withoutBars(seen)).toMatch(/^\S.*not authorized/);
    },
  );
});

/** Removes each progress bar that is cleared afterwards. A bar that stays behind remains. */
const withoutBars = (seen: string) =>
  seen
    .split(CLEAR)
    .map((text, place, all) => (place < all.length - 1 && BAR.test(text) ? '' : text))
    .join('');

const CLEAR = '\r\u001b[K';
const BAR = /^(?:Reading|Checking) [^\r\n]*$/;

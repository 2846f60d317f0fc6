import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { Witness } from '../support/witness.ts';
import { admin } from './command.ts';

let run: LocalRun;
let tables: Witness;

beforeAll(async () => {
  run = await startLocal({ args: ['--demo', '--quiet', '--no-throttle', '--memory'] });
  tables = new Witness(run.outputs());
});
afterAll(() => run.stop());

const CYRILLIC_A = '\u0410';
const SENT = `${CYRILLIC_A}BC-1`;
const LOOK = `"${CYRILLIC_A}" (U+0410, Cyrillic) where the other has "A" (U+0041, Latin), at 1`;

/** As the service would have kept it, of a client that is in no settings. */
const snapshot = (Client: string, minute: number, unit: string, EntryCount = 1) =>
  tables.put('BalanceSnapshots', {
    Client,
    SnapshotId: `2026-01-01T00:0${minute}:00.000Z-test`,
    ReceivedAt: `2026-01-01T00:0${minute}:00.000Z`,
    RequestId: 'test',
    EntryCount,
    Parts: 1,
    Balances: { 'Болт-1/001': { StockBalance: 1, StockBalanceUnit: unit, PurchaseOrders: ['OT0000009'] } },
  });

const kindsIn = (findings: { Kind: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(findings, ({ Kind }) => Kind)].map(([kind, { length }]) => [kind, length]),
  );

describe('check, one step after the other,', () => {
  test('tells of the demo what was put wrong there, in a table, with counts beside it', async () => {
    const { code, stdout, stderr } = await admin(run.data, ['check']);
    expect(code).toBe(0);
    const [titles = '', rule = '', ...lines] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^Kind +Client +Subject +Detail$/);
    expect(rule).toMatch(/^[- ]+$/);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3).join(' '))).toEqual([
      'unlisted-code warehouse Unlisted-1',
      'unlisted-code warehouse Unlisted-2',
      ...[1, 2, 3, 4, 5].map((n) => expect.stringMatching(`^no-balance Болт-1/00${n} Is in the list`)),
    ]);
    expect(stderr).toBe(
      'unlisted-code: 2 (codes with a balance that the list lacks)\nno-balance: 5 (codes of the list without a balance)\n',
    );
  });

  test('exits with 1 where it is strict, after all that it has to say', async () => {
    const { code, stdout, stderr } = await admin(run.data, ['check', '--strict', '--json']);
    expect(code).toBe(1);
    expect(kindsIn(JSON.parse(stdout))).toEqual({ 'unlisted-code': 2, 'no-balance': 5 });
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('With --strict, this is a failure: 7 findings.');
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
    const { code, stdout } = await admin(run.data, ['check', '--json']);
    expect(code).toBe(0);
    const findings = JSON.parse(stdout);
    expect(kindsIn(findings)).toEqual({
      'unlisted-code': 2,
      'no-balance': 119,
      'unlisted-order': 1,
      'unused-order': 40,
      'unit-differs': 3,
      'look-alike': 1,
      'case-differs': 1,
    });
    expect(findings).toContainEqual({
      Kind: 'unlisted-code',
      Client: 'warehouse',
      Subject: SENT,
      Detail: `Has a balance, and the list lacks it; it looks like ABC-1 of the list: ${LOOK}. Correct the one that is wrong.`,
    });
    const units = findings.filter(({ Kind }: { Kind: string }) => Kind === 'unit-differs');
    expect(units.map(({ Subject }: { Subject: string }) => Subject)).toEqual([
      'KG',
      'Rohr-4/001',
      'Rohr-4/003',
    ]);
  });

  test('looks at the client that is named alone, as CSV', async () => {
    await snapshot('south', 1, 'kg');
    await snapshot('south', 2, 't');
    const { code, stdout } = await admin(run.data, ['check', '--client', 'south', '--csv']);
    expect(code).toBe(0);
    const findings: { Kind: string }[] = parse(stdout, { columns: true });
    expect(kindsIn(findings)).toEqual({
      'no-balance': 120,
      'unlisted-order': 1,
      'unused-order': 40,
      'unit-differs': 1,
    });
    expect(findings.at(-1)).toEqual({
      Kind: 'unit-differs',
      Client: 'south',
      Subject: 'Болт-1/001',
      Detail:
        'Is in "t", and was in "kg" in the snapshot before. Ask whether its balance was converted, too.',
    });
  });

  test('tells of a damaged snapshot, and takes no earlier one for it', async () => {
    await snapshot('west', 1, 'kg');
    await snapshot('west', 2, 't', 7);
    const { code, stdout, stderr } = await admin(run.data, ['check', '--client', 'west', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        Kind: 'damaged-snapshot',
        Client: 'west',
        Subject: '2026-01-01T00:02:00.000Z-test',
        Detail:
          'Snapshot 2026-01-01T00:02:00.000Z-test of west holds 1 entries of 7. It was left out of this check; the next one that west sends takes its place.',
      },
    ]);
    expect(stderr).toBe(
      'There are no balances to compare the lists with.\ndamaged-snapshot: 1 (snapshots that cannot be read whole)\n',
    );
  });

  test('says that a client has sent nothing', async () => {
    const { code, stdout, stderr } = await admin(run.data, [
      'check',
      '--client',
      'nobody',
      '--json',
      '--strict',
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
    expect(stderr).toBe(
      'nobody has no snapshot.\nThere are no balances to compare the lists with.\nNothing was found.\n',
    );
  });
});

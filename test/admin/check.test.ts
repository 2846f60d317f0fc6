import { describe, expect, onTestFinished, test } from 'vitest';
import { MAX_FINDINGS_OF_KIND } from '../../admin/stock/checks/check.ts';
import { entryOf } from '../support/batches.ts';
import { startFaultyEngine } from '../support/tables.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const cables = Array.from({ length: 11 }, (_, index) => `Kabel-8/${String(index + 1).padStart(3, '0')}`);
const codes = ['ABC-1', ...cables, 'Rohr-4/001', 'Rohr-4/002', 'Rohr-4/003'];
const orders = ['OT4500000', 'OT4500017'];
const { names, tables, data } = await emptyDeployment();
for (const MaterialCode of codes) await tables.put('MaterialCodes', { MaterialCode });
for (const PurchaseOrder of orders) await tables.put('PurchaseOrders', { PurchaseOrder });

const receivedAt = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const keep = (client: string, minute: number, ...entries: Parameters<typeof putBatch>[3]) =>
  putBatch(names.BalanceSnapshots, client, receivedAt(minute), entries);

/** Puts a snapshot whose entries are lost. */
const putDamaged = (Client: string, minute: number) => {
  const ReceivedAt = receivedAt(minute).toISOString();
  const key = { Client, SnapshotId: `${ReceivedAt}-test` };
  const lost = { EntryCount: 7, Parts: 1, Balances: {} };
  return tables.put('BalanceSnapshots', { ...key, ReceivedAt, RequestId: 'test', ...lost });
};

describe('check', () => {
  const linesOf = async (...more: string[]) => {
    const { code, stdout, stderr } = await adminHereOn(data, ['check', '--client', 'north', ...more]);
    expect(code).toBe(0);
    const [titles, , ...lines] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^Severity +Kind +Warehouse +Subject +Detail$/);
    return { lines: lines.map((line) => line.split(/ {2,}/)), stderr };
  };

  test('shows the worst first, and many findings of a kind as one line', async () => {
    const same = entryOf('Rohr-4/003', 2);
    await keep('north', 1, same, entryOf('Rohr-4/002', 7, 'kg', orders));
    await keep('north', 2, same, entryOf('Rohr-4/002', -7, 'kg', orders), entryOf('Kabel-8/0O2', 3));
    const { lines } = await linesOf();
    expect(lines.map(([severity, kind]) => `${severity} ${kind}`)).toEqual([
      ...['warning sign-flipped', 'warning unlisted-code', 'note no-balance'],
    ]);
    expect(lines[1]?.at(-1)).toContain('Did you mean Kabel-8/002');
  });

  test('shows each finding of one kind with --kind, and each of all kinds with --all', async () => {
    const ofKind = await linesOf('--kind', 'no-balance');
    const unsent = codes.filter((code) => !/Rohr-4\/00[23]/.test(code));
    const found = ofKind.lines.map(([, kind, code]) => `${kind} ${code}`);
    expect(found).toEqual(unsent.map((code) => `no-balance ${code}`));
    expect((await linesOf('--all')).lines).toHaveLength(15);
  });

  test('checks the snapshots as of a time with --at, against the lists of now', async () => {
    const { lines } = await linesOf('--at', '2026-01-01 00:01:30 UTC');
    expect(lines).toEqual([expect.arrayContaining(['no-balance', '13 findings'])]);
  });

  const OTHERS = ['unlisted-order', 'no-balance', 'unused-order'];
  test.each([
    ['latest', 'west', 2, 'of west has only 0 of 7 entries. This check left the batch out.', []],
    ['previous', 'east', 1, 'So the latest batch was not compared with this batch.', OTHERS],
  ])('reports a damaged %s snapshot, and checks what is left', async (_, Client, minute, detail, kinds) => {
    await putDamaged(Client, minute);
    await keep(Client, 3 - minute, entryOf('Rohr-4/002', 1, 'kg', ['OT0000009']));
    const { stdout } = await adminHereOn(data, ['check', '--client', Client, '--json']);
    const [found, ...others] = JSON.parse(stdout);
    expect(found).toMatchObject({
      ...{
        Severity: 'error',
        Kind: 'damaged-snapshot',
        Client,
        Advice: expect.stringContaining('next batch'),
      },
      Subject: `2026-01-01T00:0${minute}:00.000Z-test`,
      Detail: expect.stringContaining(detail),
    });
    expect([...new Set(others.map(({ Kind }: { Kind: string }) => Kind))]).toEqual(kinds);
  });

  test('counts the findings that one line stands for', async () => {
    const entries = Array.from({ length: MAX_FINDINGS_OF_KIND + 6 }, (_, index) => entryOf(`M${index}`, 1));
    await keep('bulk', 1, ...entries);
    const { stdout } = await adminHereOn(data, ['check', '--client', 'bulk']);
    expect(stdout).toMatch(/unlisted-code +bulk +10,006 findings +M0, .* and 10,001 more: codes that/);
  });

  test('finds a client without a snapshot, and fails with --strict', async () => {
    await tables.put('ChangeTimestamps', { Client: 'silent', Timestamp: '2026-01-01T00:00:00,000Z' });
    const line = ['check', '--client', 'silent', '--json', '--strict'];
    const { code, stdout, stderr } = await adminHereOn(data, line);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      {
        ...{ Severity: 'error', Kind: 'no-snapshot', Client: 'silent', Subject: 'silent' },
        Detail: 'Has sent no batch, or all its batches have expired, so nothing was checked.',
      },
    ]);
    expect(stderr).toMatch(/^no-snapshot: 1 .*\nWith --strict, .*: 1 finding\.\n$/);
  });

  test('finds nothing in a client that was just added, nor at a time before it was', async () => {
    const now = new Date().toISOString();
    const added = { Client: 'added', CreatedAt: now, SilenceFrom: now };
    const { data: folder } = await emptyDeployment({ clients: [added] });
    for (const at of [[], ['--at', '7d']]) {
      const { code, stderr } = await adminHereOn(folder, ['check', '--strict', '--json', ...at]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/Nothing was found\.\n$/) });
    }
  });

  test('shows progress bars at a terminal, and removes them after an error', async () => {
    const engine = await startFaultyEngine();
    onTestFinished(() => engine.stop());
    engine.decide((call) => (call === 'GetItem' ? 'deny' : 'through'));
    const { names, data: folder } = await emptyDeployment({ engine: engine.endpoint });
    await putBatch(names.BalanceSnapshots, 'warehouse', new Date(), [entryOf('A', 1)]);
    const { isTTY } = process.stderr;
    process.stderr.isTTY = true;
    const { code, stderr: seen } = await adminHereOn(folder, ['check']);
    process.stderr.isTTY = isTTY;
    expect(code).toBe(1);
    expect(seen).toContain('Reading batches');
    expect(withoutBars(seen)).toMatch(/^(?!Reading)\S.*not authorized/);
  });
});

/** Removes each progress bar that is cleared afterwards. A bar that stays behind remains. */
const withoutBars = (seen: string) =>
  seen
    .split(CLEAR)
    .map((text, place, all) => (place < all.length - 1 && BAR.test(text) ? '' : text))
    .join('');

const CLEAR = '\r\u001b[K';
const BAR = /^Reading [^\r\n]*$/;

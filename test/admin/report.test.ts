import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { DAY_MS } from '../../admin/cli/time.ts';
import { openSession } from '../../admin/deployment/session.ts';
import { collectReport } from '../../admin/report/collect.ts';
import type { ReportData } from '../../admin/report/data.ts';
import { createHistory } from '../../admin/report/history.ts';
import { reportHtml } from '../../admin/report/html.ts';
import { asComment } from '../../admin/report/licences.ts';
import { heardOf } from '../../admin/report/page/client-activity.ts';
import { linesIn } from '../../admin/report/page/lines.ts';
import { codeOf, hashOf } from '../../admin/report/page/link.ts';
import { toModel } from '../../admin/report/page/model.ts';
import { amount, difference } from '../../admin/report/page/words.ts';
import { HOSTILE_UNIT, large, MADE_AT, sample } from '../browser/sample.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';
import { admin } from './command.ts';
import { adminHereOn } from './in-process.ts';

const dataOf = (html: string): ReportData => {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
};

describe('the command', () => {
  let data = '';
  let tables: TableReader;
  beforeAll(async () => {
    const run = await startLocal({ args: ['--demo', '--quiet', '--no-throttle', '--memory'] });
    ({ data } = run);
    tables = new TableReader(run.outputs());
  });

  test('writes one whole file, for its owner alone, and tells what is in it', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'stock.html');
    const { code, stdout, stderr } = await admin(data, ['report', '--out', out, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const html = readFileSync(out, 'utf8');
    const report = dataOf(html);
    expect(JSON.parse(stdout)).toEqual({
      File: out,
      Bytes: statSync(out).size,
      Snapshots: 24,
      Materials: 117,
      Findings: report.findings.length,
    });
    expect(readdirSync(folder)).toEqual(['stock.html']);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(html).toMatch(/^<!doctype html>.*<\/html>\s*$/is);
    expect(report.clients).toEqual(['warehouse']);
    expect(report.snapshots.entries).toEqual(Array.from({ length: 24 }, () => 117));
    expect(report.changes.count.reduce((sum, count) => sum + count)).toBe(24);
    expect(report.materials.attributes.map(({ name }) => name)).toEqual(['Name', 'Group']);
    expect(report.findings.map(({ kind }) => kind)).toContain('codes with a balance that the list lacks');
  });

  test('leaves out what came before the time that is asked for, and who is not asked for', async () => {
    const out = join(temporaryFolder(), 'stock.html');
    const since = await adminHereOn(data, ['report', '--out', out, '--json', '--since', '25h']);
    expect(JSON.parse(since.stdout)).toMatchObject({ Snapshots: 8, Materials: 117 });
    await tables.put('ChangeTimestamps', { Client: 'silent', Timestamp: '2026-01-01T00:00:00,000Z' });
    const other = await adminHereOn(data, ['report', '--out', out, '--json', '--client', 'silent']);
    expect(JSON.parse(other.stdout)).toMatchObject({ Snapshots: 0, Materials: 0, Findings: 1 });
    expect(dataOf(readFileSync(out, 'utf8')).clients).toEqual(['silent']);
  });

  test("counts a change by its receipt, whatever the client's clock says", async () => {
    const lately = new Date(Date.now() - DAY_MS).toISOString();
    const longAgo = '2001-01-01T00:00:00.000Z';
    const put = (Timestamp: string, ReceivedAt?: string) =>
      tables.put('ChangeTimestamps', {
        Client: 'slow',
        Timestamp: Timestamp.replace('.', ','),
        ...(ReceivedAt ? { ReceivedAt } : {}),
      });
    await put(longAgo, lately);
    await put(lately, longAgo);
    await put('2001-01-02T00:00:00.000Z');
    await put(new Date(Date.now() - 2 * DAY_MS).toISOString());
    const out = join(temporaryFolder(), 'stock.html');
    await adminHereOn(data, ['report', '--out', out, '--client', 'slow']);
    const { changes, lastChangeAt } = dataOf(readFileSync(out, 'utf8'));
    expect(changes.count).toEqual([1, 1]);
    expect(lastChangeAt).toEqual([Date.parse(lately)]);
  });

  test('reads each list once', async () => {
    const options = { local: true, data, stack: 'WarehouseControl', separator: ',' };
    const session = await openSession({ optsWithGlobals: () => options });
    const { dynamodb, tables } = session.deployment;
    const send = vi.spyOn(dynamodb, 'send');
    await collectReport(session, {});
    const scanned = send.mock.calls.flatMap(([command]) =>
      command instanceof ScanCommand ? [command.input.TableName] : [],
    );
    expect(scanned).toEqual([tables.MaterialCodes, tables.PurchaseOrders]);
  });
});

describe('the file', () => {
  const html = [...reportHtml(sample())].join('');

  test('loads nothing, and forbids the browser to', () => {
    expect(html).not.toMatch(/(?:src|href|action|data)\s*=\s*["']?\s*(?:https?:|\/\/)/i);
    expect(html).not.toMatch(/@import|url\(\s*["']?(?:https?:|\/\/)|<(?:iframe|object|embed)\b/i);
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"`,
    );
  });

  test('holds hostile data as data', () => {
    expect(html.match(/<\/?script\b/gi)).toHaveLength(4);
    expect(html).not.toContain('<img');
    expect(dataOf(html)).toEqual(sample());
    expect(dataOf(html).units).toContain(HOSTILE_UNIT);
  });

  test('brings the notices of the packages in it, as a comment of its script', () => {
    const [, notices = '', code = ''] = /<script>\/\*!\n(.*?)\n\*\/(.*?)<\/script>/s.exec(html) ?? [];
    expect(notices).toMatch(/Copyright [-\d]+ Observable, Inc\./);
    expect(notices).toMatch(/Copyright [-\d]+ Mike Bostock/);
    expect(notices).toMatch(/Permission to use, copy, modify/);
    expect(code).toMatch(/^(?:"use strict";)?\(\(\)=>\{/);
  });

  test('takes some forty bytes for a balance with two points', () => {
    const of = (materials: number) => JSON.stringify(large(materials)).length;
    expect((of(20_000) - of(10_000)) / 10_000).toBeLessThan(45);
  });
});

const entry = (MaterialCode: string, StockBalance: number, StockBalanceUnit = 'kg') => ({
  MaterialCode,
  StockBalance,
  StockBalanceUnit,
  PurchaseOrders: [],
});

/** Of each client, what it said at the moments 0, 1 and so on. */
const historyOf = (clients: readonly { code: string; balance: number }[][][]) => {
  const history = createHistory();
  for (const [client, snapshots] of clients.entries()) {
    for (const [at, entries] of snapshots.entries()) {
      history.take({ client, at, entries: entries.map(({ code, balance }) => entry(code, balance)) });
    }
  }
  return history;
};

const modelOf = (history: ReturnType<typeof createHistory>) => {
  const { codes: code, ...columns } = history.columns();
  return toModel({ ...sample(), ...columns, materials: { code, attributes: [] } });
};

describe('the history', () => {
  const said = (...statements: [balance: number, unit?: string][]) => {
    const history = createHistory();
    for (const [at, [balance, unit]] of statements.entries()) {
      history.take({ client: 0, at, entries: [entry('A', balance, unit)] });
    }
    const model = modelOf(history);
    return model
      .rowsOf('A')
      .flatMap((row) => model.pointsOf(row).map(({ at, balance, unit }) => [at, balance, unit]));
  };

  test('keeps the first, the last and each that changes the balance or the unit', () => {
    expect(said([1], [1], [2], [2], [2, 't'], [2, 't'], [2, 't'])).toEqual([
      [0, 1, 'kg'],
      [2, 2, 'kg'],
      [4, 2, 't'],
      [6, 2, 't'],
    ]);
    expect(said([7])).toEqual([[0, 7, 'kg']]);
  });

  test('tells of any moment what was said last, of every client and material', () => {
    const statement = fc.record({
      code: fc.constantFrom('A', 'B', 'constructor'),
      balance: fc.integer({ max: 3 }),
    });
    const snapshots = fc.array(fc.uniqueArray(statement, { selector: ({ code }) => code }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(snapshots, snapshots, (...clients) => {
        const model = modelOf(historyOf(clients));
        for (const row of model.rows) {
          const points = model.pointsOf(row);
          const said = (clients[row.clientIndex] ?? []).flatMap((entries, at) =>
            entries.filter(({ code }) => code === row.code).map(({ balance }) => ({ at, balance })),
          );
          const told = said.map(({ at }) => ({
            at,
            balance: points.findLast((point) => point.at <= at)?.balance,
          }));
          expect(told).toEqual(said);
          expect(points.at(-1)).toMatchObject(said.at(-1) ?? {});
          expect([row.at, row.balance]).toEqual([points.at(-1)?.at, points.at(-1)?.balance]);
        }
      }),
    );
  });

  test('is thinned to the last of each day where there is too much, and then to that of more days', () => {
    const history = (most: number) => {
      const thinned = createHistory(most);
      for (let hour = 0; hour < 40 * 24; hour += 1) {
        thinned.take({ client: 0, at: hour * (DAY_MS / 24), entries: [entry('A', hour), entry('B', -hour)] });
      }
      const model = modelOf(thinned);
      const [row] = model.rowsOf('A');
      return { days: model.data.thinnedToDays, points: row ? model.pointsOf(row) : [] };
    };
    expect(history(2_000)).toMatchObject({ days: 0, points: { length: 960 } });
    const daily = history(200);
    expect(daily.days).toBe(1);
    expect(daily.points.map(({ balance }) => balance)).toEqual([
      0,
      ...Array.from({ length: 40 }, (_, day) => 24 * day + 23),
    ]);
    const least = history(2);
    expect(least.points.length).toBeLessThan(5);
    expect([least.points[0]?.balance, least.points.at(-1)?.balance]).toEqual([0, 959]);
  });
});

test('a line ends where its client goes on in another unit', () => {
  const points = [
    { at: 1, balance: 5, unit: 'kg' },
    { at: 2, balance: 6, unit: 't' },
    { at: 3, balance: 7, unit: 'kg' },
  ];
  const [line] = linesIn('kg', 'north', 0, points);
  expect(line?.spots.map(({ at, balance }) => [at.getTime(), balance])).toEqual([
    [1, 5],
    [2, 5],
    [2, Number.NaN],
    [3, 7],
  ]);
  expect(line?.isCurrent).toBe(true);
  expect(linesIn('t', 'north', 0, points)[0]?.isCurrent).toBe(false);
  expect(linesIn('m', 'north', 0, points)).toEqual([]);
});

test('silence is counted in whole days of the period, and up to its ends', () => {
  const since = MADE_AT - 3 * DAY_MS;
  const [north, south] = heardOf({
    ...sample(),
    since,
    snapshots: { client: [0, 0], at: [since + 1, MADE_AT - 1], entries: [1, 1] },
  });
  expect(north).toMatchObject({ snapshots: 2, silenceMs: 3 * DAY_MS - 2, silentDays: 2 });
  const [late] = heardOf({
    ...sample(),
    since: 0,
    snapshots: { client: [0], at: [MADE_AT], entries: [1] },
    changes: { client: [], day: [], count: [] },
  });
  expect(late?.silenceMs).toBe(30 * DAY_MS);
  expect(south).toMatchObject({ snapshots: 0, silenceMs: 3 * DAY_MS, silentDays: 2, lastSnapshotAt: null });
});

test('no licence can end the comment that it stands in, or the script', () => {
  const part = fc.constantFrom('*', '/', '**//', '<', '</script>', '<!--', '<script', '>', '\n', 'MIT');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const comment = asComment(parts.join(''));
      expect(comment.indexOf('*/')).toBe(comment.length - 2);
      expect(comment).not.toContain('<');
    }),
  );
  expect(asComment('a </script> */ b')).toBe('/*!\na &lt;/script> * / b\n*/');
});

test('a number is shown to its last digit', () => {
  const numbers = [0, -0.1, 1_234.5, 9_007_199_254_740_991, 1e-130, 0.000_001_234_567_890_12];
  expect(numbers.map(amount)).toEqual([
    '0',
    '−0.1',
    '1,234.5',
    '9,007,199,254,740,991',
    '1e-130',
    '0.00000123456789012',
  ]);
});

test('a difference has no more decimals than the numbers have', () => {
  expect(difference(-11.521, -11.997)).toBe(0.476);
  expect(difference(0.1, 1e-7)).toBe(0.0999999);
  expect(difference(1e-130, 1e-130)).toBe(0);
  expect(difference(9_007_199_254_740_991, 1)).toBe(9_007_199_254_740_990);
});

test('any code can stand in an address', () => {
  for (const code of ['Сталь-10/А', 'A,1', '%', '<img>#&']) expect(codeOf(hashOf(code))).toBe(code);
  expect(codeOf('#history')).toBeUndefined();
});

import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freezePage } from '../../admin/console/freeze-page.ts';
import { formatAmount } from '../../admin/console/page/format.ts';
import { toModel } from '../../admin/console/page/model.ts';
import { asComment } from '../../admin/console/page-bundle.ts';
import type { StockData } from '../../admin/console/stock/stock-data.ts';
import { createHistory } from '../../admin/console/stock/stock-history.ts';
import { DAY_MS } from '../../shared/time.ts';
import { entryOf, HOSTILE_UNIT, reportOf, sample } from '../browser/sample.ts';
import { temporaryFolder } from '../support/assembly.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment, putBatch } from './tables.ts';

const dataOf = (html: string): StockData => {
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json);
};

describe('the command', async () => {
  const { data, tables, names } = await emptyDeployment();
  for (const days of [5, 1.5, 1]) {
    const entries = [entryOf('A', days), entryOf('B', 1)].slice(0, days === 1 ? 1 : 2);
    await putBatch(names.BalanceSnapshots, 'warehouse', new Date(Date.now() - days * DAY_MS), entries);
  }
  await tables.put('MaterialCodes', { MaterialCode: 'B', Name: 'Bolt', Weight: 7.85 });
  await tables.put('MaterialCodes', { MaterialCode: 'C' });
  const ReceivedAt = new Date(Date.now() - DAY_MS).toISOString();
  const change = { Client: 'warehouse', Timestamp: ReceivedAt.replace('.', ','), ReceivedAt };
  await tables.put('ChangeTimestamps', change);

  const reportWith = async (...args: string[]) => {
    const out = join(temporaryFolder(), 'stock.html');
    const { stdout, ...outcome } = await adminHereOn(data, ['report', '--out', out, '--json', ...args]);
    const html = readFileSync(out, 'utf8');
    return { out, outcome, printed: JSON.parse(stdout), html, report: dataOf(html) };
  };

  test('writes one whole file that only its owner can read, and prints its figures', async () => {
    const { out, outcome, printed, html, report } = await reportWith();
    expect(outcome).toEqual({ code: 0, stderr: '' });
    const figures = { Snapshots: 3, Materials: 2, Findings: report.findings.length };
    expect(printed).toEqual({ File: out, Bytes: statSync(out).size, ...figures });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(html).toMatch(/^<!doctype html>.*<\/html>\s*$/is);
    expect(report).toMatchObject({ clients: ['warehouse'], snapshots: { entries: [2, 2, 1] } });
    expect(report.changes.count).toEqual([1]);
    expect(report.materials.attributes.map(({ name }) => name)).toEqual(['Name', 'Weight']);
    expect(report.findings.map(({ kind }) => kind)).toContain('no-balance');
  });

  test('includes only the period and the client of its options', async () => {
    expect((await reportWith('--since', '2d')).printed).toMatchObject({ Snapshots: 2 });
    await tables.put('ChangeTimestamps', { Client: 'silent', Timestamp: '2026-01-01T00:00:00,000Z' });
    const { printed, report } = await reportWith('--client', 'silent');
    expect(printed).toMatchObject({ Snapshots: 0, Materials: 0, Findings: 1 });
    expect(report.clients).toEqual(['silent']);
  });
});

describe('the file', () => {
  const html = [...freezePage(sample())].join('');

  test('loads nothing, and forbids the browser to load anything', () => {
    expect(html).not.toMatch(/(?:src|href|action|data)\s*=\s*["']?\s*(?:https?:|\/\/)/i);
    expect(html).not.toMatch(/@import|url\(\s*["']?(?:https?:|\/\/)|<(?:iframe|object|embed)\b/i);
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    const rules = "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
    expect(html).toContain(`content="default-src 'none'; script-src 'sha256-${hash}'; ${rules}"`);
  });

  test('holds hostile data as data', () => {
    expect(html.match(/<\/?script\b/gi)).toHaveLength(4);
    expect(html).not.toContain('<img');
    expect(dataOf(html)).toEqual(sample());
    expect(dataOf(html).units).toContain(HOSTILE_UNIT);
  });

  test('has the licences of its packages in a comment of its script', () => {
    const [, notices = '', code = ''] = /<script>\/\*!\n(.*?)\n\*\/(.*?)<\/script>/s.exec(html) ?? [];
    expect(notices).toMatch(/Copyright [-\d]+ Observable, Inc\./);
    expect(notices).toMatch(/Copyright [-\d]+ Mike Bostock/);
    expect(notices).toMatch(/Permission to use, copy, modify/);
    expect(code).toMatch(/^(?:"use strict";)?\(\(\)=>\{/);
  });
});

/** The snapshots come at 0, 1 and so on, or as many milliseconds apart. */
const modelOf = (snapshots: readonly ReturnType<typeof entryOf>[][], everyMs = 1, maxPoints?: number) => {
  const history = createHistory(maxPoints);
  for (const [index, entries] of snapshots.entries())
    history.add({ id: String(index), client: 0, at: index * everyMs, entries });
  return toModel(reportOf({ history }));
};

describe('the history', () => {
  test('keeps the first point, the last one and each change of the balance or the unit', () => {
    const kept = (...reports: [balance: number, unit?: string][]) => {
      const model = modelOf(reports.map(([balance, unit]) => [entryOf('A', balance, unit)]));
      const points = model.rowsOf('A').flatMap(({ points }) => points);
      return points.map(({ at, balance, unit }) => `${at}: ${balance} ${unit}`);
    };
    const reports = kept([1], [1], [2], [2], [2, 't'], [2, 't'], [2, 't']);
    expect(reports).toEqual(['0: 1 kg', '2: 2 kg', '4: 2 t', '6: 2 t']);
    expect(kept([7])).toEqual(['0: 7 kg']);
  });

  test('that is too long keeps the last point of each day, and then of ever more days', () => {
    const entriesAt = (hour: number) => [entryOf('A', hour), entryOf('B', -hour)];
    const hourly = Array.from({ length: 40 * 24 }, (_, hour) => entriesAt(hour));
    const history = (maxPoints: number) => {
      const model = modelOf(hourly, DAY_MS / 24, maxPoints);
      const points = model.rowsOf('A').flatMap(({ points }) => points);
      return { days: model.data.thinnedToDays, balances: points.map(({ balance }) => balance) };
    };
    expect(history(2_000)).toMatchObject({ days: 0, balances: { length: 960 } });
    const lastOfEachDay = Array.from({ length: 40 }, (_, day) => 24 * day + 23);
    expect(history(200)).toEqual({ days: 1, balances: [0, ...lastOfEachDay] });
    const least = history(2).balances;
    expect(least.length).toBeLessThan(5);
    expect([least[0], least.at(-1)]).toEqual([0, 959]);
  });
});

test('no licence can end its comment or the script', () => {
  for (const licence of ['MIT */ alert()', '**//', '</script><script>', '<!-- <script', '*/*/']) {
    const comment = asComment(licence);
    expect(comment.indexOf('*/')).toBe(comment.length - 2);
    expect(comment).not.toContain('<');
  }
});

test('a number is shown to its last digit', () => {
  const texts = [0, -0.1, 1_234.5, 9_007_199_254_740_991, 1e-130, 0.000_001_234_567_890_12].map(formatAmount);
  expect(texts.join(' ')).toBe('0 −0.1 1,234.5 9,007,199,254,740,991 1e-130 0.00000123456789012');
});

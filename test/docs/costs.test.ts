import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { priceOf } from '../../admin/stock/queries/estimate-older.ts';
import { computedTables } from '../../bench/costs.ts';
import { medianOf } from '../../bench/markdown.ts';
import { projectFolder } from '../support/run-app.ts';

test('the costs on their page are what `npm run costs` computes', () => {
  const page = readFileSync(join(projectFolder, 'docs/costs.md'), 'utf8');
  for (const [name, table] of Object.entries(computedTables()))
    expect(page).toContain(`<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
});

test('the price of older batches is that of the first read on the page', () => {
  const page = readFileSync(join(projectFolder, 'docs/costs-of-admins.md'), 'utf8');
  const rows = new Map(
    [...page.matchAll(/^\| ([A-Z][^|]*) \|(.*)\|$/gm)].map(([, name = '', cells = '']) => [
      name,
      cells.split('|').map((cell) => Number(cell.replaceAll(/[ ,]/g, ''))),
    ]),
  );
  const priced = rows.get('Batches')?.map((batches) => priceOf(batches * 200)) ?? [];
  expect(priced).toHaveLength(3);
  const names = { 'Read units': 'readUnits', 'GB sent': 'sentGb', Dollars: 'dollars' } as const;
  for (const [name, figure] of Object.entries(names)) {
    const ratios = priced.map((price, index) => price[figure] / (rows.get(name)?.[index] ?? 0));
    // The last column has the most digits.
    expect(Math.abs((ratios.at(-1) ?? 0) - 1)).toBeLessThan(0.01);
    for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
  }
  // Almost twice the time of the processor.
  const slower = (priced[2]?.minutes ?? 0) / (rows.get('Minutes of processor time')?.[2] ?? 0);
  expect(slower).toBeGreaterThan(1.6);
  expect(slower).toBeLessThan(2);
});

test('the median of measured numbers is the one in the middle of their order', () => {
  expect(medianOf([10, 9, 100])).toBe(10);
});

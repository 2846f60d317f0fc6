import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computedTables } from '../../bench/costs.ts';
import { medianOf } from '../../bench/markdown.ts';
import { projectFolder } from '../support/run-app.ts';

test('the costs on their page are what `npm run costs` computes', () => {
  const page = readFileSync(join(projectFolder, 'docs/costs.md'), 'utf8');
  for (const [name, table] of Object.entries(computedTables()))
    expect(page).toContain(`<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
});

test('the median of measured numbers is the one in the middle of their order', () => {
  expect(medianOf([10, 9, 100])).toBe(10);
});

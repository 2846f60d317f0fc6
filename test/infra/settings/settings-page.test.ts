import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Settings, toSettings } from '../../../infra/settings/settings.ts';
import { isRecord } from '../../../shared/http/json.ts';
import { projectFolder } from '../../support/run-app.ts';

const [, section = ''] = readFileSync(join(projectFolder, 'docs/deploying.md'), 'utf8').split(
  '\n## Settings\n',
);

/** The names in the first column of the section's table, each with the cell of its default. */
const rows = new Map(
  [...section.matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)].map(([, name = '', value = '']) => [
    name,
    value.trim(),
  ]),
);

/** The paths of the settings in a schema. */
const pathsOf = (schema: unknown, path = ''): string[] => {
  if (!isRecord(schema)) return [];
  if (schema['wrapped']) return pathsOf(schema['wrapped'], path);
  if (!isRecord(schema['entries'])) return [path];
  return Object.entries(schema['entries']).flatMap(([name, field]) =>
    pathsOf(field, path ? `${path}.${name}` : name),
  );
};

/** One row is for all tables. Without the name of a table, a value is that of BalanceSnapshots. */
const nameInPage = (path: string) => path.replace(/^warmThroughput\.(\w+\.)?/, 'warmThroughput.TABLE.');

test('the page of settings has a row for each setting of the schema, and no other', () => {
  const known = [...new Set(pathsOf(Settings).map(nameInPage))];
  expect(known).toContain('throttle.burst');
  const common = [...rows.keys()].filter((name) => !/^(plans\.|stages)/.test(name));
  expect(common.toSorted()).toEqual(known.toSorted());
});

test('the page of settings has a row for each field of a plan, with the default of the plan standard', () => {
  const [standard] = toSettings({}).plans;
  const shown = [...rows].filter(([name]) => name.startsWith('plans.NAME.'));
  const { name: _, batches, perDay, ...others } = standard ?? {};
  expect(Object.fromEntries(shown)).toEqual({
    ...Object.fromEntries(
      Object.entries(others).map(([name, value]) => [`plans.NAME.${name}`, `\`${value}\``]),
    ),
    ...Object.fromEntries(
      Object.entries(batches ?? {}).map(([name, value]) => [`plans.NAME.batches.${name}`, `\`${value}\``]),
    ),
    'plans.NAME.perDay': 'no quota',
  });
  expect(perDay).toBeUndefined();
});

test('the page of settings has the default of each setting that has one', () => {
  const defaults: unknown = toSettings({});
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), defaults);
  for (const path of pathsOf(Settings).filter((path) => path !== 'plans')) {
    const value = valueAt(path);
    const shown = typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
    if (shown === undefined) expect(rows.get(nameInPage(path))).not.toContain('`');
    else expect(rows.get(path)).toBe(`\`${shown}\``);
  }
});

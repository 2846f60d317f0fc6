import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Settings, toSettings } from '../../../infra/settings/settings.ts';
import { isRecord } from '../../../shared/schemas/json.ts';
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

test('the page of settings has a row for each setting of the schema, and no other', () => {
  const known = pathsOf(Settings);
  expect(known).toContain('clientLimits.batches.burst');
  const common = [...rows.keys()].filter((name) => !/^(clients\.|stages)/.test(name));
  expect(common.toSorted()).toEqual(known.toSorted());
});

test('the page of settings has the default of each setting that has one', () => {
  const defaults: unknown = toSettings({});
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), defaults);
  for (const path of pathsOf(Settings).filter((path) => path !== 'clients')) {
    const value = valueAt(path);
    const shown = typeof value === 'string' || value === undefined ? value : JSON.stringify(value);
    if (shown === undefined) expect(rows.get(path)).not.toContain('`');
    else expect(rows.get(path)).toBe(`\`${shown}\``);
  }
});

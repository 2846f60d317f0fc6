import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../support/run-app.ts';

/** The top folders, with the other folders that they may import from. */
const folders: Record<string, readonly string[]> = {
  shared: [],
  functions: ['shared'],
  infra: ['shared'],
  local: ['shared'],
  admin: ['shared'],
  'docs/openapi': ['shared'],
  prove: ['admin', 'shared'],
};

const RELATIVE_IMPORT = /(?:from|import\() ?'(\.[^']+)'/g;

const imports = new Map(
  globSync(`{${Object.keys(folders).join()}}/**/*.ts`, { cwd: projectFolder }).map((file) => {
    const source = readFileSync(join(projectFolder, file), 'utf8');
    const paths = [...source.matchAll(RELATIVE_IMPORT)].map(([, path = '']) => join(dirname(file), path));
    return [file, paths];
  }),
);
const filesIn = (folder: string) => [...imports.keys()].filter((file) => file.startsWith(`${folder}/`));

const reachedFrom = (files: readonly string[], reached = new Set<string>()) => {
  for (const file of files) {
    if (reached.has(file)) continue;
    reached.add(file);
    reachedFrom(imports.get(file) ?? [], reached);
  }
  return reached;
};

describe.each(Object.entries(folders))('%s', (folder, allowed) => {
  test(`imports from ${[folder, ...allowed].join(' and ')} only`, () => {
    const imported = filesIn(folder).flatMap((file) => imports.get(file) ?? []);
    expect(imported.length).toBeGreaterThan(5);
    const isAllowed = (file: string) => [folder, ...allowed].some((name) => file.startsWith(`${name}/`));
    expect(imported.filter((file) => !isAllowed(file))).toEqual([]);
  });
});

test('every file of shared/ is reached from at least two other folders', () => {
  // The proof reaches most files of admin/ and so adds no user of its own.
  const users = Object.keys(folders).filter((folder) => !['shared', 'prove'].includes(folder));
  const reached = users.map((folder) => reachedFrom(filesIn(folder)));
  const usersOf = (file: string) => users.filter((_, index) => reached[index]?.has(file));
  expect(filesIn('shared').filter((file) => usersOf(file).length < 2)).toEqual([]);
});

test('no folder of the source has import cycles', () => {
  const cycles = [...imports.keys()].filter((file) => reachedFrom(imports.get(file) ?? []).has(file));
  expect(cycles).toEqual([]);
});

test('in functions/ and shared/, only the store and storage folders call DynamoDB', () => {
  const CLIENT_IMPORT = /import (?!type)[^;]*'@aws-sdk\/(client|lib)-dynamodb'/;
  const callers = [...filesIn('functions'), ...filesIn('shared')].filter((file) =>
    CLIENT_IMPORT.test(readFileSync(join(projectFolder, file), 'utf8')),
  );
  expect(callers.length).toBeGreaterThan(0);
  expect(callers.filter((file) => !/^(functions\/store|shared\/storage)\//.test(file))).toEqual([]);
});

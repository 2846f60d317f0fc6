import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../support/local-run.ts';

/** What each room may import of the house, beside itself. */
const rooms = {
  shared: [],
  functions: ['shared'],
  infra: ['shared'],
  local: ['shared'],
  admin: ['shared'],
  'docs/openapi': ['shared'],
} satisfies Record<string, string[]>;

const IMPORT = /(?:from|import\() ?'(\.[^']+)'/g;

/** The files of a room, each with the files of the house that it imports. */
const importsOf = (room: string) =>
  globSync(`${room}/**/*.ts`, { cwd: projectFolder }).flatMap((file) => {
    const source = readFileSync(join(projectFolder, file), 'utf8');
    return [...source.matchAll(IMPORT)].map(([, path = '']) => ({
      file,
      imported: relative('.', join(dirname(file), path)),
    }));
  });

test.each(Object.entries(rooms))('the room %s imports, beside itself, nothing but %j', (room, allowed) => {
  const imports = importsOf(room);
  expect(imports.length).toBeGreaterThan(5);
  const isAllowed = (imported: string) => [room, ...allowed].some((each) => imported.startsWith(`${each}/`));
  expect(imports.filter(({ imported }) => !isAllowed(imported))).toEqual([]);
});

test('nothing but shared/store speaks to DynamoDB in what runs in Lambda', () => {
  const files = globSync(['shared/**/*.ts', 'functions/**/*.ts'], { cwd: projectFolder });
  const speaking = files.filter(
    (file) =>
      !file.startsWith('shared/store/') &&
      /import (?!type)[^;]*'@aws-sdk\/(client|lib)-dynamodb'/.test(
        readFileSync(join(projectFolder, file), 'utf8'),
      ),
  );
  expect(speaking).toEqual([]);
});

import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../support/run-app.ts';

/** The rooms, with the other rooms that they may import from. */
const rooms: Record<string, readonly string[]> = {
  shared: [],
  functions: ['shared'],
  infra: ['shared'],
  local: ['shared'],
  admin: ['shared'],
  'docs/openapi': ['shared'],
  doctor: ['admin', 'infra', 'shared'],
};

const RELATIVE_IMPORT = /(?:from|import\(|import) ?'(\.[^']+)'/g;

const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
const files = globSync(`{${Object.keys(rooms).join()}}/**/*.{ts,tsx}`, { cwd: projectFolder });
const importsIn = (file: string, code: string) =>
  [...code.matchAll(RELATIVE_IMPORT)].map(([, path = '']) => join(dirname(file), path));
const imports = new Map(files.map((file) => [file, importsIn(file, read(file))]));
const filesIn = (room: string) => [...imports.keys()].filter((file) => file.startsWith(`${room}/`));

/** The folders and files of the console's page import each other. */
const PAGE = 'admin/console/page';

type Graph = ReadonlyMap<string, readonly string[]>;

const reachedFrom = (graph: Graph, starts: readonly string[], reached = new Set<string>()) => {
  for (const start of starts) {
    if (reached.has(start)) continue;
    reached.add(start);
    reachedFrom(graph, graph.get(start) ?? [], reached);
  }
  return reached;
};

/** What can be reached from itself. */
const circlesIn = (graph: Graph) =>
  [...graph.keys()].filter((start) => reachedFrom(graph, graph.get(start) ?? []).has(start));

test.each(Object.entries(rooms))('%s imports only from itself and from %j', (room, allowed) => {
  const imported = filesIn(room).flatMap((file) => imports.get(file) ?? []);
  expect(imported.length).toBeGreaterThan(5);
  const isAllowed = (file: string) => [room, ...allowed].some((name) => file.startsWith(`${name}/`));
  expect(imported.filter((file) => !isAllowed(file))).toEqual([]);
});

/** A file beside the folders counts as a folder of its own. Folders below the depth are part of the one above. */
const folderAt = (room: string, depth: number) => (file: string) => {
  if (file.startsWith(`${PAGE}/`)) return PAGE;
  const folders = dirname(file).slice(room.length + 1);
  return folders === '' ? file : folders.split('/').slice(0, depth).join('/');
};

test.each(Object.keys(rooms))(
  '%s has no circle between its folders, with and without those inside',
  (room) => {
    for (const depth of [1, 2, 3]) {
      const folderOf = folderAt(room, depth);
      const graph = new Map<string, string[]>();
      for (const file of filesIn(room)) {
        const folder = folderOf(file);
        const inRoom = (imports.get(file) ?? []).filter((other) => other.startsWith(`${room}/`));
        const others = inRoom.map(folderOf).filter((other) => other !== folder);
        graph.set(folder, [...(graph.get(folder) ?? []), ...others]);
      }
      expect(circlesIn(graph)).toEqual([]);
    }
  },
);

describe('in admin, only cli prints', () => {
  const others = filesIn('admin').filter((file) => !file.startsWith('admin/cli/'));

  test('nothing else imports it', () => {
    const imported = others.flatMap((file) => imports.get(file) ?? []);
    expect(imported).toContain('admin/text/words.ts');
    expect(imported.filter((file) => file.startsWith('admin/cli/'))).toEqual([]);
  });

  test('nothing else has a terminal', () => {
    const TERMINAL = /\bprocess\.std(out|err)|\bconsole\.\w+\(|\bstd(out|err)\b.*= process\b/;
    expect(others.filter((file) => TERMINAL.test(read(file)))).toEqual([]);
  });
});

test("the console's own process loads nothing that reads a file to import or keeps the stock", () => {
  const TYPES = /^import type .*?;$/gms;
  const loaded = new Map(files.map((file) => [file, importsIn(file, read(file).replaceAll(TYPES, ''))]));
  const reached = [...reachedFrom(loaded, ['admin/cli/console.ts'])];
  expect(reached).toContain('admin/console/server/lists-routes.ts');
  const elsewhere = /^admin\/(lists\/files|stock\/loading)\//;
  expect(reached.filter((file) => elsewhere.test(file))).toEqual([]);
});

test('no file imports itself through others', () => {
  expect(circlesIn(imports).filter((file) => !file.startsWith(`${PAGE}/`))).toEqual([]);
});

test('every file of shared/ is reached from at least two other rooms', () => {
  const users = ['functions', 'infra', 'local', 'admin', 'docs/openapi'];
  const reached = users.map((room) => reachedFrom(imports, filesIn(room)));
  const isShared = (file: string) => reached.filter((files) => files.has(file)).length > 1;
  expect(filesIn('shared').filter((file) => !isShared(file))).toEqual([]);
});

test.each([
  ['the challenge', 'Basic realm='],
  ['the removal of the logger', 'loggerMiddleware'],
  ['the rule for ports', 'EADDRINUSE'],
  ['the replacement of a file', 'renameSync('],
  ['the handler of a list', 'list.read('],
])('%s exists once', (_, text) => {
  expect([...imports.keys()].filter((file) => read(file).includes(text))).toHaveLength(1);
});

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { folderOf, hashSources, reuseOrSynthesize } from '../../local/synthesis-cache.ts';
import { temporaryFolder } from '../support/assembly.ts';

const write = (folder: string, path: string, text: string) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const newProject = () => {
  const folder = temporaryFolder();
  for (const path of ['infra/app.ts', 'shared/tables.ts', 'package-lock.json', 'cdk.json'])
    write(folder, path, `text of ${path}`);
  return folder;
};

afterEach(() => vi.unstubAllEnvs());

describe('hashSources', () => {
  test.each([
    'infra/app.ts',
    'functions/http/body.ts',
    'shared/new/file.ts',
    'local/synthesis.ts',
    'package.json',
    'package-lock.json',
    'node_modules/.package-lock.json',
    'cdk.json',
    'cdk.context.json',
    'tsconfig.json',
  ])('changes with %s, and back', (path) => {
    const project = newProject();
    const previous = existsSync(join(project, path)) ? readFileSync(join(project, path), 'utf8') : undefined;
    const before = hashSources(project, {});
    write(project, path, 'other text');
    expect(hashSources(project, {})).not.toBe(before);
    if (previous === undefined) rmSync(join(project, path));
    else write(project, path, previous);
    expect(hashSources(project, {})).toBe(before);
  });

  test("changes with a renamed file, the settings, the variables and the user's settings of the CDK", () => {
    const home = temporaryFolder();
    vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
    const project = newProject();
    const hashes = [
      hashSources(project, {}),
      hashSources(project, { stage: 'test' }),
      hashSources(project, { 'warehouse-control': '{"clients":["north"]}' }),
    ];
    write(home, '.cdk.json', '{}');
    hashes.push(hashSources(project, {}));
    for (const name of ['CDK_CONTEXT', 'ESBUILD_BINARY_PATH']) {
      vi.stubEnv(name, 'text');
      hashes.push(hashSources(project, {}));
    }
    rmSync(join(project, 'shared/tables.ts'));
    write(project, 'shared/rows.ts', 'text of shared/tables.ts');
    hashes.push(hashSources(project, {}));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('stays the same when a file changes that a synthesis does not read', () => {
    const project = newProject();
    const before = hashSources(project, {});
    for (const path of ['docs/local.md', 'admin/main.ts', '.local/outputs.json'])
      write(project, path, 'text');
    expect(hashSources(project, {})).toBe(before);
  });
});

test('each stage and the demo have a synthesis of their own', () => {
  const contexts = [{}, { stage: 'test' }, { 'warehouse-control': '{}' }];
  expect(new Set(contexts.map((context) => folderOf('.local', context))).size).toBe(contexts.length);
});

describe('reuseOrSynthesize', () => {
  const synthesisOf = (text: string) => async (output: string) => write(output, 'manifest.json', text);
  const use = async (folder: string, hash: string, text: string) => {
    const { assemblyFolder, isReused } = await reuseOrSynthesize(folder, () => hash, synthesisOf(text));
    return { isReused, text: readFileSync(join(assemblyFolder, 'manifest.json'), 'utf8') };
  };

  test('synthesizes once for the same sources, and again for others', async () => {
    const folder = temporaryFolder();
    expect(await use(folder, 'one', '1')).toEqual({ isReused: false, text: '1' });
    expect(await use(folder, 'one', '2')).toEqual({ isReused: true, text: '1' });
    expect(await use(folder, 'other', '3')).toEqual({ isReused: false, text: '3' });
    expect(await use(folder, 'one', '4')).toEqual({ isReused: false, text: '4' });
  });

  test('deletes the remains of a failed synthesis', async () => {
    const folder = temporaryFolder();
    write(folder, 'of-a-killed-run/half.json', 'text');
    const fail = async (output: string) => {
      write(output, 'half.json', 'text');
      throw new Error('It failed.');
    };
    await expect(reuseOrSynthesize(folder, () => 'hash', fail)).rejects.toThrow('It failed.');
    expect(await use(folder, 'hash', '1')).toEqual({ isReused: false, text: '1' });
    expect(readdirSync(folder, { recursive: true }).join()).not.toContain('half.json');
  });

  test('uses a synthesis during which a source changed, but not again', async () => {
    const folder = temporaryFolder();
    let source = 'before';
    const synthesize = async (output: string) => {
      await synthesisOf('1')(output);
      source = 'after';
    };
    const { assemblyFolder } = await reuseOrSynthesize(folder, () => source, synthesize);
    expect(readdirSync(assemblyFolder)).toEqual(['manifest.json']);
    expect(await use(folder, 'before', '2')).toMatchObject({ isReused: false });
  });
});

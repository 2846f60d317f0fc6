import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashSources, reuseOrSynthesize } from '../../local/synthesis-cache.ts';
import { temporaryFolder } from '../support/assembly.ts';

const write = (folder: string, path: string, text: string) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const newProject = () => {
  const folder = temporaryFolder();
  for (const path of [
    'infra/app.ts',
    'functions/http/body.ts',
    'shared/tables.ts',
    'package-lock.json',
    'cdk.json',
  ])
    write(folder, path, `text of ${path}`);
  return folder;
};

describe('hashSources', () => {
  test.each([
    'infra/app.ts',
    'functions/http/body.ts',
    'shared/tables.ts',
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

  test('changes with a file that is removed or renamed', () => {
    const project = newProject();
    const before = hashSources(project, {});
    rmSync(join(project, 'shared/tables.ts'));
    const without = hashSources(project, {});
    write(project, 'shared/rows.ts', 'text of shared/tables.ts');
    expect(new Set([before, without, hashSources(project, {})]).size).toBe(3);
  });

  test("changes with the CDK's settings of the user", () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const home = temporaryFolder();
    vi.stubEnv('HOME', home);
    vi.stubEnv('USERPROFILE', home);
    const project = newProject();
    const before = hashSources(project, {});
    write(home, '.cdk.json', '{}');
    expect(hashSources(project, {})).not.toBe(before);
  });

  test('changes with the stage, the settings and the variables of the CDK and of esbuild', () => {
    const project = newProject();
    const hashes = [
      hashSources(project, {}),
      hashSources(project, { stage: 'test' }),
      hashSources(project, { stage: 'production' }),
      hashSources(project, { 'warehouse-control': '{"clients":["north"]}' }),
    ];
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of ['CDK_CONTEXT', 'ESBUILD_BINARY_PATH']) {
      vi.stubEnv(name, 'text');
      hashes.push(hashSources(project, {}));
    }
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

describe('reuseOrSynthesize', () => {
  const synthesisOf = (text: string) => async (output: string) => write(output, 'manifest.json', text);
  const fails = async (output: string) => {
    write(output, 'half.json', 'text');
    throw new Error('It failed.');
  };
  const isNotCalled = () => Promise.reject(new Error('There was another synthesis.'));

  test('synthesizes once for each hash', async () => {
    const folder = temporaryFolder();
    const first = await reuseOrSynthesize(folder, () => 'first', synthesisOf('1'));
    const second = await reuseOrSynthesize(folder, () => 'second', synthesisOf('2'));
    expect([first.isReused, second.isReused]).toEqual([false, false]);
    for (const { hash, text } of [
      { hash: 'first', text: '1' },
      { hash: 'second', text: '2' },
    ]) {
      const { assemblyFolder, isReused } = await reuseOrSynthesize(folder, () => hash, isNotCalled);
      expect(isReused).toBe(true);
      expect(readFileSync(join(assemblyFolder, 'manifest.json'), 'utf8')).toBe(text);
    }
  });

  test('never uses the result of a failed synthesis', async () => {
    const folder = temporaryFolder();
    await expect(reuseOrSynthesize(folder, () => 'hash', fails)).rejects.toThrow('It failed.');
    const { assemblyFolder, isReused } = await reuseOrSynthesize(folder, () => 'hash', synthesisOf('1'));
    expect(isReused).toBe(false);
    expect(readdirSync(assemblyFolder)).toEqual(['manifest.json']);
  });

  test('deletes what a killed run has left, and synthesizes in a folder of its own', async () => {
    const folder = temporaryFolder();
    write(folder, 'unfinished-1/half.json', 'text');
    const outputs: string[] = [];
    await reuseOrSynthesize(
      folder,
      () => 'hash',
      async (output) => {
        outputs.push(output);
        await synthesisOf('1')(output);
      },
    );
    expect(outputs).toEqual([join(folder, `unfinished-${process.pid}`)]);
    expect(readdirSync(folder)).toEqual(['hash']);
  });

  test('uses a synthesis during which a source changed, but does not keep it', async () => {
    const folder = temporaryFolder();
    let source = 'before';
    const { assemblyFolder } = await reuseOrSynthesize(
      folder,
      () => source,
      async (output) => {
        await synthesisOf('1')(output);
        source = 'after';
      },
    );
    expect(readdirSync(assemblyFolder)).toEqual(['manifest.json']);
    for (const hash of ['before', 'after']) {
      const again = await reuseOrSynthesize(folder, () => hash, synthesisOf('2'));
      expect(again.isReused).toBe(false);
    }
  });

  test('keeps the syntheses that were used last', async () => {
    const folder = temporaryFolder();
    let seconds = 0;
    const use = async (hash: string) => {
      const { assemblyFolder, isReused } = await reuseOrSynthesize(folder, () => hash, synthesisOf(hash));
      // Folders that are made soon after each other may get the same time.
      if (!isReused) utimesSync(assemblyFolder, seconds, seconds);
      seconds += 1;
      return isReused;
    };
    for (const hash of ['a', 'b', 'c', 'd', 'a', 'e']) await use(hash);
    expect(readdirSync(folder).toSorted()).toEqual(['a', 'c', 'd', 'e']);
    expect(await use('a')).toBe(true);
  });
});

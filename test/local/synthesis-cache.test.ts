import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hashSources, reuseOrSynthesize, stageFolder } from '../../local/synthesis/synthesis-cache.ts';
import { temporaryFolder } from '../support/assembly.ts';

const write = (folder: string, path: string, text: string) => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

afterEach(() => vi.unstubAllEnvs());

const READ = [
  'infra/app.ts',
  'functions/http/body.ts',
  'shared/new/file.ts',
  'local/synthesis/synthesis.ts',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'cdk.json',
  'cdk.context.json',
  'tsconfig.json',
];

test('the hash changes with each file, setting and variable that a synthesis reads, and with no other', () => {
  const [project, home] = [temporaryFolder(), temporaryFolder()];
  vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
  const hashes = [hashSources(project, undefined)];
  const addHash = () => hashes.push(hashSources(project, undefined));
  for (const path of READ) {
    for (const text of ['text', 'other text']) {
      write(project, path, text);
      addHash();
    }
  }
  renameSync(join(project, 'infra/app.ts'), join(project, 'infra/main.ts'));
  addHash();
  write(home, '.cdk.json', '{}');
  addHash();
  for (const name of ['CDK_CONTEXT', 'ESBUILD_BINARY_PATH']) {
    vi.stubEnv(name, 'text');
    addHash();
  }
  hashes.push(hashSources(project, 'test'));
  expect(new Set(hashes).size).toBe(hashes.length);

  for (const path of ['docs/local.md', 'admin/cli/main.ts', '.local/outputs.json'])
    write(project, path, 'text');
  expect(hashSources(project, 'test')).toBe(hashes.at(-1));
});

test('settings in a home folder that cannot be read do not count, and a user without a home folder gets a sentence', () => {
  const [project, home] = [temporaryFolder(), temporaryFolder()];
  const without = hashSources(project, undefined);
  vi.stubEnv('HOME', home).stubEnv('USERPROFILE', home);
  // A link to itself cannot be read, even by root.
  symlinkSync('.cdk.json', join(home, '.cdk.json'));
  expect(hashSources(project, undefined)).toBe(without);
  const noHome = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  const message = expect.stringMatching(/^Your user has no home folder.+Set HOME/);
  const sentence = expect.objectContaining({ name: 'StartupError', message });
  expect(() => hashSources(project, undefined, noHome)).toThrow(sentence);
});

test('each stage has a synthesis of its own', () => {
  const folders = [undefined, 'test', 'production'].map((stage) => stageFolder('.local', stage));
  expect(new Set(folders).size).toBe(folders.length);
});

describe('reuseOrSynthesize', () => {
  const synthesisOf = (text: string) => async (output: string) => write(output, 'manifest.json', text);
  const use = async (folder: string, hash: string, text: string) => {
    const { assemblyFolder, isReused } = await reuseOrSynthesize(folder, () => hash, synthesisOf(text));
    return { isReused, text: readFileSync(join(assemblyFolder, 'manifest.json'), 'utf8') };
  };

  test('synthesizes once for the same sources, also if the folder is moved, and again for others', async () => {
    const folder = temporaryFolder();
    const moved = join(temporaryFolder(), 'moved');
    expect(await use(folder, 'one', '1')).toEqual({ isReused: false, text: '1' });
    expect(await use(folder, 'one', '2')).toEqual({ isReused: true, text: '1' });
    renameSync(folder, moved);
    expect(await use(moved, 'one', '2')).toEqual({ isReused: true, text: '1' });
    expect(await use(moved, 'other', '3')).toEqual({ isReused: false, text: '3' });
  });

  test('deletes the remains of a failed synthesis and of a crash', async () => {
    const folder = temporaryFolder();
    const fail = async (output: string) => {
      write(output, 'half.json', 'text');
      throw new Error('It failed.');
    };
    await expect(reuseOrSynthesize(folder, () => 'hash', fail)).rejects.toThrow('It failed.');
    // A crash of the machine can empty a new file.
    write(folder, 'synthesis.txt', '');
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
    await reuseOrSynthesize(folder, () => source, synthesize);
    expect(await use(folder, 'before', '2')).toMatchObject({ isReused: false });
  });
});

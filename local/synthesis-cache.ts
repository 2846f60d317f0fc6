import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SynthesisContext } from './synthesis.ts';

/** Enough to switch between a few stages, with and without the demo. */
const MAX_CACHED = 4;

/**
 * Returns the cached synthesis of the current sources, or creates it. The caller must lock the folder, because old
 * syntheses are deleted.
 */
export const reuseOrSynthesize = async (
  folder: string,
  hashSources: () => string,
  synthesize: (output: string) => Promise<void>,
) => {
  const hash = hashSources();
  const cached = join(folder, hash);
  if (existsSync(cached)) {
    const now = new Date();
    utimesSync(cached, now, now);
    return { assemblyFolder: cached, isReused: true };
  }
  deleteAllButNewest(folder, MAX_CACHED - 1);
  const unfinished = join(folder, UNFINISHED);
  await synthesize(unfinished);
  // If a source changed during the synthesis, the hash does not describe the result.
  if (hashSources() !== hash) return { assemblyFolder: unfinished, isReused: false };
  renameSync(unfinished, cached);
  return { assemblyFolder: cached, isReused: false };
};

const UNFINISHED = 'unfinished';

const deleteAllButNewest = (folder: string, count: number) => {
  const newestFirst = readdirSync(folder)
    .filter((name) => name !== UNFINISHED)
    .map((name) => ({ name, usedAt: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.usedAt - one.usedAt);
  const old = newestFirst.slice(count).map(({ name }) => name);
  for (const name of [UNFINISHED, ...old]) rmSync(join(folder, name), { recursive: true, force: true });
};

/** The files that a synthesis reads. The second lock file lists the installed packages. */
const SOURCES = [
  '{infra,functions,shared}/**',
  'cdk.json',
  'cdk.context.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];

export const hashSources = (project: string, context: SynthesisContext) => {
  const hash = createHash('sha256');
  // The length separates the texts, so "ab" and "c" differ from "a" and "bc".
  const add = (text: string | Buffer) => hash.update(`${text.length}:`).update(text);
  const environment = Object.entries(process.env).filter(([name]) => name.startsWith('CDK_'));
  add(JSON.stringify([process.version, context.stage, context['warehouse-control'], environment.toSorted()]));
  const paths = [...globSync(SOURCES, { cwd: project }).toSorted(), USER_SETTINGS, SYNTHESIS_CODE];
  for (const path of paths) {
    const file = resolve(project, path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    add(path);
    add(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
};

/** The CDK reads the user's settings as well. */
const USER_SETTINGS = join(homedir(), '.cdk.json');

const SYNTHESIS_CODE = fileURLToPath(new URL('synthesis.ts', import.meta.url));

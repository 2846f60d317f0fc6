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
  const unfinished = join(folder, `${UNFINISHED}-${process.pid}`);
  await synthesize(unfinished);
  // If a source changed during the synthesis, the hash does not describe the result.
  if (hashSources() !== hash) return { assemblyFolder: unfinished, isReused: false };
  renameSync(unfinished, cached);
  return { assemblyFolder: cached, isReused: false };
};

/** With the process id, because the synthesis of a killed run may still write. */
const UNFINISHED = 'unfinished';

const deleteAllButNewest = (folder: string, count: number) => {
  const names = readdirSync(folder);
  const isUnfinished = (name: string) => name.startsWith(UNFINISHED);
  const newestFirst = names
    .filter((name) => !isUnfinished(name))
    .map((name) => ({ name, usedAt: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.usedAt - one.usedAt);
  const old = newestFirst.slice(count).map(({ name }) => name);
  for (const name of [...names.filter(isUnfinished), ...old])
    rmSync(join(folder, name), { recursive: true, force: true });
};

/** The files that a synthesis reads. The second lock file lists the installed packages. */
const SOURCES = [
  '{infra,functions,shared}/**',
  'local/synthesis.ts',
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
  const environment = Object.entries(process.env).filter(([name]) => /^(CDK|ESBUILD)_/.test(name));
  add(JSON.stringify([process.version, context.stage, context['warehouse-control'], environment.toSorted()]));
  // The CDK also reads the user's settings.
  const paths = [...globSync(SOURCES, { cwd: project }).toSorted(), join(homedir(), '.cdk.json')];
  for (const path of paths) {
    const file = resolve(project, path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
    add(path);
    add(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
};

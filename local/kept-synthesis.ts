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

/** Enough for a few stages, with and without the demo. */
const MAX_KEPT = 4;

/**
 * Returns a synthesis of the current sources from the folder, or adds one. The caller must lock the folder, because this
 * removes old syntheses.
 */
export const reuseOrSynthesize = async (
  folder: string,
  hashSources: () => string,
  synthesize: (output: string) => Promise<void>,
) => {
  const hash = hashSources();
  const kept = join(folder, hash);
  if (existsSync(kept)) {
    const now = new Date();
    utimesSync(kept, now, now);
    return { assemblyFolder: kept, isReused: true };
  }
  removeOld(folder);
  const unfinished = join(folder, UNFINISHED);
  await synthesize(unfinished);
  // After an edit during the synthesis, the hash does not describe the result.
  if (hashSources() !== hash) return { assemblyFolder: unfinished, isReused: false };
  renameSync(unfinished, kept);
  return { assemblyFolder: kept, isReused: false };
};

const UNFINISHED = 'unfinished';

const removeOld = (folder: string) => {
  const newestFirst = readdirSync(folder)
    .filter((name) => name !== UNFINISHED)
    .map((name) => ({ name, usedAt: statSync(join(folder, name)).mtimeMs }))
    .toSorted((one, other) => other.usedAt - one.usedAt);
  const old = newestFirst.slice(MAX_KEPT - 1).map(({ name }) => name);
  for (const name of [UNFINISHED, ...old]) rmSync(join(folder, name), { recursive: true, force: true });
};

/** Everything that a synthesis reads. The second lock file lists the packages that are installed. */
const SOURCES = [
  '{infra,functions,shared}/**',
  'cdk.json',
  'cdk.context.json',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.json',
];

/** A hash of everything that a synthesis of the project depends on. */
export const hashSources = (project: string, context: SynthesisContext) => {
  const hash = createHash('sha256');
  // The length marks where each text ends.
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

/** The CDK merges them into the context. */
const USER_SETTINGS = join(homedir(), '.cdk.json');

const SYNTHESIS_CODE = fileURLToPath(new URL('synthesis.ts', import.meta.url));

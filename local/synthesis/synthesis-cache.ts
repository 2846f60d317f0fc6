import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeAtomically } from '../data-folder.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Returns the kept synthesis if its sources are unchanged. Otherwise synthesizes again. The caller must lock the folder,
 * because the old synthesis is deleted.
 */
export const reuseOrSynthesize = async (
  folder: string,
  hashSources: () => string,
  synthesize: (output: string) => Promise<void>,
) => {
  const hash = hashSources();
  const note = join(folder, 'synthesis.json');
  const kept = readNote(note);
  if (kept.hash === hash) return { assemblyFolder: String(kept.assemblyFolder), isReused: true };
  rmSync(folder, { recursive: true, force: true });
  // With the process id, because the synthesis of a killed run may still write.
  const assemblyFolder = join(folder, String(process.pid));
  await synthesize(assemblyFolder);
  // If a source changed during the synthesis, the hash does not describe the result.
  if (hashSources() === hash) writeAtomically(note, JSON.stringify({ hash, assemblyFolder }));
  return { assemblyFolder, isReused: false };
};

const readNote = (path: string) => (existsSync(path) ? Object(JSON.parse(readFileSync(path, 'utf8'))) : {});

/** The files that a synthesis reads. The hidden lock file lists the installed packages. */
const SOURCES = [
  '{infra,functions,shared}/**',
  'local/synthesis/synthesis.ts',
  '{cdk,cdk.context,package,package-lock,tsconfig}.json',
  'node_modules/.package-lock.json',
];

export const hashSources = (project: string, stage: string | undefined, findHome = homedir) => {
  const environment = Object.entries(process.env).filter(([name]) => /^(CDK|ESBUILD)_/.test(name));
  // The CDK also reads the user's settings.
  const paths = [...globSync(SOURCES, { cwd: project }).toSorted(), join(homeOf(findHome), '.cdk.json')];
  const files = paths
    .map((path) => [path, textOf(resolve(project, path))])
    .filter(([, text]) => text !== undefined);
  return hashOf([process.version, stage, environment.toSorted(), files]);
};

/** In a container, a user may have neither HOME nor an entry in the list of users. */
const homeOf = (findHome: () => string) => {
  try {
    return findHome();
  } catch {
    throw new StartupError('Your user has no home folder, and the CDK needs one. Set HOME to a folder.');
  }
};

/** Undefined for a folder, and for a file that cannot be read: if the CDK needs that file, its own error is better. */
const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Each stage has a folder, so that its synthesis does not replace that of another. */
export const stageFolder = (folder: string, stage: string | undefined) => join(folder, hashOf([stage]));

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

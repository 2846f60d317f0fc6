import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeAtomically } from '../data-folder.ts';
import { StartupError } from '../startup-error.ts';

/**
 * Returns the last synthesis if its sources are unchanged. Otherwise deletes the folder and synthesizes again. The caller
 * must lock the folder.
 */
export const reuseOrSynthesize = async (
  folder: string,
  hashSources: () => string,
  synthesize: (output: string) => Promise<void>,
) => {
  const hash = hashSources();
  const noteFile = join(folder, 'synthesis.txt');
  // The note has no path, because the folder may be moved.
  const [lastHash, lastName = ''] = (textOf(noteFile) ?? '').split(' ');
  if (lastHash === hash) return { assemblyFolder: join(folder, lastName), isReused: true };
  rmSync(folder, { recursive: true, force: true });
  // The synthesis of a killed run may still write, so each process has a folder.
  const name = String(process.pid);
  const assemblyFolder = join(folder, name);
  await synthesize(assemblyFolder);
  // If a source changed during the synthesis, the hash does not describe the result.
  if (hashSources() === hash) writeAtomically(noteFile, `${hash} ${name}`);
  return { assemblyFolder, isReused: false };
};

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

/** Undefined for a folder or an unreadable file. If the CDK needs the file, the error of the CDK explains more. */
const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** Each stage has a folder, so the synthesis of a stage does not replace the synthesis of another stage. */
export const stageFolder = (folder: string, stage: string | undefined) => join(folder, hashOf([stage]));

const hashOf = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

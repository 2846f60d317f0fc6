import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { cdkJson, type Result, runApp } from './run-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assemblyFolder: string;
  }
}

const FAILED = 'failed';
const SAID = 'said.json';

/** One synthesis of the settings of cdk.json for the whole run, made beside the tests that need none. */
const synthesisWith = (bundling: boolean) => (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-assembly-'));
  project.provide('assemblyFolder', join(folder, 'assembly'));
  const isMade = make(folder, bundling).catch((error: unknown) =>
    writeFileSync(join(folder, FAILED), String(error)),
  );
  return async () => {
    await isMade;
    rmSync(folder, { recursive: true });
  };
};

const make = async (folder: string, bundling: boolean) => {
  const outdir = join(folder, 'making');
  const result = await runApp({ outdir, settings: cdkJson.context['warehouse-control'], bundling });
  if (result.exitCode !== 0) throw new Error(result.stderr);
  writeFileSync(join(folder, SAID), JSON.stringify(result));
  renameSync(outdir, join(folder, 'assembly'));
};

export const setup = synthesisWith(true);

/** For the template alone. */
export const setupWithoutBundles = synthesisWith(false);

/** Waits for the synthesis of this run; answers what the app has said. */
export const untilSynthesized = async (assemblyFolder: string): Promise<Result> => {
  const beside = (name: string) => join(assemblyFolder, '..', name);
  while (!existsSync(assemblyFolder)) {
    if (existsSync(beside(FAILED)))
      throw new Error(`The synthesis has failed: ${readFileSync(beside(FAILED), 'utf8')}`);
    await sleep(50);
  }
  return JSON.parse(readFileSync(beside(SAID), 'utf8'));
};

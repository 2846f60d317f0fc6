import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { synthesize } from '../../local/assembly.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assemblyFolder: string;
  }
}

const FAILED = 'failed';

/** One synthesis for the whole run, made beside the tests that need none. */
export const setup = (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-assembly-'));
  project.provide('assemblyFolder', join(folder, 'assembly'));
  const making = join(folder, 'making');
  const isMade = synthesize(making).then(
    () => renameSync(making, join(folder, 'assembly')),
    (error: unknown) => writeFileSync(join(folder, FAILED), String(error)),
  );
  return async () => {
    await isMade;
    rmSync(folder, { recursive: true });
  };
};

/** Waits for the synthesis of this run. */
export const untilSynthesized = async (assemblyFolder: string) => {
  while (!existsSync(assemblyFolder)) {
    if (existsSync(join(assemblyFolder, '..', FAILED))) throw new Error('The synthesis has failed.');
    await sleep(50);
  }
};

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A run starts some hundreds of processes, many of which load the same: what Node has compiled for one of them serves
 * the others. The variable is inherited, and what is given an environment of its own gets it by `compileCache`.
 */
export const setup = () => {
  if (process.env['NODE_COMPILE_CACHE']) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-compiled-'));
  process.env['NODE_COMPILE_CACHE'] = folder;
  return () => {
    delete process.env['NODE_COMPILE_CACHE'];
    // One that is just ending may still write.
    rmSync(folder, { recursive: true, maxRetries: 5 });
  };
};

/** For the environment of a process. */
export const compileCache = (): Record<string, string> => {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};
};

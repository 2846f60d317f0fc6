import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';

const RUNNER = fileURLToPath(new URL('load-runner.mjs', import.meta.url));

const Started = v.strictObject({
  loadMs: v.number(),
  loadCpuMs: v.number(),
  /** Node's own, beside those that every process loads. */
  builtinModules: v.number(),
  runs: v.array(
    v.strictObject({ ms: v.number(), sinceStartMs: v.number(), statusCode: v.number(), body: v.string() }),
  ),
});
export type Started = v.InferOutput<typeof Started>;

const run = promisify(execFile);

/** Where the code lies in a bundle's folder. */
const fileIn = (folder: string) => {
  const module = join(folder, 'index.mjs');
  return existsSync(module) ? module : join(folder, 'index.js');
};

type Environment = Record<string, string> & { LAMBDA_TASK_ROOT: string };

/** What it is sent; the first of the events comes so long after it has loaded. */
type Requests = { eventsFile: string; waitMs?: number };

/** Starts a bundle in a new process, which ends with the last of its events. */
export const startFresh = async (environment: Environment, requests?: Requests): Promise<Started> => {
  const args = [RUNNER, fileIn(environment.LAMBDA_TASK_ROOT)];
  if (requests) args.push(requests.eventsFile, String(requests.waitMs ?? 0));
  const { stdout } = await run(process.execPath, args, { env: environment });
  const started = v.parse(Started, JSON.parse(stdout));
  const refused = started.runs.find(({ statusCode }) => statusCode !== 200);
  if (refused) throw new Error(`It was answered with ${refused.statusCode}: ${refused.body}`);
  return started;
};

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import type { Run, Runs } from './runner.ts';

/*
 * A function's own process: loads the bundle as the platform does and serves the events that it is sent, one after the
 * other. Time of the processor is that of the whole process, so that what other processes do meanwhile is not in it.
 */

type Bundle = { handler: (event: unknown, context: object) => Promise<unknown> };

const folder = process.env['LAMBDA_TASK_ROOT'];
const module = `${folder}/index.mjs`;

const started = performance.now();
const startedCpu = process.cpuUsage();
const bundle: Bundle = existsSync(module)
  ? await import(module)
  : createRequire(import.meta.url)(`${folder}/index.js`);
const loadMs = performance.now() - started;

const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;
const loadCpuMs = msOf(process.cpuUsage(startedCpu));

let logged: string[] = [];
process.stdout.write = (text) => {
  logged.push(String(text));
  return true;
};

const context = { getRemainingTimeInMillis: () => 18_000 };

const serve = async (text: string): Promise<Run> => {
  logged = [];
  const beforeCpu = process.cpuUsage();
  const before = performance.now();
  const answer = JSON.stringify(await bundle.handler(JSON.parse(text), context));
  const wallMs = performance.now() - before;
  return { cpuMs: msOf(process.cpuUsage(beforeCpu)), wallMs, answer, log: logged };
};

const KB_PER_MB = 1_024;

process.on('message', async (events: string[]) => {
  const runs: Run[] = [];
  for (const event of events) runs.push(await serve(event));
  const peakMb = process.resourceUsage().maxRSS / KB_PER_MB;
  process.send?.({ loadMs, loadCpuMs, peakMb, runs } satisfies Runs);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import type { Run, Runs } from './runner.ts';

/*
 * A function's own process: loads the bundle and serves the events that it is sent, one after the other. Time of the
 * processor is that of the whole process, so that what other processes do meanwhile is not in it.
 */

const started = performance.now();
const bundle: { handler: (event: unknown, context: object) => Promise<unknown> } = createRequire(
  import.meta.url,
)(`${process.env['LAMBDA_TASK_ROOT']}/index.js`);
const loadMs = performance.now() - started;

let logged: string[] = [];
process.stdout.write = (text) => {
  logged.push(String(text));
  return true;
};

const context = { getRemainingTimeInMillis: () => 18_000 };

const serve = async (text: string): Promise<Run> => {
  logged = [];
  const before = process.cpuUsage();
  const answer = JSON.stringify(await bundle.handler(JSON.parse(text), context));
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, answer, log: logged };
};

process.on('message', async (events: string[]) => {
  const runs: Run[] = [];
  for (const event of events) runs.push(await serve(event));
  process.send?.({ loadMs, runs } satisfies Runs);
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

/*
 * Loads a bundle as the platform does, in a process that has loaded nothing else: no import of its own, and no types
 * to be stripped. Then serves the events of a file, one after the other, and puts out what each took.
 */

const [bundle, events, waitMs = '0'] = process.argv.slice(2);
const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
const msSince = (start) => Number(process.hrtime.bigint() - start) / 1e6;
const builtins = () => process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).length;

const builtinsBefore = builtins();
const cpuBefore = process.cpuUsage();
const started = process.hrtime.bigint();
const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : require(bundle);
const loadMs = msSince(started);
const { user, system } = process.cpuUsage(cpuBefore);
const builtinModules = builtins() - builtinsBefore;
if (typeof handler !== 'function') throw new Error(`${bundle} has no handler.`);

const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');
// Where what a function logs goes to is the platform's matter.
process.stdout.write = () => true;
const context = { getRemainingTimeInMillis: () => 18_000 };

// An environment that was started ahead of its first request.
if (events) await new Promise((resolve) => setTimeout(resolve, Number(waitMs)));

const runs = [];
for (const event of events ? JSON.parse(readFileSync(events, 'utf8')) : []) {
  const sent = process.hrtime.bigint();
  const { statusCode, body } = await handler(event, context);
  runs.push({ ms: msSince(sent), sinceStartMs: msSince(started), statusCode, body });
}
writeSync(1, JSON.stringify({ loadMs, loadCpuMs: (user + system) / 1_000, builtinModules, runs }));
process.exit();

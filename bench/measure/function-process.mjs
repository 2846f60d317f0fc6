/*
 * A function's process. It loads a bundle as Lambda does, then serves the events on standard input, one in each line.
 * Imports nothing before the bundle, because that could change its loading time.
 */

const [bundle] = process.argv.slice(2);
const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);
const msSince = (start) => Number(process.hrtime.bigint() - start) / 1e6;

const loadStart = process.hrtime.bigint();
const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : require(bundle);
const loadMs = msSince(loadStart);
if (typeof handler !== 'function') throw new Error(`${bundle} exports no handler.`);

const write = process.stdout.write.bind(process.stdout);
const reply = (message) => write(`${JSON.stringify(message)}\n`);
let log = '';
process.stdout.write = (text) => {
  log += text;
  return true;
};
reply({ loadMs });

const context = { getRemainingTimeInMillis: () => 18_000 };
const { createInterface } = process.getBuiltinModule('node:readline');
for await (const line of createInterface({ input: process.stdin })) {
  log = '';
  const cpuStart = process.cpuUsage();
  const start = process.hrtime.bigint();
  const answer = JSON.stringify(await handler(JSON.parse(line), context));
  const ms = msSince(start);
  const { user, system } = process.cpuUsage(cpuStart);
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  reply({ ms, cpuMs: (user + system) / 1_000, peakMb, answer, log });
}
process.exit();

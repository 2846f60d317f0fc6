/*
 * A function's process. It loads a bundle as Lambda does, then serves the events on standard input, one in each line.
 * Imports nothing before the bundle, because an import could change the loading time.
 */

const [bundle] = process.argv.slice(2);
const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);

/** The processor time of the whole process, with all its threads. */
const cpuMsSince = (start) => {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
};

const loadStart = process.cpuUsage();
const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : require(bundle);
const loadCpuMs = cpuMsSince(loadStart);

const write = process.stdout.write.bind(process.stdout);
const send = (message) => write(`${JSON.stringify(message)}\n`);
// Drops the function's log, because standard output is for the figures.
process.stdout.write = () => true;
send({ loadCpuMs });

const context = { getRemainingTimeInMillis: () => 18_000 };
const { createInterface } = process.getBuiltinModule('node:readline');
for await (const line of createInterface({ input: process.stdin })) {
  const start = process.cpuUsage();
  const response = JSON.stringify(await handler(JSON.parse(line), context));
  const cpuMs = cpuMsSince(start);
  send({ cpuMs, peakMb: process.resourceUsage().maxRSS / 1_024, response });
}
process.exit();

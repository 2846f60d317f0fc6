import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { listen } from '../local/http.ts';
import { startEngine } from '../local/services/engine.ts';
import { measureConsole } from './console/measure-console.ts';
import { measureMorning } from './console/measure-morning.ts';
import { bundleContestants, type Contestant } from './contestants/bundle-contestants.ts';
import { checkContestants } from './contestants/check-contestants.ts';
import { type ServedEvent, startProcess } from './function-process.ts';
import { formatNumber, medianOf, numbersTable, writeSections } from './markdown.ts';
import { batchEvents } from './requests.ts';
import { snapshotTables } from './snapshot-tables.ts';

const PAGE = new URL('../docs/performance.md', import.meta.url);

const { quick, only } = new Command('npm run bench --')
  .description('Checks the contestants, measures everything and writes the tables of docs/performance.md.')
  .option('--quick', 'measures little and prints the tables, to test the benchmark itself')
  .addOption(
    new Option('--only <part>', 'measures one part alone').choices(['functions', 'console', 'morning']),
  )
  .parse()
  .opts();
const runsOf = (runs: number) => (quick ? 1 : runs);
const say = (line: string) => process.stderr.write(`${line}\n`);

const STARTS = 30;
const FIRST_BATCH = 200;
const LARGE = 40_000;
/** A warm process first serves batches that are not measured, until its code is compiled. Then its batches are measured. */
const rounds = [
  { entries: 1, warmUps: 200, runs: 100 },
  { entries: 200, warmUps: 200, runs: 100 },
  { entries: LARGE, warmUps: 3, runs: 10 },
];
/** docs/costs.md uses the write units of these batches. */
const ENTRY_COUNTS = [1, 200, 4_000, LARGE];

/** The floor writes one item, which cannot hold the largest batch. */
const canStore = ({ isFloor }: Contestant, entries: number) => !isFloor || entries < LARGE;

/** The contestants take turns, so that other work on the machine slows all of them down alike. */
const takeTurns = async <Taker extends { name: string }, Measured>(
  takers: readonly Taker[],
  turns: number,
  measure: (taker: Taker, turn: number) => Promise<Measured>,
) => {
  const results = takers.map((taker) => ({ taker, measured: [] as Measured[] }));
  for (let turn = 0; turn < turns; turn += 1)
    for (const { taker, measured } of results) measured.push(await measure(taker, turn));
  return new Map(results.map(({ taker, measured }) => [taker.name, measured]));
};

const measureStarts = async (contestants: readonly Contestant[], endpoint: string) => {
  const table = await snapshotTables(endpoint).create();
  const eventOf = batchEvents(FIRST_BATCH);
  return takeTurns(contestants, runsOf(STARTS), async ({ file }, turn) => {
    const { loadCpuMs, serveOk, stop } = await startProcess(file, endpoint, table);
    const { cpuMs } = await serveOk(eventOf(turn));
    await stop();
    return { loadCpuMs, responseMs: loadCpuMs + cpuMs };
  });
};

/** Accepts every write and stores nothing. A real engine would need the processor at the same time. */
const startFakeEngine = async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
    });
  });
  return { endpoint: await listen(server, 0), stop: () => server.close() };
};

const measureWarm = async (
  contestants: readonly Contestant[],
  { entries, warmUps, runs }: (typeof rounds)[number],
) => {
  const engine = await startFakeEngine();
  const eventOf = batchEvents(entries);
  const processes = await Promise.all(
    contestants
      .filter((contestant) => canStore(contestant, entries))
      .map(async ({ name, file }) => ({ name, ...(await startProcess(file, engine.endpoint, 'unused')) })),
  );
  const turns = runsOf(warmUps) + runsOf(runs);
  const served = await takeTurns(processes, turns, ({ serveOk }, turn) => serveOk(eventOf(turn)));
  for (const { stop } of processes) await stop();
  engine.stop();
  return new Map([...served].map(([name, all]) => [name, all.slice(-runsOf(runs))]));
};

const countWriteUnits = async ({ file }: Contestant, endpoint: string) => {
  const tables = snapshotTables(endpoint);
  const writeUnits: number[] = [];
  for (const entries of ENTRY_COUNTS) {
    const table = await tables.create();
    const { serveOk, stop } = await startProcess(file, endpoint, table);
    await serveOk(batchEvents(entries)(0));
    await stop();
    writeUnits.push(await tables.countWriteUnits(table));
  }
  const joined = (numbers: readonly number[]) => numbers.map((number) => formatNumber(number)).join(' / ');
  return `Our batches of ${joined(ENTRY_COUNTS)} entries cost ${joined(writeUnits)} write units.`;
};

const formatMedian = <Measured>(
  measured: readonly Measured[] | undefined,
  pick: (measurement: Measured) => number,
  digits = 0,
) => {
  const numbers = (measured ?? []).map(pick);
  return numbers.length === 0 ? '–' : formatNumber(medianOf(numbers), digits);
};

const measureContestants = async (contestants: readonly Contestant[], endpoint: string) => {
  say('starts');
  const starts = await measureStarts(contestants, endpoint);
  const warm: Map<string, ServedEvent[]>[] = [];
  for (const round of rounds) {
    say(`warm requests of ${round.entries}`);
    warm.push(await measureWarm(contestants, round));
  }
  const rows = contestants.map(({ name, bytes }) => [
    name,
    formatNumber(bytes / 1_000),
    formatMedian(starts.get(name), ({ loadCpuMs }) => loadCpuMs),
    formatMedian(starts.get(name), ({ responseMs }) => responseMs),
    ...warm.map((served) => formatMedian(served.get(name), ({ cpuMs }) => cpuMs, 1)),
    formatMedian(warm.at(-1)?.get(name), ({ peakMb }) => peakMb),
  ]);
  const heads = ['', 'KB', 'Load', 'Load and first response'];
  const sizes = rounds.map(({ entries }) => `Warm, ${formatNumber(entries)}`);
  return numbersTable([...heads, ...sizes, 'Peak, MB'], rows);
};

const describeRun = () => {
  const processors = cpus();
  return `Measured on ${new Date().toISOString().slice(0, 10)}, on ${processors.length} cores (${processors[0]?.model}), Node ${process.versions.node}.`;
};

const benchFunctions = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  const engine = await startEngine(undefined);
  try {
    const { ours, others } = bundleContestants(folder);
    say('do the contestants respond and store alike?');
    await checkContestants(ours, others, engine.endpoint);
    const table = await measureContestants([...others, ours], engine.endpoint);
    const units = await countWriteUnits(ours, engine.endpoint);
    return `${table}\n\n${describeRun()}\n${units}`;
  } finally {
    await engine.stop();
    rmSync(folder, { recursive: true });
  }
};

const section = (table: string) => `${table}\n\n${describeRun()}`;
const parts = {
  functions: async () => ({ bench: await benchFunctions() }),
  console: async () => ({ 'bench console': section(await measureConsole(quick === true, say)) }),
  morning: async () => ({ 'bench morning': section(await measureMorning(quick === true, say)) }),
};
const sections: Record<string, string> = {};
for (const [name, measure] of Object.entries(parts))
  if (only === undefined || only === name) Object.assign(sections, await measure());
if (quick) process.stdout.write(`${Object.values(sections).join('\n\n')}\n`);
else writeSections(PAGE, sections);

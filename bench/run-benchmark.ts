import { cpus } from 'node:os';
import { startEngine } from '../local/services/engine.ts';
import { checkCompetitors } from './check-competitors.ts';
import { writeBlocks } from './markdown.ts';
import { LARGE, MIDDLE } from './measure/batch-contestants.ts';
import { type Bundler, createBundler } from './measure/bundles.ts';
import { coldStartTable, measureColdStarts } from './measure/cold-start.ts';
import { firstRequestTable, measureFirstRequests } from './measure/first-request.ts';
import { type ListSize, listTable, measureLists } from './measure/lists.ts';
import type { Rounds } from './measure/series.ts';
import { cpuTable, measureWarm, memoryTable } from './measure/warm.ts';
import { measureWholeInits, wholeInitTable } from './measure/whole-init.ts';
import { measureWriteUnits, writeUnitsTable } from './measure/write-units.ts';

const PAGE = new URL('../docs/performance.md', import.meta.url);

type Extent = {
  coldStarts: number;
  firstRequests: number;
  warm: (entries: number) => Rounds;
  lists: ListSize[];
};

const full: Extent = {
  coldStarts: 30,
  firstRequests: 30,
  warm: (entries) => {
    if (entries === LARGE) return { warmUps: 3, runs: 10 };
    return entries === MIDDLE ? { warmUps: 20, runs: 40 } : { warmUps: 200, runs: 100 };
  },
  lists: [
    { rows: 1_000, warmUps: 20, runs: 40 },
    { rows: 10_000, warmUps: 5, runs: 20 },
    { rows: 100_000, warmUps: 2, runs: 10 },
  ],
};

const quick: Extent = {
  coldStarts: 2,
  firstRequests: 2,
  warm: () => ({ warmUps: 1, runs: 2 }),
  lists: full.lists.map(({ rows }) => ({ rows, warmUps: 1, runs: 2 })),
};

const say = (line: string) => process.stderr.write(`${line}\n`);

const measureAll = async (bundler: Bundler, engine: string, extent: Extent) => {
  say('cold starts');
  const coldStarts = await measureColdStarts(bundler, extent.coldStarts);
  say('whole inits');
  const wholeInits = await measureWholeInits(bundler, extent.coldStarts);
  say('first requests');
  const firstRequests = await measureFirstRequests(bundler, engine, extent.firstRequests);
  say('warm requests');
  const warm = await measureWarm(bundler, extent.warm);
  say('write units');
  const written = await measureWriteUnits(bundler, engine);
  say('lists');
  const lists = await measureLists(bundler, engine, extent.lists);
  return {
    'bench:cold-start': coldStartTable(coldStarts),
    'bench:whole-init': wholeInitTable(wholeInits),
    'bench:first-request': firstRequestTable(firstRequests, coldStarts),
    'bench:warm': cpuTable(warm),
    'bench:memory': memoryTable(warm),
    'bench:write-units': writeUnitsTable(written),
    'bench:lists': listTable(lists),
  };
};

const describeRun = (startedAt: number) => {
  const minutes = Math.round((Date.now() - startedAt) / 60_000);
  const processors = cpus();
  return `Measured on ${new Date(startedAt).toISOString().slice(0, 10)} in ${minutes} minutes, on ${processors.length} cores (${processors[0]?.model}), Node ${process.versions.node}.`;
};

export const runBenchmark = async ({ isQuick }: { isQuick: boolean }) => {
  const startedAt = Date.now();
  const bundler = createBundler();
  const engine = await startEngine(undefined);
  try {
    say('competitors: do they answer and store alike?');
    await checkCompetitors(bundler, engine.endpoint);
    const tables = await measureAll(bundler, engine.endpoint, isQuick ? quick : full);
    const blocks = { 'bench:run': describeRun(startedAt), ...tables };
    if (isQuick) process.stdout.write(`${Object.values(blocks).join('\n\n')}\n`);
    else writeBlocks(PAGE, blocks);
  } finally {
    await engine.stop();
    bundler.remove();
  }
};

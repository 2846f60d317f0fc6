import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { startEngine } from '../../../local/services/engine.ts';
import { batchOf } from '../../../test/support/batches.ts';
import { startDistantStore } from '../../harness/distant-store.ts';
import { eventOf } from '../../harness/events.ts';
import { type Started, startFresh } from '../../harness/fresh-process.ts';
import { environmentOf } from '../../harness/functions.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { tablesOf } from '../../harness/tables.ts';
import { BATCH_OPERATION, type Entrant, everyoneOf } from '../batch-contestants.ts';
import { temporaryBuilds } from '../builds.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { document } from './document.ts';

const RUNS = 15;
const REQUESTS = 10;
const ENTRIES = 200;
const DELAY_MS = 1;

const Times = v.strictObject({ loadMs: Spread, first: Spread, second: Spread, last: Spread });
const Contestant = v.strictObject({ name: v.string(), away: Times, beside: Times, connectionMs: Spread });
export type Contestant = v.InferOutput<typeof Contestant>;

const schema = v.strictObject({
  runs: v.number(),
  requests: v.number(),
  entries: v.number(),
  delayMs: v.number(),
  contestants: v.array(Contestant),
});
export type Measured = v.InferOutput<typeof schema>;

const writeEvents = (folder: string) => {
  const file = join(folder, 'events.json');
  const body = JSON.stringify(batchOf(ENTRIES));
  const events = Array.from({ length: REQUESTS }, (_, serial) =>
    eventOf({ operation: BATCH_OPERATION, body: () => body }, serial),
  );
  writeFileSync(file, JSON.stringify(events));
  return file;
};

const noneYet = (): Started[] => [];
const noConnection = (): number[] => [];

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-events-'));
  const builds = temporaryBuilds();
  const engine = await startEngine(undefined);
  const distant = await startDistantStore(engine.endpoint, DELAY_MS);
  try {
    const events = writeEvents(folder);
    const table = await tablesOf(engine.endpoint).create(BATCH_OPERATION);
    const start = (tables: string, { build }: Entrant) => {
      const whereabouts = { tables, secrets: tables };
      const trust = { NODE_EXTRA_CA_CERTS: distant.certificateFile };
      return startFresh(
        { ...environmentOf(whereabouts, build.folder, table), ...trust },
        { eventsFile: events },
      );
    };
    const measured = everyoneOf(builds).map((entrant) => ({
      entrant,
      away: noneYet(),
      beside: noneYet(),
      connections: noConnection(),
    }));
    for (let run = 0; run <= RUNS; run += 1) {
      if (run % 5 === 0) say(`run ${run} of ${RUNS}`);
      for (const { entrant, away, beside, connections } of inTurn(measured)) {
        const [one, other] = [await start(distant.endpoint, entrant), await start(engine.endpoint, entrant)];
        const [connection = Number.NaN] = distant.takeConnections();
        if (run === 0) continue;
        away.push(one);
        beside.push(other);
        connections.push(connection);
      }
    }
    return {
      runs: RUNS,
      requests: REQUESTS,
      entries: ENTRIES,
      delayMs: DELAY_MS,
      contestants: measured.map(({ entrant, away, beside, connections }) => ({
        name: entrant.name,
        away: timesOf(away),
        beside: timesOf(beside),
        connectionMs: spreadOf(connections),
      })),
    };
  } finally {
    distant.stop();
    await engine.stop();
    builds.remove();
    rmSync(folder, { recursive: true });
  }
};

const timesOf = (starts: readonly Started[]) => {
  const request = (index: number) => spreadOf(starts.map(({ runs }) => runs.at(index)?.ms ?? Number.NaN));
  return {
    loadMs: spreadOf(starts.map(({ loadMs }) => loadMs)),
    first: request(0),
    second: request(1),
    last: request(-1),
  };
};

export const firstRequest = section({ name: 'first-request', schema, measure, document });

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { startDistantStore } from '../../harness/distant-store.ts';
import { type Started, startFresh } from '../../harness/fresh-process.ts';
import { inTurn } from '../../harness/in-turn.ts';
import { count, numbersTable } from '../../harness/markdown.ts';
import { spreadOf } from '../../harness/statistics.ts';
import { temporaryBuilds } from '../builds.ts';
import { Spread, told } from '../spread.ts';
import { LIST_EVENT, type ListsSetup } from './setup.ts';

/** The first list that a process reads, when it has a connection to open for each segment. */

const Reading = v.strictObject({ segments: v.number(), firstMs: Spread, answeredMs: Spread });
export const First = v.strictObject({
  rows: v.number(),
  starts: v.number(),
  delayMs: v.number(),
  readings: v.array(Reading),
});
type First = v.InferOutput<typeof First>;

const STARTS = 20;
const DELAY_MS = 1;
const DEPLOYED = 0;

const noneYet = (): Started[] => [];

export const measureFirst = async (setup: ListsSetup, table: string, rows: number): Promise<First> => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-events-'));
  const eventsFile = join(folder, 'events.json');
  writeFileSync(eventsFile, `[${LIST_EVENT}]`);
  const builds = temporaryBuilds();
  const build = builds.deployed('bench/performance/lists/list-by-segments.ts');
  const distant = await startDistantStore(setup.engine.endpoint, DELAY_MS);
  const entrants = [DEPLOYED, 4].map((segments) => ({ segments, starts: noneYet() }));
  try {
    for (let start = 0; start <= STARTS; start += 1) {
      for (const { segments, starts } of inTurn(entrants)) {
        const environment = {
          ...setup.environment(distant.endpoint, table, build.folder),
          NODE_EXTRA_CA_CERTS: distant.certificateFile,
          SEGMENTS: String(segments),
        };
        const started = await startFresh(environment, { eventsFile });
        if (start > 0) starts.push(started);
      }
    }
    const readings = entrants.map(({ segments, starts }) => ({
      segments,
      firstMs: spreadOf(starts.map(({ runs: [first] }) => first?.ms ?? Number.NaN)),
      answeredMs: spreadOf(starts.map(({ runs: [first] }) => first?.sinceStartMs ?? Number.NaN)),
    }));
    return { rows, starts: STARTS, delayMs: DELAY_MS, readings };
  } finally {
    distant.stop();
    builds.remove();
    rmSync(folder, { recursive: true });
  }
};

export const documentFirst = ({ rows, starts, delayMs, readings }: First) => {
  const table = numbersTable(
    ['The first list of a process', 'First request, ms', 'With loading, ms'],
    readings.map(({ segments, firstMs, answeredMs }) => [
      segments === DEPLOYED ? 'as deployed' : `${count(segments)} segments side by side from the start`,
      told(firstMs),
      told(answeredMs),
    ]),
  );
  return `A small list is read by a single call for the sake of the first request, which opens a connection for each segment: ${count(rows)} codes, ${count(starts)} new processes
each, with the table ${count(delayMs)} ms away over TLS.

${table}
`;
};

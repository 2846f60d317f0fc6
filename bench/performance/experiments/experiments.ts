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
import { median, rounded, spreadOf } from '../../harness/statistics.ts';
import { tablesOf } from '../../harness/tables.ts';
import { BATCH_OPERATION } from '../batch-contestants.ts';
import { section } from '../section.ts';
import { Spread } from '../spread.ts';
import { document } from './document.ts';
import { type Built, builtVariants } from './variants.ts';

const RUNS = 25;
const ENTRIES = 200;
const DELAY_MS = 1;
const AHEAD_MS = 50;

const Tried = v.strictObject({
  name: v.string(),
  bytes: v.number(),
  loadMs: Spread,
  firstMs: Spread,
  answeredMs: Spread,
  /** Until it had answered, than the one that it is compared with did in the same round: the median. */
  moreMs: v.number(),
});
export type Tried = v.InferOutput<typeof Tried>;
const Variant = v.strictObject({ ...Tried.entries, inUse: v.boolean(), because: v.string() });

const schema = v.strictObject({
  runs: v.number(),
  entries: v.number(),
  delayMs: v.number(),
  aheadMs: v.number(),
  deployed: Tried,
  /** The same bundle once more: what differs there is the machine's. */
  again: Tried,
  variants: v.array(Variant),
  early: v.strictObject({ waiting: Tried, ahead: Tried, deployedAhead: Tried }),
});
export type Measured = v.InferOutput<typeof schema>;

type Entrant = { built: Built; waitMs: number; starts: Started[] };
const entrant = (built: Built, waitMs = 0): Entrant => ({ built, waitMs, starts: [] });

const measure = async (say: (line: string) => void): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), 'warehouse-control-events-'));
  const builds = builtVariants();
  const engine = await startEngine(undefined);
  const distant = await startDistantStore(engine.endpoint, DELAY_MS);
  try {
    const eventsFile = join(folder, 'events.json');
    const body = JSON.stringify(batchOf(ENTRIES));
    writeFileSync(eventsFile, JSON.stringify([eventOf({ operation: BATCH_OPERATION, body: () => body }, 0)]));
    const table = await tablesOf(engine.endpoint).create(BATCH_OPERATION);
    const start = ({ built, waitMs }: Entrant) => {
      const whereabouts = { tables: distant.endpoint, secrets: distant.endpoint };
      const environment = {
        ...environmentOf(whereabouts, built.folder, table),
        NODE_EXTRA_CA_CERTS: distant.certificateFile,
        ...built.variant?.environment?.(built.folder),
      };
      return startFresh(environment, { eventsFile, waitMs });
    };

    const deployed = entrant(builds.deployed);
    const again = entrant({ ...builds.deployed, name: 'the same, once more' });
    const variants = builds.variants.map((built) => entrant(built));
    const waiting = entrant(builds.early);
    const ahead = entrant(builds.early, AHEAD_MS);
    const deployedAhead = entrant(builds.deployed, AHEAD_MS);
    const all = [deployed, again, ...variants, waiting, ahead, deployedAhead];
    for (let run = 0; run <= RUNS; run += 1) {
      if (run % 5 === 0) say(`run ${run} of ${RUNS}`);
      for (const each of inTurn(all)) {
        const started = await start(each);
        if (run > 0) each.starts.push(started);
      }
    }

    return {
      runs: RUNS,
      entries: ENTRIES,
      delayMs: DELAY_MS,
      aheadMs: AHEAD_MS,
      deployed: triedOf(deployed, deployed),
      again: triedOf(again, deployed),
      variants: variants.map((each) => ({ ...triedOf(each, deployed), ...reasonOf(each) })),
      early: {
        waiting: triedOf(waiting, deployed),
        ahead: triedOf(ahead, deployedAhead),
        deployedAhead: triedOf(deployedAhead, deployedAhead),
      },
    };
  } finally {
    distant.stop();
    await engine.stop();
    builds.remove();
    rmSync(folder, { recursive: true });
  }
};

const triedOf = ({ built: { name, bytes }, starts }: Entrant, other: Entrant): Tried => {
  const answeredMs = answeredBy(starts);
  const others = answeredBy(other.starts);
  return {
    name,
    bytes,
    loadMs: spreadOf(starts.map(({ loadMs }) => loadMs)),
    firstMs: spreadOf(starts.map(({ runs: [first] }) => first?.ms ?? Number.NaN)),
    answeredMs: spreadOf(answeredMs),
    moreMs: rounded(median(answeredMs.map((ms, round) => ms - (others[round] ?? Number.NaN))), 2),
  };
};

const answeredBy = (starts: readonly Started[]) =>
  starts.map(({ runs: [first] }) => first?.sinceStartMs ?? Number.NaN);

const reasonOf = ({ built: { variant } }: Entrant) => ({
  inUse: variant?.inUse ?? false,
  because: variant?.because ?? '',
});

export const tried = section({ name: 'experiments', schema, measure, document });

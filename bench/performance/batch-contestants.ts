import * as v from 'valibot';
import { batchOf } from '../../test/support/batches.ts';
import { eventOf } from '../harness/events.ts';
import type { Run } from '../harness/runner.ts';
import { type Build, type Builds, ours, peer } from './builds.ts';

/** Who keeps batches, and of what sizes, where whole requests are measured. */

export const BATCH_OPERATION = 'post-material-stock-balance';

export const OURS = 'ours';
export const FLOOR = 'floor';
export const ROWS = 'ours, a row for each material';

export const SMALL = 200;
export const MIDDLE = 4_000;
export const LARGEST = 40_000;

export type Entrant = { name: string; build: Build };

export const peersOf = ({ usual }: Builds): Entrant[] => [
  { name: FLOOR, build: usual(peer('floor')) },
  { name: 'hono', build: usual(peer('hono')) },
  { name: 'express', build: usual(peer('express')) },
];

export const oursOf = ({ deployed }: Builds): Entrant[] => [
  { name: ROWS, build: deployed(peer('rows')) },
  { name: OURS, build: deployed(ours(BATCH_OPERATION)) },
];

export const everyoneOf = (builds: Builds): Entrant[] => [
  ...peersOf(builds),
  { name: 'ours in the usual setting', build: builds.usual(ours(BATCH_OPERATION)) },
  ...oursOf(builds),
];

/** The floor keeps one item, which has no room for the largest batch. */
export const canKeep = ({ name }: Entrant, entries: number) => name !== FLOOR || entries < LARGEST;

/** Events as text, as a process is sent them; each is a request of its own. */
export const batchEvents = (entries: number) => {
  const body = JSON.stringify(batchOf(entries));
  return (serial: number) =>
    JSON.stringify(eventOf({ operation: BATCH_OPERATION, body: () => body }, serial));
};

const Answer = v.object({ statusCode: v.number(), body: v.string() });

/** That the whole batch was kept, or nothing of this would count. */
export const checkKept = ({ answer }: Run, entries: number) => {
  const { statusCode, body } = v.parse(Answer, JSON.parse(answer));
  if (statusCode !== 200) throw new Error(`A batch was answered with ${statusCode}: ${body}`);
  const { EntryCount } = JSON.parse(body);
  if (EntryCount !== entries) throw new Error(`Of ${entries} entries, ${EntryCount} were kept.`);
};

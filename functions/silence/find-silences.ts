import type { WatchedClient } from '../../shared/clients/client.ts';
import { type Wait, waitsOf } from '../../shared/clients/lateness.ts';
import { forEachConcurrently } from '../../shared/storage/concurrency.ts';
import type { BatchTimes } from './batch-times.ts';

/** The hour that a run looks at, in milliseconds. `until` is the first instant after the hour. */
type Hour = { from: number; until: number };

export type Silence = {
  client: string;
  /** The last batch before the silence. Undefined if none is stored. */
  lastAt: number | undefined;
  lateFrom: number;
  /** The batch within the hour that ended the silence. */
  endedAt: number | undefined;
  /** The client became late in the hour, or the silence ended in it. */
  hasChanged: boolean;
  /** The usual time between two batches before the silence. Undefined unless the client became late in the hour. */
  usualGapMs: number | undefined;
};

const CLIENTS_AT_A_TIME = 16;
/** The usual gap is the median of the gaps between the last six batches. */
const BATCHES = 6;

/**
 * Finds the clients that are late at the end of the hour, and the clients that ended a silence by a batch in the hour. Uses only
 * stored data, so a repeated run for an hour finds the same silences.
 */
export const findSilences = async (clients: readonly WatchedClient[], times: BatchTimes, hour: Hour) => {
  const silences: Silence[] = [];
  await forEachConcurrently(CLIENTS_AT_A_TIME, clients.values(), async (client) => {
    const silence = await findSilence(client, times, hour);
    if (silence) silences.push(silence);
  });
  return silences.sort((a, b) => (a.client < b.client ? -1 : 1));
};

const findSilence = async (
  client: WatchedClient,
  times: BatchTimes,
  hour: Hour,
): Promise<Silence | undefined> => {
  // At most one wait is late in the hour, because the hours of silence are at least one.
  const wait = waitsOf(client).find(
    ({ from, until, silenceMs }) => until > hour.from && from + silenceMs < hour.until,
  );
  return wait && findSilenceIn(wait, client.Client, times, hour);
};

const findSilenceIn = async (wait: Wait, client: string, times: BatchTimes, { from, until }: Hour) => {
  const [lastAt] = await times(client, { until: from });
  const lateFrom = Math.max(lastAt ?? 0, wait.from) + wait.silenceMs;
  const end = Math.min(wait.until, until);
  if (lateFrom >= end) return undefined;
  const [firstAt] = await times(client, { from, until: end, isOldestFirst: true });
  // A batch came in time, and the next batch is due after this hour.
  if (firstAt !== undefined && firstAt < lateFrom) return undefined;
  // An admin has ended the silence within the hour.
  if (firstAt === undefined && wait.until < until) return undefined;
  const isNewlyLate = firstAt === undefined && lateFrom >= from;
  const lastTimes = isNewlyLate ? await times(client, { until: from, limit: BATCHES }) : [];
  return {
    client,
    lastAt,
    lateFrom,
    endedAt: firstAt,
    hasChanged: isNewlyLate || firstAt !== undefined,
    usualGapMs: medianGap(lastTimes),
  };
};

/** Undefined if there are fewer than two batches. */
const medianGap = (newestFirst: readonly number[]) => {
  const gaps = newestFirst.slice(1).map((at, index) => (newestFirst[index] ?? at) - at);
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)];
};

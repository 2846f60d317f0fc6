import { HOUR_MS } from '../time.ts';
import type { ClientAttributes, WatchedClient } from './client.ts';

/** Returns when the client becomes late if it sends no further batch. Undefined if nobody waits for its batches. */
export const lateFromOf = (
  client: Pick<WatchedClient, 'SilenceHours' | 'SilenceFrom' | 'LockedAt' | 'RemovedAt'>,
  lastBatchAt: number | undefined,
) => {
  const { SilenceHours, SilenceFrom, LockedAt, RemovedAt } = client;
  if (SilenceHours === 0 || LockedAt || RemovedAt) return undefined;
  return Math.max(lastBatchAt ?? 0, Date.parse(SilenceFrom)) + SilenceHours * HOUR_MS;
};

/** A time in which somebody waits for the batches of a client. An admin who locks, removes or changes the client ends it. */
export type Wait = { from: number; until: number; silenceMs: number };

/** All waits that a run of the watch may need: those of FormerSilence, and the current wait. They do not overlap. */
export const waitsOf = (client: Omit<ClientAttributes, 'Client'>): Wait[] => {
  const { SilenceFrom = '', SilenceHours = 0, FormerSilence = '', LockedAt, RemovedAt } = client;
  const end = LockedAt ?? RemovedAt;
  const current = {
    from: Date.parse(SilenceFrom),
    until: end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end),
    silenceMs: SilenceHours * HOUR_MS,
  };
  return [...FormerSilence.split(' ').map(readWait), current].filter(canBeLate);
};

/** In a wait that is not longer than the hours of silence, the client cannot be late. */
const canBeLate = ({ from, until, silenceMs }: Wait) => silenceMs > 0 && from + silenceMs < until;

/** Each wait is `FROM/UNTIL/HOURS`. What somebody has damaged by hand has no time, and so is never late. */
const readWait = (text: string): Wait => {
  const [from = '', until = '', hours] = text.split('/');
  return { from: Date.parse(from), until: Date.parse(until), silenceMs: Number(hours) * HOUR_MS };
};

const writeWait = ({ from, until, silenceMs }: Wait) =>
  [new Date(from).toISOString(), new Date(until).toISOString(), silenceMs / HOUR_MS].join('/');

/** Lambda repeats a run for two hours, and a run looks at the hour before. */
const KEPT_MS = 4 * HOUR_MS;

/** The value of FormerSilence when an admin ends the current wait, or starts another. Undefined if no run can need it. */
export const formerSilenceAt = (client: ClientAttributes, now: Date) => {
  const waits = waitsOf(client)
    .map((wait) => ({ ...wait, until: Math.min(wait.until, now.getTime()) }))
    .filter((wait) => canBeLate(wait) && wait.until > now.getTime() - KEPT_MS);
  return waits.length > 0 ? waits.map(writeWait).join(' ') : undefined;
};

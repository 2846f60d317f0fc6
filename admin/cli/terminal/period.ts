import { isRealInstant } from '../../../shared/schemas/change.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/time.ts';
import { WrongUsage } from '../../text/failure.ts';
import { formatTime } from '../../text/time.ts';
import { say } from './terminal.ts';

/** What `--since` or `--at` means: a whole day, a whole second, or an instant. */
type Period = {
  from: Date;
  /** Now, if the period has not ended yet. */
  until: Date;
  /** Whether it was given in the time zone of this machine. */
  isLocal: boolean;
};

const unitMs: Record<string, number> = { m: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS, y: 365 * DAY_MS };

const HOW_LONG_AGO = /^(\d{1,6})([mhdwy])$/;
const DAY_WITH_TIME =
  /^(?<day>today|yesterday|\d{4}-\d\d-\d\d)([T ](?<time>\d\d:\d\d(:\d\d(?<fraction>[.,]\d{1,3})?)?)(?<zone>Z| UTC| ?[+-]\d\d:\d\d)?)?$/;

/** Reads how long ago (`7d`), a day, or a day with a time. Without Z, both are in the time zone of this machine. */
export const readPeriod = (text: string, now = new Date()): Period | undefined => {
  const [, count, unit = ''] = HOW_LONG_AGO.exec(text) ?? [];
  if (count) {
    const from = new Date(now.getTime() - Number(count) * (unitMs[unit] ?? 0));
    return { from, until: from, isLocal: false };
  }
  const { day = '', time, fraction, zone } = DAY_WITH_TIME.exec(text)?.groups ?? {};
  const from = toInstant(dateOf(day, now), time ?? '00:00', zone);
  if (!from || Number.isNaN(from.getTime())) return undefined;
  const end = time === undefined ? dayAfter(from, 1).getTime() - 1 : from.getTime() + (fraction ? 0 : 999);
  return { from, until: new Date(Math.min(end, now.getTime())), isLocal: !zone };
};

/** A zone does not matter for whether there is such a day and such an hour. */
const toInstant = (date: string, time: string, zone = '') => {
  const text = `${date}T${time.replace(',', '.')}`;
  return isRealInstant(`${text}Z`) ? new Date(`${text}${zone.trim().replace('UTC', 'Z')}`) : undefined;
};

const localDate = (instant: Date) => instant.toLocaleDateString('sv-SE');
/** A day has 23 or 25 hours when clocks change. */
const dayAfter = (instant: Date, days: number) =>
  new Date(instant.getFullYear(), instant.getMonth(), instant.getDate() + days);

const dateOf = (day: string, now: Date) => {
  if (day === 'today') return localDate(now);
  return day === 'yesterday' ? localDate(dayAfter(now, -1)) : day;
};

const refuseFuture = ({ from }: Period) => {
  if (from > new Date()) throw new WrongUsage(`${formatTime(from)} is in the future. Give a time up to now.`);
};

/** Prints the end of a period, and returns it. Refuses a period of the future. */
export const announceEnd = (period: Period, words = 'As of'): Date => {
  const { until } = period;
  refuseFuture(period);
  say(`${words} ${formatTime(until)}`);
  return until;
};

/** Returns the times of --since and --at. Prints --at, and --since if it is in the time zone of this machine. */
export const readRange = ({ since, at }: { since?: Period | undefined; at?: Period | undefined }) => {
  if (since && at && since.from > at.until)
    throw new WrongUsage('--since is later than --at. Give an earlier --since, or a later --at.');
  if (since) refuseFuture(since);
  if (since?.isLocal) say(`Since ${formatTime(since.from)}`);
  return { since: since?.from, until: at && announceEnd(at) };
};

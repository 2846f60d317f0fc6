import { afterEach, describe, expect, test, vi } from 'vitest';
import { readerInTerminal } from '../../admin/cli/terminal/output.ts';
import { readPeriod, readRange } from '../../admin/cli/terminal/period.ts';
import { writeFor } from '../../admin/text/write-for.ts';
import { captureOutput } from './in-process.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const NOW = new Date('2026-11-22T09:30:15.500Z');
const LAST = '23:59:59.999Z';

const periodIn = (zone: string, text: string, now = NOW) => {
  vi.stubEnv('TZ', zone);
  const period = readPeriod(text, now);
  return period && [period.from.toISOString(), period.until.toISOString()];
};

describe('a time on the command line', () => {
  test.each([
    ['UTC', '2026-11-20', '2026-11-20T00:00:00.000Z', `2026-11-20T${LAST}`],
    ['Europe/Berlin', '2026-11-20', '2026-11-19T23:00:00.000Z', '2026-11-20T22:59:59.999Z'],
    ['Europe/Berlin', 'yesterday', '2026-11-20T23:00:00.000Z', '2026-11-21T22:59:59.999Z'],
    ['Europe/Berlin', 'today', '2026-11-21T23:00:00.000Z', NOW.toISOString()],
    ['Pacific/Auckland', 'today', '2026-11-21T11:00:00.000Z', NOW.toISOString()],
    ['Europe/Berlin', '2026-11-20 18:00', '2026-11-20T17:00:00.000Z', '2026-11-20T17:00:00.999Z'],
    ['Europe/Berlin', 'yesterday 18:00:30', '2026-11-21T17:00:30.000Z', '2026-11-21T17:00:30.999Z'],
    ['Europe/Berlin', '2026-11-20 18:00:30 UTC', '2026-11-20T18:00:30.000Z', '2026-11-20T18:00:30.999Z'],
    ['Europe/Berlin', '2026-11-20T18:00Z', '2026-11-20T18:00:00.000Z', '2026-11-20T18:00:00.999Z'],
    ['Europe/Berlin', '2026-11-20T18:00:30,25Z', '2026-11-20T18:00:30.250Z', '2026-11-20T18:00:30.250Z'],
    ['Europe/Berlin', '2026-10-25 02:30:00 +02:00', '2026-10-25T00:30:00.000Z', '2026-10-25T00:30:00.999Z'],
    ['Europe/Berlin', '90m', '2026-11-22T08:00:15.500Z', '2026-11-22T08:00:15.500Z'],
    ['Europe/Berlin', '1y', '2025-11-22T09:30:15.500Z', '2025-11-22T09:30:15.500Z'],
    ['Europe/Berlin', '2w', '2026-11-08T09:30:15.500Z', '2026-11-08T09:30:15.500Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['UTC', '2026-10-25', '2026-10-25T00:00:00.000Z', `2026-10-25T${LAST}`],
    // Midnight does not exist on this day.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
  ])('in %s, %j is from %s until %s', (zone, text, from, until) => {
    expect(periodIn(zone, text)).toEqual([from, until]);
  });

  test('yesterday is the whole day before the clocks changed, seen an hour after midnight', () => {
    const now = new Date('2026-10-25T23:30:00.000Z');
    const sunday = ['2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'];
    expect(periodIn('Europe/Berlin', 'yesterday', now)).toEqual(sunday);
  });

  test.each([
    ...['2026-02-30', '2026-02-30T08:15Z', '2026-3-1', '2026-03-01T24:00Z', '2026-03-01 8:15'],
    ...['tomorrow', 'Yesterday', '20.11.2026', '7', '7q', '', '-1d', '9999999d'],
    ...['latest', '2026-03-01T08:15:31.402Z-6c93fcb41090'],
  ])('%j is none', (text) => {
    expect(readPeriod(text)).toBeUndefined();
  });
});

describe('the limits of a command', () => {
  const saidIn = async (zone: string, options: { since?: string; at?: string }) => {
    vi.stubEnv('TZ', zone);
    const [since, at] = [options.since, options.at].map((text) => text && readPeriod(text, NOW));
    const { stderr } = await captureOutput(() =>
      writeFor(readerInTerminal(), async () => {
        readRange({ since: since || undefined, at: at || undefined });
        return 0;
      }),
    );
    return stderr;
  };

  test('are printed on the clock of this machine', async () => {
    expect(await saidIn('Europe/Berlin', { since: '2026-11-19', at: '2026-11-20' })).toBe(
      'Since 2026-11-19 00:00:00 +01:00\nAs of 2026-11-20 23:59:59 +01:00\n',
    );
    expect(await saidIn('UTC', { at: '2026-11-20' })).toBe('As of 2026-11-20 23:59:59 UTC\n');
  });

  test('are not printed for a span or an instant in UTC that limits the beginning', async () => {
    expect(await saidIn('Europe/Berlin', { since: '7d' })).toBe('');
    expect(await saidIn('Europe/Berlin', { since: '2026-11-19T08:00Z' })).toBe('');
  });
});

import { appendFileSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { StockState } from '../../admin/console/api.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/time.ts';
import { openConsole } from '../support/console.ts';
import { adminHereOn } from './in-process.ts';
import { emptyDeployment } from './tables.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z').getTime();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  onTestFinished(() => void vi.useRealTimers());
});

let requests = 0;
/** A line of the local run's log. */
const line = (client: string, at: number, rule: string, more: object = {}) => {
  requests += 1;
  const fields = { client, status: 400, rule, errorCount: 1, ...more };
  const common = { timestamp: new Date(at).toISOString(), level: 'WARN', code: 'request-refused' };
  return `Function ${JSON.stringify({ ...common, requestId: `request-${requests}`, ...fields })}\n`;
};
const deploy = async (...lines: string[]) => {
  // The clients are not late.
  const clients = ['north', 'south'].map((Client) => ({ Client, SilenceHours: 0 }));
  const { data } = await emptyDeployment({ clients });
  const log = join(data, 'functions.log');
  writeFileSync(log, lines.join(''));
  return { data, log, write: (...more: string[]) => appendFileSync(log, more.join('')) };
};
type Finding = Record<'Kind' | 'Client' | 'Subject' | 'Detail' | 'Advice' | 'SinceAtLeast', string>;
const check = async (data: string, ...args: string[]): Promise<Finding[]> =>
  JSON.parse((await adminHereOn(data, ['check', '--json', ...args])).stdout);
const countsOf = (findings: readonly Finding[]) =>
  findings.map(({ Client, Subject, Detail }) => `${Client} ${Subject} ${Detail.split(' ')[0]}`);

const NUMBER = 'StockBalance: number';
const NO_NUMBER = 'StockBalance is not a number';

test('the refused requests of the last day are a finding for each warehouse and each rule', async () => {
  const { data } = await deploy(
    line('north', NOW - DAY_MS - 1, NUMBER),
    line('north', NOW - DAY_MS, NUMBER),
    line('south', NOW - HOUR_MS, NUMBER),
    line('north', NOW - HOUR_MS, 'unknown field'),
    line('north', NOW - MINUTE_MS, NUMBER),
    line('gone', NOW - HOUR_MS, NUMBER),
    line('north', NOW, NUMBER, { code: 'request-served' }),
    line('north', NOW, NUMBER, { userAgent: 'request-refused', code: 'request-served' }),
    'Function {"code":"request-refused"\nTopic "request-refused"\n',
    line('north', NOW, NUMBER, { requestId: 400.5 }),
    line('north', NOW, 'R'.repeat(101)),
    line('north', NOW, '<b>: \n'),
    line('north', NOW, NUMBER, { timestamp: '2026-11-20T13:00:00.000+01:00' }),
  );
  const findings = await check(data);
  expect(countsOf(findings)).toEqual([
    `north ${NO_NUMBER} 2`,
    `south ${NO_NUMBER} 1`,
    'north the body has an unknown field 1',
  ]);
  expect(findings[0]).toEqual({
    ...{
      Severity: 'warning',
      Kind: 'refused-request',
      Client: 'north',
      Subject: NO_NUMBER,
      Count: 1,
      State: 'open',
    },
    Detail:
      '2 requests refused in the last day, the last one at 2026-11-20 11:59:00 UTC: StockBalance is not a number.',
    Advice:
      'StockBalance must be a JSON number, without quotes. Responses of the gateway (401, 413 and 429) are not counted.',
    SinceAtLeast: '2026-11-19T12:00:00.000Z',
    SnapshotId: null,
  });
  expect(countsOf(await check(data, '--client', 'south'))).toEqual([`south ${NO_NUMBER} 1`]);
  expect(await check(data, '--at', '1m')).toEqual([]);
});

test('a console reads what is new in the log, also what came late, and shows each line for a day', async () => {
  const { data, write } = await deploy(line('north', NOW - DAY_MS + 2 * HOUR_MS, NUMBER));
  const console = await openConsole(data, { isInThreads: false });
  onTestFinished(() => console.stop());
  const refusals = async (at?: number) => {
    const query = { kind: 'refused-request', ...(at ? { at: new Date(at).toISOString() } : {}) };
    return (await console.rows('findings', query)).map(({ Subject }) => Subject);
  };
  expect(await refusals()).toEqual([NO_NUMBER]);
  vi.setSystemTime(NOW + HOUR_MS);
  const late = 'MaterialCode: missing';
  write(line('north', NOW - 5 * MINUTE_MS, late), line('north', NOW - 5 * MINUTE_MS - 1, 'JSON'));
  expect(await refusals()).toEqual(['MaterialCode is missing', NO_NUMBER]);
  expect(await refusals(NOW)).toEqual([]);
  vi.setSystemTime(NOW + 2 * HOUR_MS + 1);
  expect(await refusals()).toEqual(['MaterialCode is missing']);
});

test('with --fresh, a command reads the log of the whole day again', async () => {
  const { data, write } = await deploy();
  await check(data);
  write(line('north', NOW - HOUR_MS, NUMBER));
  expect(await check(data)).toEqual([]);
  expect(countsOf(await check(data, '--fresh'))).toEqual([`north ${NO_NUMBER} 1`]);
});

test('a refused request that no earlier command has read can be told', async () => {
  const { data } = await deploy(line('north', NOW - HOUR_MS, NUMBER));
  const tell = ['told', '--client', 'north', '--kind', 'refused-request', '--no-cache'];
  expect((await adminHereOn(data, tell)).stderr).toMatch(/^1 finding of north \(refused request\): told/);
});

test('a log that cannot be read is one sentence of a console, and all else is there', async () => {
  const { data, log } = await deploy(line('north', NOW, NUMBER));
  const console = await openConsole(data, { isInThreads: false });
  onTestFinished(() => console.stop());
  rmSync(log);
  mkdirSync(log);
  const refusalFailure = 'that is a folder';
  expect(await console.ask('state')).toMatchObject({ refusalFailure });
  expect(await console.rows('clients')).toHaveLength(2);
  rmdirSync(log);
  const state: StockState = await console.ask('state');
  expect([state.refusalFailure, state.failure]).toEqual([undefined, undefined]);
});

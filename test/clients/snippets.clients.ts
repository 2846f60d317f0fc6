import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ended } from './execute.ts';
import { foreignResponses } from './foreign-responses.ts';
import { fenceIn, page, pageOf, programIn } from './page.ts';
import { LIMIT, type Outcome, outcomesOf, runThroughProxy, SHORT_LIMIT, UNAVAILABLE } from './scenarios.ts';
import { HOOK_TIME_OUT_MS, startService } from './service.ts';
import { languages, prepare, runCommand } from './snippets.ts';

const CODES_LISTED = ['ABC-1', 'Кабель,ВВГ/3', 'Сталь-10/А'];

/** The batch of every program as DynamoDB stores it. Numbers are text, so every digit counts. */
const BATCH = {
  'Сталь-10/А': {
    M: {
      StockBalance: { N: '-12.125' },
      StockBalanceUnit: { S: 'kg' },
      PurchaseOrders: { L: [{ S: 'OT1234567' }, { S: 'OT7654321' }] },
    },
  },
  'ABC-1': {
    M: { StockBalance: { N: '1234567.25' }, StockBalanceUnit: { S: 'kg' }, PurchaseOrders: { L: [] } },
  },
};

const [CHANGES, CODES, BALANCES] = ['changes', 'material-codes', 'material-stock-balance'];
const LANGUAGES = [...languages.keys()];

let service: Awaited<ReturnType<typeof startService>>;
const outcomes = new Map<string, Map<string, Outcome>>();

beforeAll(async () => {
  const MaterialCodes = CODES_LISTED.map((MaterialCode) => ({ MaterialCode }));
  service = await startService({ MaterialCodes, PurchaseOrders: [] });
  await Promise.all(
    LANGUAGES.map(async (language) => outcomes.set(language, await outcomesOf(language, service.account))),
  );
}, HOOK_TIME_OUT_MS);
afterAll(() => service.stop());

const outcomeOf = (language: string, scenario: string) => {
  const outcome = outcomes.get(language)?.get(scenario);
  if (!outcome) throw new Error(`${language} did not run: ${scenario}.`);
  return outcome;
};

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{3}Z/;
const SNAPSHOT_ID = /\d{4}-\d\d-\d\dT[\d:.]+Z-[0-9a-f]{12}/g;
const TIMES = /\d{4}-\d\d-\d\dT[\d:.,]+Z/g;
const reported = ({ stdout }: Ended) => ({
  timestamp: TIMESTAMP.exec(stdout)?.[0],
  snapshot: stdout.match(SNAPSHOT_ID)?.[0],
});

const expectStored = async (outcome: Ended) => {
  expect(outcome.exitCode).toBe(0);
  const { timestamp, snapshot = '' } = reported(outcome);
  expect(await service.changes()).toContain(timestamp);
  expect((await service.snapshots())[snapshot]).toEqual(BATCH);
};

describe.each(LANGUAGES)('the program in %s', (language) => {
  const expectFailure = (scenario: string, ...texts: string[]) => {
    const outcome = outcomeOf(language, scenario);
    expect(outcome.exitCode).not.toBe(0);
    for (const text of texts) expect(outcome.printed).toContain(text);
    return outcome;
  };

  test('stores its change with the time in UTC, and every digit of its batch', async () => {
    const healthy = outcomeOf(language, 'healthy');
    expect(healthy.stderr).toBe('');
    await expectStored(healthy);
    const reportedAt = Date.parse(String(reported(healthy).timestamp).replace(',', '.'));
    expect(reportedAt).toBeGreaterThanOrEqual(healthy.started);
    expect(reportedAt).toBeLessThanOrEqual(healthy.ended);
  });

  test.each(['healthy', 'mixed'])('prints what the pages show: %s', (scenario) => {
    const shown = language === 'bash' ? pageOf(language) : page;
    const masked = (text: string) => text.replaceAll(SNAPSHOT_ID, 'ID').replaceAll(TIMES, 'TIME');
    expect(masked(outcomeOf(language, scenario).stdout)).toBe(masked(fenceIn(shown, 'text')));
  });

  test('prints the refusal of a wrong password', () => {
    expectFailure('wrong password', 'HTTP 401', 'Send Authorization: Basic');
  });

  test('prints every error of a refused batch, its place and the request id', () => {
    const { printed } = expectFailure(
      'wrong batch',
      'HTTP 400',
      'The body has 2 errors, so nothing was stored.',
      '#/MaterialCodes/0/StockBalanceUnit',
      '#/MaterialCodes/1/StockBalanceUnit',
      'StockBalanceUnit must have 1 to 32 characters',
    );
    expect(printed).toMatch(/request(Id)?\W+[\w/+-]{15}=/);
  });

  test('repeats a request after 503, 429, a cut connection, half a response and a lost one', async () => {
    const mixed = outcomeOf(language, 'mixed');
    expect(mixed.operations).toEqual([CHANGES, CODES, BALANCES].flatMap((path) => [path, path, path]));
    expect(new Set(mixed.bodies.slice(0, 3)).size).toBe(1);
    expect(new Set(mixed.bodies.slice(6)).size).toBe(1);
    // Longer than the default pause of a second.
    expect(mixed.pauseBefore(1)).toBeGreaterThan(1_950);
    expect(mixed.pauseBefore(4)).toBeGreaterThan(950);
    await expectStored(mixed);
  });

  test('repeats a request after any 5xx, and pauses for 1 s and 2 s without Retry-After', async () => {
    const failed = outcomeOf(language, 'server errors');
    expect(failed.operations).toEqual([CHANGES, CHANGES, CHANGES, CODES, CODES, BALANCES, BALANCES]);
    for (const index of [1, 4, 6]) expect(failed.pauseBefore(index)).toBeGreaterThan(950);
    expect(failed.pauseBefore(2)).toBeGreaterThan(1_950);
    await expectStored(failed);
  });

  test('doubles its pause at each further 429 to a request, up to its limit', async () => {
    const limited = outcomeOf(language, 'limited');
    expect(limited.operations).toEqual([...Array<unknown>(5).fill(CHANGES), CODES, BALANCES]);
    for (const [index, seconds] of [
      [1, 1],
      [2, 2],
      [4, 4],
    ] as const)
      expect(limited.pauseBefore(index)).toBeGreaterThan(seconds * 950);
    await expectStored(limited);
    const { pauseBefore } = expectFailure('limited for long', 'HTTP 403');
    // Without its limit, this pause would be eight times as long.
    expect(pauseBefore(4)).toBeLessThan(8 * SHORT_LIMIT * 1_000);
  });

  test('has one limit, which ends an attempt that hangs or has an endless response', () => {
    expect([...programIn(language).matchAll(LIMIT)]).toHaveLength(1);
    const endless = expectFailure('endless', 'HTTP 403');
    expect(new Set(endless.operations)).toEqual(new Set([CHANGES]));
    // Three attempts and the pauses after them.
    expect(endless.arrival(3)).toBeGreaterThan((3 * SHORT_LIMIT + 1 + 2 + SHORT_LIMIT) * 950);
  });

  test('pauses for a Retry-After of its limit, and for its own pause if that is no number', () => {
    const outcome = outcomeOf(language, 'strange pauses');
    for (const [index, seconds] of [SHORT_LIMIT, 2, 4].entries())
      expect(outcome.pauseBefore(index + 1)).toBeGreaterThan(seconds * 950);
  });

  test.each([
    ['strange pauses', 4, `HTTP 503, no retry for ${SHORT_LIMIT + 1} s: `],
    ['used-up quota', 1, 'HTTP 429, no retry for 3600 s: '],
  ])('ends with the reason at a Retry-After above its limit: %s', (scenario, requests, reason) => {
    const { operations, stdout } = expectFailure(scenario, reason, UNAVAILABLE);
    expect(operations).toEqual(Array.from({ length: requests }, () => CHANGES));
    expect(stdout).toBe('');
  });

  test('gives up after five attempts, and prints the reason', () => {
    const { operations } = expectFailure('unavailable', 'HTTP 503', UNAVAILABLE);
    expect(operations).toEqual(Array.from({ length: 5 }, () => CHANGES));
  });

  test('treats half a response as a failure, also at the last attempt', () => {
    const { operations, stdout } = expectFailure('broken list');
    expect(operations).toEqual([CHANGES, CODES, CODES, CODES, CODES, CODES]);
    expect(stdout).not.toContain('material codes');
  });

  test.each([0, 1])('follows no redirect of request %i, and fails', (redirected) => {
    const { operations } = expectFailure(`redirected ${redirected}`, 'HTTP 302');
    expect(operations).toEqual([CHANGES, CODES].slice(0, redirected + 1));
  });

  test.each([...foreignResponses])('prints the response when it is %s', (name, [_response, ...texts]) => {
    const { operations, printed } = expectFailure(name, ...texts);
    expect(operations).toEqual([CHANGES]);
    expect(printed).not.toMatch(/warning|notice/i);
  });
});

test('the program with curl accepts a media type with parameters, and refuses a longer name', async () => {
  const types = ['application/json ; charset=utf-8', 'application/json-nonsense'];
  const outcome = await runThroughProxy(await prepare('bash'), service.account, (index) => ({
    status: 200,
    headers: { 'Content-Type': String(types[index]) },
    body: '{ "Timestamp" : "now",\n"MaterialCodes": [] }\n',
  }));
  expect(outcome.operations).toEqual([CHANGES, CODES]);
  expect(outcome.exitCode).not.toBe(0);
  expect(outcome.stderr).toContain("HTTP 200, but not the service's response");
});

test('the tables have what the programs printed, one batch per program with a lost response, and nothing else', async () => {
  const all = [...outcomes.values()].flatMap((scenarios) => [...scenarios.values()]).map(reported);
  expect(new Set(await service.changes())).toEqual(new Set(all.flatMap(({ timestamp }) => timestamp ?? [])));
  const printed = all.flatMap(({ snapshot }) => snapshot ?? []);
  const snapshots = await service.snapshots();
  const unprinted = Object.keys(snapshots).filter((id) => !printed.includes(id));
  expect(printed).toHaveLength(4 * LANGUAGES.length);
  expect(unprinted).toHaveLength(LANGUAGES.length);
  for (const id of unprinted) expect(snapshots[id]).toEqual(BATCH);
});

/** The commands of the first block of the page, each with its title above and its response below. */
const commands = fenceIn(page, 'sh')
  .split(/^# (?=[A-Z])/m)
  .slice(1)
  .map((part) => {
    const [, title = '', command = '', shown = ''] = /^(.+?)\n(.*)\n# (.+)/s.exec(part) ?? [];
    return { title, command, shown };
  });

test.each(commands)('the integration page has a command that works: $title', async ({ command, shown }) => {
  const { exitCode, stdout } = await runCommand(command, service.account);
  expect(exitCode).toBe(0);
  expect(Object.keys(JSON.parse(stdout))).toEqual(Object.keys(JSON.parse(shown)));
});

test('the integration page shows the refusal that the programs get', () => {
  const [, response = ''] = /HTTP 400: (.*)/.exec(outcomeOf('bash', 'wrong batch').stderr) ?? [];
  const { requestId, ...shown } = JSON.parse(fenceIn(page, 'json'));
  expect(requestId).toMatch(/^[\w+/]{15}=$/);
  expect(JSON.parse(response)).toEqual({ ...shown, requestId: expect.any(String) });
});

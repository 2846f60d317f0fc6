import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ended } from './execute.ts';
import { foreignReplies } from './foreign-replies.ts';
import { describePage } from './integration-page.ts';
import { fenceIn } from './page.ts';
import {
  type Outcomes,
  outcomesOf,
  runThrough,
  SHORT_PAUSE,
  SHORT_TIME_OUT,
  TIME_OUT,
  UNAVAILABLE,
} from './scenarios.ts';
import { startService } from './service.ts';
import { languages, prepare, runLine } from './snippets.ts';

const CODES_LISTED = ['ABC-1', 'Кабель,ВВГ/3', 'Сталь-10/А'];

/** A colon, characters beyond Latin-1, and in Base64 longer than the 76 characters of a MIME line. */
const PASSWORD = 'Пароль: склад №7 "ключ" + ё/й & 100% \\ $HOME — до самого конца';

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
const LANGUAGES = Object.keys(languages);

let service: Awaited<ReturnType<typeof startService>>;
const outcomes = new Map<string, Outcomes>();

beforeAll(async () => {
  const MaterialCodes = CODES_LISTED.map((MaterialCode) => ({ MaterialCode }));
  service = await startService({ MaterialCodes, PurchaseOrders: [] }, PASSWORD);
  await Promise.all(
    LANGUAGES.map(async (language) => outcomes.set(language, await outcomesOf(language, service.account))),
  );
});
afterAll(() => service.stop());

const outcomesIn = (language: string) => {
  const found = outcomes.get(language);
  if (!found) throw new Error(`${language} did not run.`);
  return found;
};

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{3}Z/;
const SNAPSHOT_ID = /\d{4}-\d\d-\d\dT[\d:.]+Z-[0-9a-f]{12}/;
const reported = ({ stdout }: Ended) => ({
  timestamp: TIMESTAMP.exec(stdout)?.[0],
  snapshot: SNAPSHOT_ID.exec(stdout)?.[0],
});

const expectStored = async (outcome: Ended) => {
  expect(outcome.exitCode).toBe(0);
  const { timestamp, snapshot = '' } = reported(outcome);
  expect(await service.changes()).toContain(timestamp);
  expect((await service.snapshots())[snapshot]).toEqual(BATCH);
};

describe.each(LANGUAGES)('the program in %s', (language) => {
  test('has its change and its batch stored to the digit', async () => {
    const { healthy } = outcomesIn(language);
    expect(healthy.stderr).toBe('');
    expect(healthy.stdout).toContain(`${CODES_LISTED.length} material codes`);
    await expectStored(healthy);
  });

  test('stamps its change in UTC', () => {
    const { timestamp = '' } = reported(outcomesIn(language).healthy);
    expect(Math.abs(Date.now() - Date.parse(timestamp.replace(',', '.')))).toBeLessThan(300_000);
  });

  test('prints the refusal of a wrong password', () => {
    const { exitCode, stdout, stderr } = outcomesIn(language).wrongPassword;
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain('HTTP 401');
    expect(stdout + stderr).toContain('Send the header Authorization: Basic');
  });

  test('prints every error of a refused batch, its place and the request id', () => {
    const { exitCode, stdout, stderr } = outcomesIn(language).wrongBatch;
    expect(exitCode).not.toBe(0);
    const text = stdout + stderr;
    expect(text).toContain('HTTP 400');
    expect(text).toContain('The body was refused for 2 faults; nothing of it was kept.');
    expect(text).toMatch(/request(Id)?\W+[0-9a-f-]{36}/);
    for (const entry of [0, 1]) expect(text).toContain(`#/MaterialCodes/${entry}/StockBalanceUnit`);
    expect(text).toContain('StockBalanceUnit takes 1 to 32 characters');
  });

  test('repeats a request after 503, 429, a cut connection, half an answer and a lost one', async () => {
    const { outcome, operations, pauseBefore, bodies } = outcomesIn(language).mixed;
    expect(operations).toEqual([CHANGES, CODES, BALANCES].flatMap((path) => [path, path, path]));
    expect(new Set(bodies.slice(0, 3)).size).toBe(1);
    expect(new Set(bodies.slice(6)).size).toBe(1);
    // Longer than the default pause of a second.
    expect(pauseBefore(1)).toBeGreaterThan(1_950);
    expect(pauseBefore(4)).toBeGreaterThan(950);
    await expectStored(outcome);
    expect(outcome.stdout).toContain(`${CODES_LISTED.length} material codes`);
    expect(outcome.stdout).not.toContain(UNAVAILABLE);
  });

  test('has one time-out, and repeats the request after it', async () => {
    expect([...fenceIn(language).matchAll(TIME_OUT)]).toHaveLength(1);
    const { outcome, operations, pauseBefore } = outcomesIn(language).silent;
    expect(operations).toEqual([CHANGES, CHANGES, CODES, BALANCES]);
    // The program's clock starts before its request arrives, which takes a while on a busy machine.
    expect(pauseBefore(1)).toBeGreaterThan(SHORT_TIME_OUT * 500);
    await expectStored(outcome);
  });

  test('waits no longer than that for the end of an answer', async () => {
    const { outcome, operations, pauseBefore } = outcomesIn(language).endless;
    expect(operations).toEqual([CHANGES, CHANGES, CHANGES, CODES, BALANCES]);
    for (const index of [1, 2]) {
      expect(pauseBefore(index)).toBeGreaterThan(SHORT_TIME_OUT * 500);
      expect(pauseBefore(index)).toBeLessThan(SHORT_TIME_OUT * 3_000);
    }
    await expectStored(outcome);
  });

  test('pauses for the seconds of Retry-After, but not for a year', async () => {
    const { outcome, operations, pauseBefore } = outcomesIn(language).strangePause;
    expect(operations.slice(0, 5)).toEqual([CHANGES, CHANGES, CODES, CODES, BALANCES]);
    for (const index of [1, 3]) expect(pauseBefore(index)).toBeGreaterThan(950);
    // curl pauses for any Retry-After, or not at all.
    if (language === 'bash') {
      expect(operations).toHaveLength(5);
      expect(outcome.exitCode).not.toBe(0);
      expect(outcome.stderr).toContain(UNAVAILABLE);
      return;
    }
    expect(operations.slice(5)).toEqual([BALANCES]);
    expect(pauseBefore(5)).toBeGreaterThan(SHORT_PAUSE * 950);
    await expectStored(outcome);
  });

  test('gives up after five attempts, and prints the reason', () => {
    const { outcome, operations } = outcomesIn(language).unavailable;
    expect(outcome.exitCode).not.toBe(0);
    expect(operations).toEqual(Array.from({ length: 5 }, () => CHANGES));
    expect(outcome.stdout + outcome.stderr).toContain('HTTP 503');
    expect(outcome.stdout + outcome.stderr).toContain(UNAVAILABLE);
  });

  test('treats half an answer as a failure, also at the last attempt', () => {
    const { outcome, operations } = outcomesIn(language).brokenList;
    expect(outcome.exitCode).not.toBe(0);
    expect(operations).toEqual([CHANGES, CODES, CODES, CODES, CODES, CODES]);
    expect(outcome.stdout).not.toContain('material codes');
  });

  test.each([CHANGES, CODES])('follows no redirect of %s, and fails', (redirected) => {
    const at = [CHANGES, CODES].indexOf(redirected);
    const { outcome, operations, requestsElsewhere } = outcomesIn(language).redirected[at] ?? {};
    expect(requestsElsewhere).toBe(0);
    expect(operations).toEqual([CHANGES, CODES].slice(0, at + 1));
    expect(outcome?.exitCode).not.toBe(0);
    expect(`${outcome?.stdout}${outcome?.stderr}`).toContain('HTTP 302');
  });

  test.each([...foreignReplies.keys()])('prints the reply when it is %s', (name) => {
    const { outcome, operations } = outcomesIn(language).foreign.get(name) ?? {};
    expect(operations).toEqual([CHANGES]);
    expect(outcome?.exitCode).not.toBe(0);
    const text = `${outcome?.stdout}${outcome?.stderr}`;
    for (const printed of foreignReplies.get(name)?.slice(1) ?? []) expect(text).toContain(printed);
    expect(text).not.toMatch(/warning|notice/i);
  });
});

test('the program with curl prints one JSON value for each call, also after failed attempts', () => {
  const { stdout } = outcomesIn('bash').mixed.outcome;
  const [change = '', count, snapshot = '', ...others] = stdout.trimEnd().split('\n');
  expect(Object.keys(JSON.parse(change))).toEqual(['Timestamp']);
  expect(count).toContain('material codes');
  expect(Object.keys(JSON.parse(snapshot))).toEqual(['SnapshotId', 'ReceivedAt', 'EntryCount']);
  expect(others).toEqual([]);
});

test('the program with curl accepts a media type with parameters, and none that only begins like it', async () => {
  const run = await prepare('bash');
  const types = ['application/json ; charset=utf-8', 'application/json-nonsense'];
  const { outcome, operations } = await runThrough(run, service.account, (index) => ({
    status: 200,
    headers: { 'Content-Type': String(types[index]) },
    body: '{ "Timestamp" : "now",\n"MaterialCodes": [] }\n',
  }));
  expect(operations).toEqual([CHANGES, CODES]);
  expect(outcome.exitCode).not.toBe(0);
  expect(outcome.stderr).toContain("HTTP 200, but not the service's answer");
});

test('the tables hold what the programs printed, one batch of each whose answer was lost, and nothing else', async () => {
  const all = [...outcomes.values()].flatMap((outcome) => outcome.all).map(reported);
  expect(new Set(await service.changes())).toEqual(new Set(all.flatMap(({ timestamp }) => timestamp ?? [])));
  const printed = all.flatMap(({ snapshot }) => snapshot ?? []);
  const snapshots = await service.snapshots();
  const unprinted = Object.keys(snapshots).filter((id) => !printed.includes(id));
  expect(printed).toHaveLength(5 * LANGUAGES.length - 1);
  expect(unprinted).toHaveLength(LANGUAGES.length);
  for (const id of unprinted) expect(snapshots[id]).toEqual(BATCH);
});

describePage({
  runLine: (line) => runLine(line, service.account),
  refusal: () => outcomesIn('bash').wrongBatch.stderr,
  codes: CODES_LISTED,
});

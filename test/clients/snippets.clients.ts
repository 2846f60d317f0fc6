import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ended } from './execute.ts';
import { foreignAnswers } from './foreign-answers.ts';
import { fenceIn } from './page.ts';
import {
  IMPATIENCE,
  LONGEST_PAUSE,
  type Outcomes,
  outcomesOf,
  runThrough,
  TIME_OUT,
  UNAVAILABLE,
} from './scenarios.ts';
import { startService } from './service.ts';
import { languages, prepare, runLine } from './snippets.ts';
import { describePage } from './the-page.ts';

const CODES_LISTED = ['ABC-1', 'Кабель,ВВГ/3', 'Сталь-10/А'];

/** A colon of its own, more than Latin-1 can say, and in base64 longer than a line of MIME. */
const PASSWORD = 'Пароль: склад №7 "ключ" + ё/й & 100% \\ $HOME — до самого конца';

/** What every program says that it sends, as DynamoDB writes it: numbers are text, so every digit counts. */
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

const of = (language: string) => {
  const found = outcomes.get(language);
  if (!found) throw new Error(`${language} was not run.`);
  return found;
};

const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{3}Z/;
const SNAPSHOT_ID = /\d{4}-\d\d-\d\dT[\d:.]+Z-[0-9a-f]{12}/;
const reported = ({ stdout }: Ended) => ({
  timestamp: TIMESTAMP.exec(stdout)?.[0],
  snapshot: SNAPSHOT_ID.exec(stdout)?.[0],
});

const expectKept = async (outcome: Ended) => {
  expect(outcome.exitCode).toBe(0);
  const { timestamp, snapshot = '' } = reported(outcome);
  expect(await service.changes()).toContain(timestamp);
  expect((await service.snapshots())[snapshot]).toEqual(BATCH);
};

describe.each(LANGUAGES)('the program in %s', (language) => {
  test('has its change and its batch kept as it says, to the digit', async () => {
    const { plain } = of(language);
    expect(plain.stderr).toBe('');
    expect(plain.stdout).toContain(`${CODES_LISTED.length} material codes`);
    await expectKept(plain);
  });

  test('stamps its change in UTC', () => {
    const { timestamp = '' } = reported(of(language).plain);
    expect(Math.abs(Date.now() - Date.parse(timestamp.replace(',', '.')))).toBeLessThan(300_000);
  });

  test('tells that its password is wrong', () => {
    const { exitCode, stdout, stderr } = of(language).stranger;
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain('HTTP 401');
    expect(stdout + stderr).toContain('Send the header Authorization: Basic');
  });

  test('tells every fault of a batch that is refused, its place and the id of the request', () => {
    const { exitCode, stdout, stderr } = of(language).spoiled;
    expect(exitCode).not.toBe(0);
    const text = stdout + stderr;
    expect(text).toContain('HTTP 400');
    expect(text).toContain('The body was refused for 2 faults; nothing of it was kept.');
    expect(text).toMatch(/request(Id)?\W+[0-9a-f-]{36}/);
    for (const entry of [0, 1]) expect(text).toContain(`#/MaterialCodes/${entry}/StockBalanceUnit`);
    expect(text).toContain('StockBalanceUnit takes 1 to 32 characters');
  });

  test('sends the same again after 503, 429, a cut connection, half an answer and a lost one', async () => {
    const { outcome, operations, pauseBefore, bodies } = of(language).troubled;
    expect(operations).toEqual([CHANGES, CODES, BALANCES].flatMap((each) => [each, each, each]));
    expect(new Set(bodies.slice(0, 3)).size).toBe(1);
    expect(new Set(bodies.slice(6)).size).toBe(1);
    // Longer than the second that it waits when nobody tells it how long.
    expect(pauseBefore(1)).toBeGreaterThan(1_950);
    expect(pauseBefore(4)).toBeGreaterThan(950);
    await expectKept(outcome);
    expect(outcome.stdout).toContain(`${CODES_LISTED.length} material codes`);
    expect(outcome.stdout).not.toContain(UNAVAILABLE);
  });

  test('has one time-out, and sends again when it has passed', async () => {
    expect([...fenceIn(language).matchAll(TIME_OUT)]).toHaveLength(1);
    const { outcome, operations, pauseBefore } = of(language).silenced;
    expect(operations).toEqual([CHANGES, CHANGES, CODES, BALANCES]);
    // Its clock runs from before its request arrives, which takes a while where much else is running.
    expect(pauseBefore(1)).toBeGreaterThan(IMPATIENCE * 500);
    await expectKept(outcome);
  });

  test('waits no longer for the end of an answer that has begun', async () => {
    const { outcome, operations, pauseBefore } = of(language).dripped;
    expect(operations).toEqual([CHANGES, CHANGES, CHANGES, CODES, BALANCES]);
    for (const index of [1, 2]) {
      expect(pauseBefore(index)).toBeGreaterThan(IMPATIENCE * 500);
      expect(pauseBefore(index)).toBeLessThan(IMPATIENCE * 3_000);
    }
    await expectKept(outcome);
  });

  test('pauses for as long as it is told where that is a number, but for no year', async () => {
    const { outcome, operations, pauseBefore } = of(language).waited;
    expect(operations.slice(0, 5)).toEqual([CHANGES, CHANGES, CODES, CODES, BALANCES]);
    for (const index of [1, 3]) expect(pauseBefore(index)).toBeGreaterThan(950);
    // curl pauses as long as it is told or not at all.
    if (language === 'bash') {
      expect(operations).toHaveLength(5);
      expect(outcome.exitCode).not.toBe(0);
      expect(outcome.stderr).toContain(UNAVAILABLE);
      return;
    }
    expect(operations.slice(5)).toEqual([BALANCES]);
    expect(pauseBefore(5)).toBeGreaterThan(LONGEST_PAUSE * 950);
    await expectKept(outcome);
  });

  test('gives up after five times, and says why', () => {
    const { outcome, operations } = of(language).givenUp;
    expect(outcome.exitCode).not.toBe(0);
    expect(operations).toEqual(Array.from({ length: 5 }, () => CHANGES));
    expect(outcome.stdout + outcome.stderr).toContain('HTTP 503');
    expect(outcome.stdout + outcome.stderr).toContain(UNAVAILABLE);
  });

  test('takes no half of an answer for a whole one, not at its last attempt either', () => {
    const { outcome, operations } = of(language).brokenOff;
    expect(outcome.exitCode).not.toBe(0);
    expect(operations).toEqual([CHANGES, CODES, CODES, CODES, CODES, CODES]);
    expect(outcome.stdout).not.toContain('material codes');
  });

  test.each([CHANGES, CODES])('follows no redirect of %s, and takes it for no success', (redirected) => {
    const at = [CHANGES, CODES].indexOf(redirected);
    const { outcome, operations, requestsElsewhere } = of(language).redirected[at] ?? {};
    expect(requestsElsewhere).toEqual([]);
    expect(operations).toEqual([CHANGES, CODES].slice(0, at + 1));
    expect(outcome?.exitCode).not.toBe(0);
    expect(`${outcome?.stdout}${outcome?.stderr}`).toContain('HTTP 302');
  });

  test.each(Object.entries(foreignAnswers))('says what came where it was %s', (name, { told }) => {
    const { outcome, operations } = of(language).foreign.get(name) ?? {};
    expect(operations).toEqual([CHANGES]);
    expect(outcome?.exitCode).not.toBe(0);
    const text = `${outcome?.stdout}${outcome?.stderr}`;
    for (const each of told) expect(text).toContain(each);
    expect(text).not.toMatch(/warning|notice/i);
  });
});

test('The function of curl prints one JSON value for each call, whatever came before it', () => {
  const { stdout } = of('bash').troubled.outcome;
  const [change = '', count, snapshot = '', ...others] = stdout.trimEnd().split('\n');
  expect(Object.keys(JSON.parse(change))).toEqual(['Timestamp']);
  expect(count).toContain('material codes');
  expect(Object.keys(JSON.parse(snapshot))).toEqual(['SnapshotId', 'ReceivedAt', 'EntryCount']);
  expect(others).toEqual([]);
});

test('The function of curl takes its media type with parameters, and none that only begins like it', async () => {
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

test('Nothing is kept but what the programs say, and one batch of each whose answer was lost', async () => {
  const all = [...outcomes.values()].flatMap(
    ({ plain, stranger, spoiled, foreign, redirected, ...through }) =>
      [plain, stranger, spoiled]
        .concat([...Object.values(through), ...redirected, ...foreign.values()].map(({ outcome }) => outcome))
        .map(reported),
  );
  expect(new Set(await service.changes())).toEqual(new Set(all.flatMap(({ timestamp }) => timestamp ?? [])));
  const said = all.flatMap(({ snapshot }) => snapshot ?? []);
  const snapshots = await service.snapshots();
  const unsaid = Object.keys(snapshots).filter((id) => !said.includes(id));
  expect(said).toHaveLength(5 * LANGUAGES.length - 1);
  expect(unsaid).toHaveLength(LANGUAGES.length);
  for (const id of unsaid) expect(snapshots[id]).toEqual(BATCH);
});

describePage({
  type: (line) => runLine(line, service.account),
  refusal: () => of('bash').spoiled.stderr,
  codes: CODES_LISTED,
});

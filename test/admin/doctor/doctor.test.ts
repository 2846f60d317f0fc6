import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checks } from '../../../admin/doctor/checks/all.ts';
import { basic } from '../../support/http-client.ts';
import { type LocalRun, startLocal } from '../../support/local-run.ts';
import { TableReader } from '../../support/table-reader.ts';
import { tracesOf } from '../../support/traces.ts';
import { doctor } from './command.ts';
import { accountOf, consulted, verdicts } from './consulted.ts';
import {
  oddities,
  refusesEverybody,
  repeatsCredentials,
  spoils,
  throttledAtFirst,
} from './injected-faults.ts';
import { piecesOf } from './pieces.ts';
import { startProxy } from './proxy.ts';
import { isBatch } from './spoiling.ts';

const ALL = checks.map(({ name }) => name);

let run: LocalRun;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let order: { baseUrl: string; username: string; password: string };

beforeAll(async () => {
  run = await startLocal({ args: ['--memory', '--quiet', '--no-throttle'] });
  const { BaseUrl: baseUrl, Clients } = run.outputs();
  const [[username, password] = ['', '']] = Object.entries(Clients);
  order = { baseUrl, username, password };
  proxy = await startProxy(baseUrl);
});

afterAll(async () => {
  await proxy?.stop();
  await run?.stop();
});

describe('a service that keeps its promises', () => {
  test('is well in every check, and holds what the doctor says that it wrote, and no more', async () => {
    const visit = await consulted(order);
    const states = [...verdicts(visit)].map(([name, { state }]) => [name, state]);
    expect(states).toEqual(ALL.map((name) => [name, name === 'tls' ? '-' : 'ok']));
    expect(visit.isWell).toBe(true);
    expect(visit.lines.filter((line) => line.length > 160)).toEqual([]);

    const tables = new TableReader(run.outputs());
    const [changes, batches] = [await tables.changes(), await tables.batches()];
    expect(new Set(changes.map(({ Client }) => Client))).toEqual(new Set(['warehouse']));
    expect(await tables.snapshotIds('warehouse')).toEqual([...batches.keys()].toSorted());
    const what = `${changes.length} changes and ${batches.size} snapshots`;
    expect(visit.lines[0]).toContain(`this writes ${what} under the client warehouse.`);
    expect(visit.lines).toContain(`Written under the client warehouse: ${what}:`);
    const ids = visit.lines.flatMap((line) => /^ {2}(\S+)$/.exec(line)?.[1] ?? []);
    expect(ids.toSorted()).toEqual([...batches.keys()].toSorted());
  });

  test('is well when it asks to come again', async () => {
    proxy.use(throttledAtFirst(3));
    const visit = await consulted({ ...order, baseUrl: proxy.baseUrl, only: ['change'] });
    expect(visit.isWell).toBe(true);
  });
});

describe('what is spoilt is found by its check, with what to do, and no other check is troubled:', () => {
  const BESIDE = ['challenge', 'change', 'purchase-orders'];
  const visitTo = (check: string) =>
    consulted({ ...order, baseUrl: proxy.baseUrl, only: [check, ...BESIDE] });

  test('there is something for each check, here or in the tests of TLS and of strangers', () => {
    const elsewhere = ['reach', 'tls', 'sign-in'];
    const found = new Set([...elsewhere, ...spoils.map(({ check }) => check)]);
    expect([...found].toSorted()).toEqual(ALL.toSorted());
  });

  test.each(spoils)('$check $what', async ({ check, spoil, words }) => {
    proxy.use(spoil);
    const visit = await visitTo(check);
    const { [check]: found, ...others } = Object.fromEntries(verdicts(visit));
    expect([found?.state, found?.words]).toEqual(['WRONG', expect.stringMatching(words)]);
    expect(Object.values(others).map(({ line }) => line)).toEqual(
      Object.values(others).map(() => expect.stringMatching(/^ok /)),
    );
    expect(visit.isWell).toBe(false);
    expect(found?.line.length).toBeLessThan(176);
  });

  test.each(oddities)('$check $what, which is a note', async ({ check, spoil, words }) => {
    proxy.use(spoil);
    const visit = await visitTo(check);
    expect(verdicts(visit).get(check)).toMatchObject({ state: 'note', words: expect.stringMatching(words) });
    expect(visit.isWell).toBe(true);
  });

  test('credentials that are refused, and nothing is tried that needs them', async () => {
    proxy.use(refusesEverybody);
    const visit = await consulted({
      ...order,
      baseUrl: proxy.baseUrl,
      only: ['sign-in', 'change', 'batch-21kb'],
    });
    const found = verdicts(visit);
    expect(found.get('sign-in')?.line).toMatch(/^WRONG .* refused \(401\); .*clients show/);
    for (const name of ['change', 'batch-21kb']) {
      expect(found.get(name)?.line).toMatch(/^- .* not tried: nobody can sign in \(sign-in\)$/);
    }
    expect(visit.lines.at(-1)).toBe('Nothing was written.');
  });

  test('credentials that an answer repeats, without repeating them', async () => {
    proxy.use(repeatsCredentials);
    const visit = await consulted({ ...order, baseUrl: proxy.baseUrl, only: ['unknown-path'] });
    expect(verdicts(visit).get('unknown-path')?.line).toMatch(
      /^WRONG .* GET nothing answered 403 .*catch-all/,
    );
    expect(verdicts(visit).get('unknown-path')?.line).toContain('[hidden]');
    const text = visit.lines.join('\n');
    expect(tracesOf(order.password, text)).toEqual([]);
    expect(piecesOf(order.password, text)).toEqual([]);
    expect(piecesOf(basic(order.username, order.password).slice('Basic '.length), text)).toEqual([]);
  });
});

test('an interruption ends it at once, with the account of what was written until then', async () => {
  const controller = new AbortController();
  proxy.use({
    reply: (asked, pass) => {
      if (isBatch(asked)) controller.abort();
      return pass();
    },
  });
  const visit = await consulted(
    { ...order, baseUrl: proxy.baseUrl, only: ['change', 'gzip-answer', 'kept-connection'] },
    { interrupted: controller.signal },
  );
  expect([...verdicts(visit).keys()]).toEqual(['change']);
  expect(visit.lines).toContain('Ended early.');
  expect(accountOf(visit)).toEqual([
    'Written under the client warehouse: 1 change and 0 snapshots. There may be up to 1 more, whose answer told nothing.',
  ]);
});

describe('the command', () => {
  const local = () => [
    '--base-url',
    `${order.baseUrl}/`,
    '--client',
    order.username,
    '--write-as-this-client',
  ];
  const traces = ({ stdout, stderr }: { stdout: string; stderr: string }) => [
    ...tracesOf(order.password, stdout + stderr),
    ...tracesOf(basic(order.username, order.password), stdout + stderr),
  ];

  test('takes the password from standard input, tells of each check and ends with 0', async () => {
    const args = [...local(), '--only', 'challenge,change'];
    const result = await doctor(args, { input: `${order.password}\r\nmore\n` });
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(
      /^ok {5}challenge +401 with Basic realm="warehouse-control", charset="UTF-8"$/m,
    );
    expect(result.stdout).toMatch(/^2 ok, 0 wrong, 0 notes, 0 not tried\.$/m);
    expect(traces(result)).toEqual([]);
  });

  test('prints JSON and nothing else with --json, takes the password from the environment, and ends with 1', async () => {
    proxy.use(repeatsCredentials);
    const args = [
      '--base-url',
      proxy.baseUrl,
      ...local().slice(2),
      '--json',
      '--only',
      'sign-in,unknown-path',
    ];
    const result = await doctor(args, { env: { WAREHOUSE_PASSWORD: order.password } });
    expect(result.code).toBe(1);
    expect(JSON.parse(result.stdout)).toEqual([
      { name: 'sign-in', state: 'ok', seen: expect.any(String) },
      { name: 'unknown-path', state: 'wrong', seen: expect.any(String), todo: expect.any(String) },
    ]);
    expect(traces(result)).toEqual([]);
  });
});

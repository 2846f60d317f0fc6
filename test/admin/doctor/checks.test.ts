import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../../support/http-client.ts';
import { type LocalRun, startLocal } from '../../support/local-run.ts';
import { TableReader } from '../../support/table-reader.ts';
import { tracesOf } from '../../support/traces.ts';
import { CHECK_NAMES, diagnose, spawnDoctor } from './doctor.ts';
import { startFaultProxy } from './fault-proxy.ts';
import {
  faults,
  oddities,
  refusesCredentials,
  repeatsCredentials,
  throttledAtFirst,
} from './injected-faults.ts';

let run: LocalRun;
let proxy: Awaited<ReturnType<typeof startFaultProxy>>;
let options: { baseUrl: string; username: string; password: string };

beforeAll(async () => {
  run = await startLocal();
  const { BaseUrl: baseUrl, Clients } = run.outputs();
  const [[username, password] = ['', '']] = Object.entries(Clients);
  options = { baseUrl, username, password };
  proxy = await startFaultProxy(baseUrl);
});

afterAll(async () => {
  await proxy?.stop();
  await run?.stop();
});

const diagnoseThroughProxy = (only: string[]) => diagnose({ ...options, baseUrl: proxy.baseUrl, only });

describe('a service without faults', () => {
  test('passes every check, and holds exactly the records that the doctor reports', async () => {
    const { results, isWell, lines, written } = await diagnose(options);
    const states = [...results].map(([name, { state }]) => [name, state]);
    expect(states).toEqual(CHECK_NAMES.map((name) => [name, name === 'tls' ? '-' : 'ok']));
    expect(isWell).toBe(true);
    expect(lines.filter((line) => line.length > 160)).toEqual([]);

    const tables = new TableReader(run.outputs());
    const [changes, batches] = [await tables.changes(), await tables.batches()];
    expect(new Set(changes.map(({ Client }) => Client))).toEqual(new Set(['warehouse']));
    expect(await tables.snapshotIds('warehouse')).toEqual([...batches.keys()].toSorted());
    const count = `${changes.length} changes and ${batches.size} snapshots`;
    expect(lines[0]).toContain(`write ${count} under the client warehouse.`);
    const [summary, ...ids] = written;
    expect(summary).toBe(`Written under the client warehouse: ${count}.`);
    expect(ids.toSorted()).toEqual([...batches.keys()].map((id) => `  "${id}"`).toSorted());
  });

  test('passes when it throttles at first', async () => {
    proxy.inject(throttledAtFirst(3));
    expect((await diagnoseThroughProxy(['change'])).isWell).toBe(true);
  });
});

describe('an injected fault', () => {
  const NEIGHBOURS = ['challenge', 'change', 'purchase-orders'];

  test('exists for every check, here or in another test', () => {
    const elsewhere = ['reach', 'tls'];
    expect(new Set([...elsewhere, ...faults.map(([check]) => check)])).toEqual(new Set(CHECK_NAMES));
  });

  test.each(faults)('%s: %s is wrong, and other checks pass', async (check, _, fault, seen) => {
    proxy.inject(fault);
    const { results, isWell } = await diagnoseThroughProxy([check, ...NEIGHBOURS]);
    const { [check]: found, ...others } = Object.fromEntries(results);
    expect([isWell, found?.state, found?.seen]).toEqual([false, 'WRONG', expect.stringMatching(seen)]);
    const expected = expect.stringMatching(check === 'sign-in' ? /^(ok|-)$/ : /^ok$/);
    for (const { state } of Object.values(others)) expect(state).toEqual(expected);
    expect(found?.line.length).toBeLessThan(176);
  });

  test.each(oddities)('%s: %s is a note', async (check, _, fault, seen) => {
    proxy.inject(fault);
    const { results, isWell } = await diagnoseThroughProxy([check, ...NEIGHBOURS]);
    const found = results.get(check);
    expect([isWell, found?.state, found?.seen]).toEqual([true, 'note', expect.stringMatching(seen)]);
  });

  test('refused credentials: later checks are not tried', async () => {
    proxy.inject(refusesCredentials);
    const { results, written } = await diagnoseThroughProxy(['challenge', 'sign-in', 'change', 'batch-21kb']);
    expect(results.get('challenge')?.state).toBe('ok');
    expect(results.get('sign-in')?.line).toMatch(/^WRONG .* refused \(401\); .*clients show/);
    for (const name of ['change', 'batch-21kb']) {
      expect(results.get(name)?.seen).toBe('not tried: the credentials do not work (sign-in)');
    }
    expect(written).toEqual(['Written under the client warehouse: 0 changes and 0 snapshots.']);
  });
});

test('an interruption ends the run at once and reports what was written', async () => {
  const controller = new AbortController();
  proxy.inject({
    reply: (request, forward) => {
      if (String(request.url).endsWith('/material-stock-balance')) controller.abort();
      return forward();
    },
  });
  const only = ['change', 'gzip-answer', 'kept-connection'];
  const { results, lines, written } = await diagnose(
    { ...options, baseUrl: proxy.baseUrl, only },
    { interrupted: controller.signal },
  );
  expect([...results.keys()]).toEqual(['change']);
  expect(lines).toContain('The doctor was stopped early.');
  expect(written).toEqual([
    'Written under the client warehouse: 1 change and 0 snapshots. Up to 1 more may have been written, because their responses did not arrive.',
  ]);
});

test('as a command, it reads the password from standard input, prints each check and ends with 0', async () => {
  const { baseUrl, username, password } = options;
  const args = ['--base-url', `${baseUrl}/`, '--client', username, '--write-as-this-client'];
  const result = await spawnDoctor([...args, '--only', 'challenge,change'], `${password}\r\nmore\n`);
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(result.stdout).toMatch(/^ok {5}challenge +401 with the challenge/m);
  expect(result.stdout).toMatch(/^2 ok, 0 wrong, 0 notes, 0 not tried\.$/m);
  for (const secret of [password, basic(username, password)]) {
    expect(tracesOf(secret, result.stdout)).toEqual([]);
  }
});

test('a response that repeats the Authorization header is reported without it', async () => {
  proxy.inject(repeatsCredentials);
  const { results, text } = await diagnoseThroughProxy(['sign-in']);
  expect(results.get('sign-in')?.line).toMatch(/^WRONG .* answered 403 "Basic \[hidden\] is no signature"/);
  expect(tracesOf(options.password, text)).toEqual([]);
});

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { batchOf } from '../support/batches.ts';
import { send } from '../support/http-client.ts';
import { editedAssembly } from '../support/local-assembly.ts';
import { rowsOf } from '../support/local-clients.ts';
import { eventually, functionProcesses, type LocalRun, startLocal } from '../support/local-run.ts';

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    assembly.resource('AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 0;
  });
  run = await startLocal({ assemblyFolder, args: ['--quiet', '--no-throttle'] });
});

const disturb = (disturbances: object) =>
  send(`${run.outputs().ControlEndpoint}/disturbances`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(disturbances),
  });
beforeEach(async () => {
  expect((await disturb({})).status).toBe(200);
});

let second = 0;
const newTimestamp = () => {
  second += 1;
  return `2026-03-01T08:15:${String(second).padStart(2, '0')},000Z`;
};

const post = (path: string, body: object) =>
  send(run.url(path), {
    method: 'POST',
    headers: { Authorization: run.authorization(), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const isKept = async (timestamp: string) =>
  (await rowsOf(run, 'ChangeTimestamps')).some(({ Timestamp }) => Timestamp === timestamp);

const put = { action: 'dynamodb:PutItem' };

describe('a table that is disturbed', () => {
  test.each(['throttle', 'error', 'cut', 'lose'])(
    'once (%s) is asked again by the function, and what is answered with 200 is kept',
    async (kind) => {
      const Timestamp = newTimestamp();
      await disturb({ dynamodb: [{ ...put, kind, times: 1 }] });
      expect((await post('changes', { Timestamp })).status).toBe(200);
      expect(await isKept(Timestamp)).toBe(true);
    },
  );

  test('for long is a 503 with Retry-After; sent again later, it is kept', async () => {
    const Timestamp = newTimestamp();
    await disturb({ dynamodb: [{ ...put, kind: 'error' }] });
    const refused = await post('changes', { Timestamp });
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect(await isKept(Timestamp)).toBe(false);
    await disturb({});
    expect((await post('changes', { Timestamp })).status).toBe(200);
    expect(await isKept(Timestamp)).toBe(true);
  });

  test('so that only answers are lost for long is a 503, and sending it again keeps one record', async () => {
    const Timestamp = newTimestamp();
    await disturb({ dynamodb: [{ ...put, kind: 'lose' }] });
    expect((await post('changes', { Timestamp })).status).toBe(503);
    await disturb({});
    expect((await post('changes', { Timestamp })).status).toBe(200);
    const same = (await rowsOf(run, 'ChangeTimestamps')).filter((row) => row['Timestamp'] === Timestamp);
    expect(same).toHaveLength(1);
  });

  test('by a delay answers late and well', async () => {
    const Timestamp = newTimestamp();
    await disturb({ dynamodb: [{ ...put, kind: 'delay', delayMs: 300, times: 1 }] });
    expect((await post('changes', { Timestamp })).status).toBe(200);
    expect(await isKept(Timestamp)).toBe(true);
  });

  test('by a delay is not waited for by a run that is asked to end', async () => {
    const ending = await startLocal({ args: ['--quiet'] });
    await send(`${ending.outputs().ControlEndpoint}/disturbances`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ dynamodb: [{ kind: 'delay', delayMs: 3_600_000 }] }),
    });
    const headers = { Authorization: ending.authorization() };
    const asking = send(ending.url('material-codes'), { headers }).catch(() => 'cut');
    await eventually(() => functionProcesses(ending, 'GetMaterialCodes').length > 0);
    await ending.stop();
    expect(await asking).toBe('cut');
  });

  test('after so many calls only lets those pass: of a batch in parts, a refused one has no first part', async () => {
    await disturb({ dynamodb: [{ ...put, kind: 'error', after: 2 }] });
    const refused = await post('material-stock-balance', batchOf(9_000, '-refused'));
    expect(refused.status).toBe(503);
    await disturb({});
    const rows = await rowsOf(run, 'BalanceSnapshots');
    expect(rows.filter(({ Client }) => Client === 'warehouse')).toEqual([]);
    const kept = await post('material-stock-balance', batchOf(30));
    expect(kept.status).toBe(200);
    const stored = (await rowsOf(run, 'BalanceSnapshots')).filter(({ Client }) => Client === 'warehouse');
    expect(stored).toMatchObject([{ SnapshotId: kept.json().SnapshotId, EntryCount: 30 }]);
  });

  test('in one action only serves the others', async () => {
    await disturb({ dynamodb: [{ ...put, kind: 'error' }] });
    const answer = await send(run.url('material-codes'), { headers: { Authorization: run.authorization() } });
    expect(answer.status).toBe(200);
  });
});

describe('secrets that are disturbed', () => {
  test.each(['throttle', 'error', 'cut'])('once (%s) are asked for again', async (kind) => {
    // The copy of the authorizer has to be older than a mismatch allows for; a process of its own has none.
    const fresh = await startLocal({ args: ['--quiet'] });
    await send(`${fresh.outputs().ControlEndpoint}/disturbances`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ secretsmanager: [{ action: 'secretsmanager:GetSecretValue', kind, times: 1 }] }),
    });
    const answer = await send(fresh.url('material-codes'), {
      headers: { Authorization: fresh.authorization() },
    });
    expect(answer.status).toBe(200);
    await fresh.stop();
  });
});

describe('the control endpoint', () => {
  test.each([
    ['an unknown path', 'GET', '/', 'application/json'],
    ['a form of a page in a browser', 'POST', '/disturbances', 'text/plain'],
    ['another method', 'DELETE', '/disturbances', 'application/json'],
  ])('answers 404 to %s', async (_, method, path, type) => {
    const answer = await send(`${run.outputs().ControlEndpoint}${path}`, {
      method,
      headers: { 'Content-Type': type },
      body: '{}',
    });
    expect(answer.status).toBe(404);
  });
});

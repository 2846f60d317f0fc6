import { afterAll, beforeEach, expect, test } from 'vitest';
import type { TablePage } from '../../../admin/console/api.ts';
import { isPasswordOf } from '../../../shared/clients/password.ts';
import { DAY_MS } from '../../../shared/time.ts';
import { storedClient } from '../../support/clients.ts';
import { startFaultyEngine, testClient } from '../../support/tables.ts';
import { clientItems, emptyDeployment, putItems } from '../tables.ts';
import { startTestConsole } from './test-console.ts';

const engine = await startFaultyEngine();
const gone = { Client: 'gone', RemovedAt: '2026-01-01T00:00:00.000Z' };
const clients = ['late', 'rotated', gone];
const { names, data } = await emptyDeployment({ engine: engine.endpoint, clients });
const console = await startTestConsole(data);
afterAll(async () => {
  await console.stop();
  await engine.stop();
});
beforeEach(() => engine.decide(() => 'through'));

const stored = async (name: string) => (await storedClient(testClient(), names.Clients, name)).client;
/** Its response names what the page has, and neither commands nor options. */
const change = async (name: string, body: object) => {
  const response = await console.post(`/api/clients/${name}`, body);
  expect(JSON.stringify(response.body)).not.toMatch(/`|--/);
  return response.body;
};
const ROTATION = { action: 'rotate', overlapHours: 2, isAgain: false, confirmed: true };

test('the page gets the clients that are not removed, the plans, and what to look at', async () => {
  await putItems(names.Clients, [
    { Client: { S: 'lost' } },
    ...clientItems([{ Client: 'astray', Plan: 'none' }]),
  ]);
  let scan: unknown;
  engine.decide((action, _, { body }) => {
    if (action === 'Scan') scan = JSON.parse(String(body));
    return 'through';
  });
  const { notices, ...others } = (await console.get('/api/clients')).body;
  // An admin sees what another has just changed.
  expect(scan).toMatchObject({ ConsistentRead: true });
  expect(others).toEqual({ plans: ['standard', 'slow'], damaged: ['lost'] });
  expect(notices).toEqual([
    expect.stringMatching(/^astray: .* Give these clients another plan: press "Edit" in the row\.$/),
    expect.stringContaining('1 damaged item'),
  ]);
  await console.post('/api/clients', { name: 'shown' });
  const { rows }: TablePage = (await console.get('/api/tables/clients')).body;
  const shown = rows.map(([name]) => name);
  expect(shown).toEqual(['astray', 'late', 'rotated', 'shown']);
});

test('an added client and a rotation come with what the warehouse needs, and with the password that is stored', async () => {
  const values = { userName: 'Запад', plan: 'slow', silenceHours: 0, share: false };
  const baseUrl = 'https://warehouse.example';
  for (const [name, response] of [
    ['west', (await console.post('/api/clients', { name: 'west', ...values })).body],
    ['gone', (await console.post('/api/clients', { name: 'gone' })).body],
    ['rotated', await change('rotated', ROTATION)],
  ]) {
    const { UserName, Salt = '', Hash = '' } = await stored(name);
    const { password, ...login } = response.login;
    expect(login, name).toEqual({ userName: UserName, baseUrl });
    expect(password, name).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(isPasswordOf(password, { Salt, Hash }), name).toBe(true);
  }
  expect(await stored('west')).toMatchObject({ UserName: 'Запад', Plan: 'slow', Slot: 1, SilenceHours: 0 });
  const hoursLeft = (Date.parse((await stored('rotated')).PreviousUntil ?? '') - Date.now()) / 3_600_000;
  expect(Math.round(hoursLeft)).toBe(2);
});

test('a change has the time of the service, however long the console runs, and whatever the clock of this machine says', async () => {
  for (const days of [1, 2]) {
    const now = new Date(Date.now() + days * DAY_MS);
    engine.decide(async (_, __, { forward }) => {
      const response = await forward();
      return { ...response, headers: { ...response.headers, date: now.toUTCString() } };
    });
    // Its responses have the time of the service.
    await console.get('/api/clients');
    await change('late', { action: 'lock' });
    expect((await stored('late')).LockedAt?.slice(0, 10)).toBe(now.toISOString().slice(0, 10));
    await change('late', { action: 'unlock' });
  }
});

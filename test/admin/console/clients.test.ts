import { beforeEach, expect, test, vi } from 'vitest';
import type { TableWindow } from '../../../admin/console/api.ts';
import { isPasswordOf } from '../../../shared/clients/password.ts';
import { storedClient } from '../../support/clients.ts';
import { itemsOf, testClient } from '../../support/tables.ts';
import { clientItems, createClients, dataFolder, emptyDeployment, putItems } from '../tables.ts';
import { startTestConsole, type TestConsole, testSession } from './test-console.ts';

const { names } = await emptyDeployment();
let table: string;
let console: TestConsole;
/** As of a console that was started long ago. */
let session: Awaited<ReturnType<typeof testSession>>;
beforeEach(async () => {
  table = await createClients(['north', 'south', { Client: 'gone', RemovedAt: '2026-01-01T00:00:00.000Z' }]);
  session = { ...(await testSession(dataFolder({ ...names, Clients: table }))), now: new Date(0) };
  console = await startTestConsole(session);
  return console.stop;
});

const stored = async (name = 'north') => (await storedClient(testClient(), table, name)).client;
/** Its response names what the page has, and neither commands nor options. */
const change = async (body: object, name = 'north') => {
  const response = await console.post(`/api/clients/${name}`, body);
  expect(JSON.stringify(response.body)).not.toMatch(/`|--/);
  return response;
};
const ROTATION = { action: 'rotate', overlapHours: 24, isAgain: false };

test('the page gets the clients that are not removed, the plans, and what to look at', async () => {
  await putItems(table, [{ Client: { S: 'broken' } }, ...clientItems([{ Client: 'astray', Plan: 'none' }])]);
  const sent = vi.spyOn(session.deployment.dynamodb, 'send');
  expect(await console.get('/api/clients')).toMatchObject({
    status: 200,
    body: {
      notices: [
        expect.stringMatching(/^astray: .* Give these clients another plan: press "Edit" in the row\.$/),
        expect.stringContaining('1 damaged item'),
      ],
      plans: ['standard', 'slow'],
      damaged: ['broken'],
    },
  });
  // An admin sees what another has just changed.
  expect(sent.mock.calls[0]?.[0].input).toMatchObject({ ConsistentRead: true });
  const { rows }: TableWindow = (await console.get('/api/tables/clients')).body;
  expect(rows.map(({ cells }) => cells[0])).toEqual(['astray', 'north', 'south']);
});

test('a damaged batch is a finding', async () => {
  const SnapshotId = { S: '2026-03-01T08:15:31.402Z-damaged' };
  await putItems(names.BalanceSnapshots, [{ Client: { S: 'north' }, SnapshotId, Parts: { N: '0' } }]);
  const { rows }: TableWindow = (await console.get('/api/tables/findings?kind=damaged-snapshot')).body;
  expect(rows[0]?.cells).toContainEqual(
    expect.stringMatching(/^Snapshot 2026-03-01T08:15:31\.402Z-damaged of north is damaged: /),
  );
});

test('an added client and a rotation come with what the warehouse needs, and the stored hash is of it', async () => {
  const values = { userName: 'Запад', plan: 'slow', silenceHours: 0, share: false };
  const added = await console.post('/api/clients', { name: 'west', ...values });
  const message = expect.stringMatching(/^west is added\. It has access within 60 s\./);
  const common = {
    password: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    baseUrl: 'https://warehouse.example',
  };
  expect(added).toMatchObject({ status: 200, body: { message, login: { userName: 'Запад', ...common } } });
  expect(await stored('west')).toMatchObject({ Plan: 'slow', Slot: 1, SilenceHours: 0 });
  expect((await console.post('/api/clients', { name: 'gone' })).body).toHaveProperty('login');
  const rotated = await change({ ...ROTATION, overlapHours: 2, confirmed: true });
  expect(rotated.body).toMatchObject({ login: { userName: 'north', ...common } });
  const { Salt = '', Hash = '', PreviousUntil = '' } = await stored();
  expect(Date.parse(PreviousUntil)).toBeGreaterThan(Date.now());
  expect(isPasswordOf(rotated.body.login.password, { Salt, Hash })).toBe(true);
});

test.each([
  [
    24,
    false,
    /^north gets a new password\. The current password stays valid until \d{4}-.*Z\. Set the new password\?$/,
  ],
  [0, false, /^north gets a new password\. The current password ends at once\. Set the new password\?$/],
  [
    24,
    true,
    /^north gets a new password\. The current password ends at once, and the previous password stays valid until \d{4}-.*Z\. Set the new password\?$/,
  ],
])(
  'a rotation with an overlap of %i h asks first, and changes nothing: again %s',
  async (overlapHours, isAgain, question) => {
    if (isAgain) await change({ ...ROTATION, confirmed: true });
    const before = await stored();
    const { status, body } = await change({ action: 'rotate', overlapHours, isAgain });
    expect({ status, body }).toEqual({ status: 200, body: { question: expect.stringMatching(question) } });
    expect(await stored()).toEqual(before);
  },
);

test('a question of the commands has to be answered with yes before the change', async () => {
  await change({ ...ROTATION, confirmed: true });
  for (const action of [ROTATION, { action: 'remove' }]) {
    const { Version } = await stored();
    const { status, body } = await change(action);
    expect({ status, body }).toEqual({ status: 200, body: { question: expect.stringMatching(/\?$/) } });
    expect(await stored()).toMatchObject({ Version });
    expect((await change({ ...action, confirmed: true })).body).toHaveProperty('message');
    expect(await stored()).toMatchObject({ Version: Version + 1 });
  }
  expect((await stored()).RemovedAt).toBeDefined();
});

test('the other changes are those of the commands', async () => {
  await change({ ...ROTATION, confirmed: true });
  const { PreviousHash } = await stored();
  expect((await change({ ...ROTATION, isAgain: true, confirmed: true })).body).toHaveProperty('login');
  expect((await stored()).PreviousHash).toBe(PreviousHash);
  const messages = ['and "Unlock" restores the access.', 'It has access within 60 s.'];
  for (const [index, action] of ['lock', 'unlock'].entries()) {
    expect((await change({ action })).body.message).toContain(messages[index]);
    expect((await stored()).LockedAt !== undefined).toBe(action === 'lock');
  }
  await change({ action: 'set', silenceHours: 72 });
  expect(await stored()).toMatchObject({ SilenceHours: 72, UserName: 'north', Version: 6 });
});

test('a damaged client can be locked, unlocked, removed, and get a new password', async () => {
  const [item = {}] = clientItems(['broken']);
  await putItems(table, [{ ...item, SilenceFrom: { S: 'yesterday' }, Version: { S: 'one' } }]);
  const broken = async () => (await itemsOf(table)).find(({ Client }) => Client?.S === 'broken') ?? {};
  const damaged =
    'Its item is still damaged (SilenceFrom). To repair it, remove the client and add it again.';
  expect((await change({ action: 'lock' }, 'broken')).body.message).toMatch(
    /^broken is locked\..* still damaged/,
  );
  expect(await broken()).toMatchObject({
    LockedAt: { S: expect.stringMatching(/Z$/) },
    SilenceFrom: { S: 'yesterday' },
  });
  const { login, message } = (await change({ ...ROTATION, confirmed: true }, 'broken')).body;
  expect(message).toContain(damaged);
  expect(login).toMatchObject({ userName: 'broken' });
  const { Salt, Hash } = await broken();
  expect(isPasswordOf(login.password, { Salt: Salt?.S ?? '', Hash: Hash?.S ?? '' })).toBe(true);
  expect((await change({ action: 'unlock' }, 'broken')).body.message).not.toContain('damaged');
  expect(await broken()).not.toHaveProperty('LockedAt');
  await change({ action: 'remove', confirmed: true }, 'broken');
  expect(await broken()).toMatchObject({ RemovedAt: { S: expect.stringMatching(/Z$/) } });
  expect((await console.get('/api/clients')).body).toMatchObject({ damaged: [] });
});

test.each([
  [
    'an unknown client',
    'nobody',
    ROTATION,
    /^There is no client nobody in .*\. The page Clients shows the clients\./,
  ],
  [
    'a removed client',
    'gone',
    { action: 'lock' },
    /^gone was removed at .* "Add a client" adds a new client\./,
  ],
  [
    'a change of nothing',
    'north',
    { action: 'set', share: true },
    /^Nothing is different\. Give north another plan/,
  ],
  ['a used user name', 'north', { action: 'set', userName: 'south' }, /^south has the user name south\./],
  [
    'a colon',
    'north',
    { action: 'set', userName: 'a:b' },
    /^A user name has 1 to 128 characters, without colons/,
  ],
  ['an overlap of more than a year', 'north', { ...ROTATION, overlapHours: 8_761 }, /request is not valid/],
  ['a confirmation that is none', 'north', { action: 'remove', confirmed: 'yes' }, /request is not valid/],
  ['a field that it does not know', 'north', { action: 'lock', password: 'mine' }, /request is not valid/],
])('%s is refused', async (_, name, body, words) => {
  const message = expect.stringMatching(words);
  expect(await change(body, name)).toMatchObject({ status: 400, body: { message } });
  expect((await stored()).Version).toBe(1);
});

test.each(['.', '..', '-', 'a b', '', 'x'.repeat(65)])(
  'the name %j of a new client is refused in a sentence',
  async (name) => {
    const message = expect.stringMatching(
      /^A client name has 1 to 64 .* It is not "-", "\." or "\.\."\. Nothing was/,
    );
    expect(await console.post('/api/clients', { name })).toMatchObject({ status: 400, body: { message } });
  },
);

import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client, WatchedClient } from '../../../shared/clients/client.ts';
import { newClient } from '../../../shared/clients/new-client.ts';
import { isPasswordOf } from '../../../shared/clients/password.ts';
import { readClients } from '../../../shared/clients/read-clients.ts';
import { DamagedClient, damageOf, readClient, writeClient } from '../../../shared/clients/write-client.ts';
import type { Item } from '../../../shared/storage/attribute-json.ts';
import { storedClient } from '../../support/clients.ts';
import { createTable, itemsOf, startFaultyEngine, testClient } from '../../support/tables.ts';

const direct = testClient();
const now = new Date('2026-11-21T06:48:04.123Z');
const signal = new AbortController().signal;
let engine: Awaited<ReturnType<typeof startFaultyEngine>>;
let dynamodb: ReturnType<typeof testClient>;
let table: string;

beforeAll(async () => {
  engine = await startFaultyEngine();
  dynamodb = testClient(engine.endpoint);
});
afterAll(() => engine.stop());
afterEach(() => vi.restoreAllMocks());

beforeEach(async () => {
  engine.decide(() => 'through');
  table = await createTable('Clients', direct);
});

const clientNamed = (name: string, more: Partial<Parameters<typeof newClient>[0]> = {}) => ({
  ...newClient({ name, password: 'own password', plan: 'standard', slot: 1, now, ...more }),
  ChangedBy: 'admin',
});

const put = (Item: Item) => direct.send(new PutItemCommand({ TableName: table, Item }));

const stored = (name: string) => storedClient(dynamodb, table, name);

describe('a new client', () => {
  it('has its name as user name, 24 hours of silence, and a marked own password', () => {
    const { Salt, Hash, ...client } = clientNamed('wms');
    expect(isPasswordOf('own password', { Salt, Hash })).toBe(true);
    expect(client).toEqual({
      Client: 'wms',
      UserName: 'wms',
      Plan: 'standard',
      Slot: 1,
      SilenceHours: 24,
      SilenceFrom: now.toISOString(),
      CreatedAt: now.toISOString(),
      PasswordChangedAt: now.toISOString(),
      ChangedBy: 'admin',
      OwnPassword: true,
    });
  });

  it('has what is given, and no mark if the password has the shape of a generated one', () => {
    const more = {
      userName: 'DOMAIN\\wms',
      silenceHours: 0,
      plan: 'slow',
      slot: 2,
      password: 'A'.repeat(32),
    };
    const client = clientNamed('wms', more);
    expect(client).toMatchObject({ UserName: 'DOMAIN\\wms', SilenceHours: 0, Plan: 'slow', Slot: 2 });
    expect(client).not.toHaveProperty('OwnPassword');
  });
});

describe('a write of a client', () => {
  it('is read as it was written, with the version after the one before', async () => {
    const wms = clientNamed('wms');
    expect(await writeClient(dynamodb, table, wms)).toBe(true);
    const first = await stored('wms');
    expect(first.client).toEqual({ ...wms, Version: 1 });
    expect(await writeClient(dynamodb, table, { ...first.client, Plan: 'slow' }, first)).toBe(true);
    expect((await stored('wms')).client).toEqual({ ...wms, Plan: 'slow', Version: 2 });
    expect(await readClient(dynamodb, table, 'other')).toBeUndefined();
  });

  it.each(['add it', 'change it'])('of two who %s at once is done by exactly one', async (what) => {
    if (what === 'change it') await writeClient(dynamodb, table, clientNamed('wms'));
    const before = await readClient(dynamodb, table, 'wms');
    const writes = ['first', 'second'].map((by) =>
      writeClient(dynamodb, table, { ...clientNamed('wms'), ChangedBy: by }, before),
    );
    const results = await Promise.all(writes);
    expect(results.toSorted()).toEqual([false, true]);
    expect((await stored('wms')).client.ChangedBy).toBe(results[0] ? 'first' : 'second');
  });

  it.each(['add it', 'change it'])('whose response is lost counts as done if it does %s', async (what) => {
    if (what === 'change it') await writeClient(dynamodb, table, clientNamed('wms'));
    const before = await readClient(dynamodb, table, 'wms');
    vi.spyOn(Math, 'random').mockReturnValue(0);
    engine.decide((_, number) => (number === 1 ? 'loseResponse' : 'through'));
    expect(await writeClient(dynamodb, table, { ...clientNamed('wms'), ChangedBy: 'me' }, before)).toBe(true);
    expect(engine.calls).toEqual(['PutItem', 'PutItem']);
    expect((await stored('wms')).client).toMatchObject({ ChangedBy: 'me', Version: before ? 2 : 1 });
  });
});

describe('a damaged item', () => {
  const damage = async () => {
    for (const name of ['east', 'west']) await writeClient(dynamodb, table, clientNamed(name));
    await put({ ...(await stored('west')).item, Slot: { S: 'first' }, Hash: { S: 'short' } });
  };

  it('is read without its damaged attributes, and an error names them', async () => {
    await damage();
    const { client, item = {} } = (await readClient(dynamodb, table, 'west')) ?? {};
    const { Hash, Salt, Slot, ...others } = clientNamed('west');
    expect(client).toEqual({ ...others, Salt: expect.any(String), Version: 1 });
    const error = damageOf('west', item);
    expect(error).toBeInstanceOf(DamagedClient);
    expect(error?.message).toMatch(/client west .*at Hash.*at Slot/s);
    expect(error?.attributes).toEqual(['Hash', 'Slot']);
  });

  it.each<[string, Item]>([
    ['is missing', {}],
    ['is a text', { Version: { S: 'two' } }],
    ['is a list', { Version: { L: [{ N: '1' }] } }],
  ])(
    'whose version %s is changed once by two who change it at once, and only what they change',
    async (_, version) => {
      await writeClient(dynamodb, table, clientNamed('wms'));
      const { Version, ...item } = (await stored('wms')).item;
      await put({ ...item, ...version, CreatedAt: { S: 'long ago' } });
      const before = await readClient(dynamodb, table, 'wms');
      const writes = ['first', 'second'].map((by) =>
        writeClient(dynamodb, table, { Client: 'wms', ChangedBy: by, OwnPassword: undefined }, before),
      );
      const results = await Promise.all(writes);
      expect(results.toSorted()).toEqual([false, true]);
      const { OwnPassword, ...others } = item;
      const ChangedBy = { S: results[0] ? 'first' : 'second' };
      expect(await itemsOf(table, direct)).toEqual([
        { ...others, CreatedAt: { S: 'long ago' }, ChangedBy, Version: { N: '1' } },
      ]);
    },
  );

  it('is named beside the others, which are read', async () => {
    await damage();
    const { clients, damaged } = await readClients(Client, { dynamodb, table, signal });
    expect([clients.map((client) => client.Client), damaged]).toEqual([['east'], ['west']]);
  });

  it('does not matter to a reader of other attributes', async () => {
    await damage();
    const { clients, damaged } = await readClients(WatchedClient, { dynamodb, table, signal });
    expect([clients.length, damaged]).toEqual([2, []]);
  });
});

describe('the table', () => {
  it('is read consistently before a write', async () => {
    const sent = vi.spyOn(dynamodb, 'send');
    await readClient(dynamodb, table, 'wms');
    expect(sent.mock.calls[0]?.[0].input).toMatchObject({ ConsistentRead: true });
  });

  it.each([
    [true, { isConsistent: true }],
    [false, {}],
  ])('is read consistently only if that is asked for: %s', async (ConsistentRead, wish) => {
    const sent = vi.spyOn(dynamodb, 'send');
    await readClients(Client, { dynamodb, table, signal, ...wish });
    expect(sent.mock.calls[0]?.[0].input).toMatchObject({ ConsistentRead });
  });
});

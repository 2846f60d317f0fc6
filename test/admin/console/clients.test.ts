import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SecretsManager } from '../../../local/services/secrets-manager.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { createTable, startFaultyEngine } from '../../support/tables.ts';
import { tracesOf } from '../../support/traces.ts';
import { startTestConsole, type TestConsole, testSession } from './test-console.ts';

const HOUR_MS = 3_600_000;

let service: SecretsManager;
let secrets: FaultProxy;
let engine: FaultProxy;
let console: TestConsole;
/** The service's clock, against this machine's. */
let shiftMs = 0;

beforeAll(async () => {
  engine = await startFaultyEngine();
});
afterAll(() => engine.stop());

beforeEach(async () => {
  shiftMs = 0;
  service = new SecretsManager(undefined, () => Date.now() + shiftMs);
  secrets = await startFaultProxy(await service.open());
  const [BalanceSnapshots, ChangeTimestamps] = await Promise.all([
    createTable('BalanceSnapshots'),
    createTable('ChangeTimestamps'),
  ]);
  const session = await testSession({
    dynamodb: engine.endpoint,
    secrets: secrets.endpoint,
    tables: { BalanceSnapshots, ChangeTimestamps },
    clients: ['north', 'south'],
    outputs: { SilenceHours: '6,0' },
  });
  console = await startTestConsole(session);
  shiftMs = -48 * HOUR_MS;
  service.setValue(
    'secret-of-north',
    JSON.stringify({ username: 'Север', password: 'first', contact: 'Anna' }),
  );
  service.setValue('secret-of-south', '{"username": "south", pass');
  shiftMs = 0;
});
afterEach(async () => {
  await console.stop();
  await secrets.stop();
  service.close();
  vi.restoreAllMocks();
});

const read = async (stage?: string) => {
  const client = new SecretsManagerClient({
    endpoint: secrets.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const version = stage ? { VersionStage: stage } : {};
  const { SecretString = '' } = await client.send(
    new GetSecretValueCommand({ SecretId: 'secret-of-north', ...version }),
  );
  return JSON.parse(SecretString);
};

const rotate = (name = 'north', body: unknown = {}) => console.post(`/api/clients/${name}/rotate`, body);

test('clients are listed with the age of their passwords, and without the passwords', async () => {
  const { status, body } = await console.get('/api/clients');
  expect(status).toBe(200);
  const unknown = { overlapHours: 24, previousValidUntil: null, lastSnapshotAt: null, lastChangeAt: null };
  const common = { ...unknown, passwordChangedAt: expect.closeTo(Date.now() - 48 * HOUR_MS, -5) };
  expect(body).toEqual([
    { name: 'north', username: 'Север', isDamaged: false, silenceHours: 6, ...common },
    { name: 'south', username: 'south', isDamaged: true, silenceHours: 0, ...common },
  ]);
  expect(JSON.stringify(body)).not.toContain('first');
});

describe('rotate', () => {
  test('answers the new password once, and keeps the previous one for the overlap', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { status, body } = await rotate();
    expect(status).toBe(200);
    expect(body.password).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await read()).toEqual({ username: 'Север', password: body.password, contact: 'Anna' });
    expect((await read('AWSPREVIOUS')).password).toBe('first');
    expect(body.client.previousValidUntil - body.client.passwordChangedAt).toBe(24 * HOUR_MS);
    const [seenByOther] = (await console.get('/api/clients')).body;
    expect(seenByOther).toEqual({
      ...body.client,
      passwordChangedAt: expect.any(Number),
      previousValidUntil: expect.any(Number),
    });
    expect(Math.abs(seenByOther.passwordChangedAt - body.client.passwordChangedAt)).toBeLessThan(5_000);
    expect(tracesOf(body.password, JSON.stringify([seenByOther, written.mock.calls]))).toEqual([]);
  });

  test('within the overlap asks to confirm that the password before ends', async () => {
    const { password } = (await rotate()).body;
    const refused = await rotate();
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      message: expect.stringMatching(
        /^The previous password is valid until .*Z\. A change ends it at once\.$/,
      ),
    });
    expect((await read()).password).toBe(password);
    const confirmed = await rotate('north', { endsPrevious: true });
    expect(confirmed.status).toBe(200);
    expect((await read('AWSPREVIOUS')).password).toBe(password);
  });

  test('twice at once changes the password once', async () => {
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect((await read()).password).toBe(answers[0]?.body.password);
  });

  test('answers the new password although every later call fails', async () => {
    let isChanged = false;
    secrets.decide((action) => {
      const fault = isChanged ? 'denied' : 'through';
      isChanged ||= action === 'PutSecretValue';
      return fault;
    });
    expect((await rotate()).status).toBe(200);
  });

  test('whose answer is lost says that the password may have changed', async () => {
    secrets.decide((action) => (action === 'PutSecretValue' ? 'lost' : 'through'));
    const { status, body } = await rotate();
    const { password } = await read();
    expect({ status, isChanged: password !== 'first' }).toEqual({ status: 400, isChanged: true });
    expect(body.message).toMatch(/^There was no answer .* The password may have changed anyway\. /);
    expect(body.message).not.toContain(password);
  });

  test.each([
    [
      'an unknown client',
      'nobody',
      {},
      /^the local run in .* has no client nobody\. It has: north, south\.$/,
    ],
    ['a client of a path', '..%2fsouth', {}, /has no client \.\.\/south/],
    ['a confirmation that is no confirmation', 'north', { endsPrevious: 'yes' }, /request is not valid/],
    ['a field that it does not know', 'north', { password: 'mine' }, /request is not valid/],
    ['no object', 'north', 'text', /request is not valid/],
  ])('refuses %s', async (_, name, body, words) => {
    const answer = await rotate(name, body);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(words) } });
    expect((await read()).password).toBe('first');
  });
});

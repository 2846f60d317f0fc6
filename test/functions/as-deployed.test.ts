import { text } from 'node:stream/consumers';
import type { APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openServer } from '../../local/http.ts';
import { variables } from '../../shared/environment.ts';
import { tables } from '../../shared/tables.ts';
import { batchOf } from '../support/batches.ts';
import { addClient } from '../support/clients.ts';
import { collectLog, post } from '../support/handlers.ts';
import { basic } from '../support/http-client.ts';
import { createTable, itemsOf, testClient } from '../support/tables.ts';

collectLog();
beforeEach(() => {
  // Each test loads its function again, with another environment.
  vi.resetModules();
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', inject('dynamoDbEndpoint'));
});
afterEach(() => vi.unstubAllEnvs());

describe('the deployed function', () => {
  it.each([
    ['without an expiry', undefined],
    ['for 30 days', '30'],
  ])('stores each batch under a new id %s', async (_, days) => {
    const table = await createTable('BalanceSnapshots');
    vi.stubEnv(tables.BalanceSnapshots.variable, table);
    vi.stubEnv(tables.BalanceSnapshots.expiry.variable, days);
    const { handler } = await import('../../functions/post-material-stock-balance.ts');
    const before = Date.now();
    const ids = [await post(handler, batchOf(2)), await post(handler, batchOf(2))].map(
      ({ json }) => json.SnapshotId,
    );
    // The suffix alone distinguishes two snapshots of one millisecond.
    expect(new Set(ids.map((id: string) => id.slice(-12))).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z-[0-9a-f]{12}$/);
    const rows = await itemsOf(table);
    expect(rows.map(({ SnapshotId }) => SnapshotId?.S).toSorted()).toEqual(ids.toSorted());
    for (const { ReceivedAt, ExpiresAt } of rows) {
      const received = Date.parse(ReceivedAt?.S ?? '');
      expect(received).toBeGreaterThanOrEqual(before);
      const seconds = days && String(Math.floor(received / 1_000) + Number(days) * 86_400);
      expect(ExpiresAt?.N).toBe(seconds);
    }
  });

  it('signs in the clients of its table, with the keys of its stack', async () => {
    const table = await createTable('Clients');
    const password = await addClient(testClient(), table, 'wms', { Plan: 'slow', Slot: 2 });
    vi.stubEnv(tables.Clients.variable, table);
    vi.stubEnv(variables.plans, 'slow:2');
    vi.stubEnv(variables.stackUuid, '0f1e2d3c4b5a69788796a5b4c3d2e1f0');
    const { handler } = await import('../../functions/authorizer.ts');
    const event = {
      methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live/GET/rest',
      multiValueHeaders: { Authorization: [basic('wms', password)] },
      requestContext: { extendedRequestId: 'request-1' },
    } as unknown as APIGatewayRequestAuthorizerEvent;
    expect(await handler(event)).toMatchObject({
      principalId: 'wms',
      usageIdentifierKey: '0f1e2d3c4b5a69788796a5b4c3d2e1f0slow002',
    });
  });

  it('sends to its topic who is late', async () => {
    const published: URLSearchParams[] = [];
    const { endpoint, close } = await openServer(async (incoming) => {
      published.push(new URLSearchParams(await text(incoming)));
      return { status: 200, body: '<PublishResponse><PublishResult/></PublishResponse>' };
    });
    onTestFinished(close);
    vi.stubEnv('AWS_ENDPOINT_URL_SNS', endpoint);
    const clients = await createTable('Clients');
    await addClient(testClient(), clients, 'wms', { SilenceFrom: '2020-01-01T00:00:00.000Z' });
    vi.stubEnv(tables.Clients.variable, clients);
    vi.stubEnv(tables.BalanceSnapshots.variable, await createTable('BalanceSnapshots'));
    vi.stubEnv(variables.alarmTopic, 'arn:aws:sns:eu-central-1:123456789012:alarms');
    vi.stubEnv(variables.stackName, 'Warehouse');
    const { handler } = await import('../../functions/watch.ts');
    await handler({ time: '2026-11-23T06:05:00Z' });
    expect(published.map((form) => Object.fromEntries(form))).toMatchObject([
      {
        Action: 'Publish',
        TopicArn: 'arn:aws:sns:eu-central-1:123456789012:alarms',
        Subject: 'Warehouse: 1 late, 0 back',
        Message: expect.stringMatching(/^No batch of wms is stored; /),
      },
    ]);
  });

  it('does not start without the variable of its table', async () => {
    vi.stubEnv(tables.ChangeTimestamps.variable, '');
    await expect(import('../../functions/post-change.ts')).rejects.toThrow('CHANGE_TIMESTAMPS_TABLE');
  });
});

import { DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { snapshotReader } from '../../shared/store/snapshot-reader.ts';
import { send } from '../support/http-client.ts';
import type { LocalRun } from '../support/local-run.ts';

/** As the control endpoint takes it. */
export type Disturbances = Partial<Record<'dynamodb' | 'secretsmanager', Disturbance[]>>;
export type Disturbance = {
  action?: string;
  kind: 'throttle' | 'error' | 'delay' | 'cut' | 'lose';
  after?: number;
  times?: number;
  delayMs?: number;
};

export type Answer = Awaited<ReturnType<typeof send>> & { seconds: number };

export const disturb = async (run: LocalRun, disturbances: Disturbances) => {
  const answer = await send(`${run.outputs().ControlEndpoint}/disturbances`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(disturbances),
  });
  expect(answer.status).toBe(200);
};

/** How many calls the disturbances have met, one after the other. */
export const struck = async (run: LocalRun): Promise<number[]> => {
  const { dynamodb, secretsmanager } = (await send(`${run.outputs().ControlEndpoint}/disturbances`)).json();
  return [...dynamodb, ...secretsmanager].map((each: { struck: number }) => each.struck);
};

const timed = async (asking: ReturnType<typeof send>): Promise<Answer> => {
  const started = performance.now();
  const answer = await asking;
  return { ...answer, seconds: (performance.now() - started) / 1_000 };
};

export const get = (run: LocalRun, path: string, authorization = run.authorization()) =>
  timed(send(run.url(path), { headers: { Authorization: authorization } }));

/** An object goes as JSON. */
export const post = (run: LocalRun, path: string, body: object | string) =>
  timed(
    send(run.url(path), {
      method: 'POST',
      headers: { Authorization: run.authorization(), 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );

/** What the gateway promises of every answer, whatever has gone wrong behind it. */
const expectInTime = ({ seconds }: Answer) => expect(seconds).toBeLessThan(29);

const expectProblem = (answer: Answer, status: number, title: string) => {
  expectInTime(answer);
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/problem+json']);
  expect(answer.json()).toEqual({
    type: 'about:blank',
    title,
    status,
    detail: expect.stringMatching(/\.$/),
    requestId: answer.headers['x-amzn-requestid'],
  });
};

export const expectOk = (answer: Answer) => {
  expectInTime(answer);
  expect([answer.status, answer.status === 200 || answer.text]).toEqual([200, true]);
};

export const expectUnavailable = (answer: Answer) => {
  expectProblem(answer, 503, 'Service Unavailable');
  expect(answer.headers['retry-after']).toBe('5');
};

export const expectCrashed = (answer: Answer) => expectProblem(answer, 502, 'Bad Gateway');
export const expectFailed = (answer: Answer) => expectProblem(answer, 500, 'Internal Server Error');

/** The tables as an admin's programs read them, past everything that is disturbed. */
export const readersOf = (run: LocalRun) => {
  const { Tables, DynamoDbEndpoint } = run.outputs();
  const client = new DynamoDBClient({
    endpoint: DynamoDbEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  });
  const { ChangeTimestamps = '', BalanceSnapshots = '' } = Tables;

  const keysUnder = async (TableName: string, sortKey: string, name: string, after = ' ') => {
    const pages = paginateQuery(
      { client },
      {
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'Client = :name AND #key > :after',
        ExpressionAttributeValues: { ':name': { S: name }, ':after': { S: after } },
        ProjectionExpression: '#key',
        ExpressionAttributeNames: { '#key': sortKey },
      },
    );
    const items = (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
    return items.map((item) => item[sortKey]?.S ?? '');
  };

  return {
    client,
    changes: () => keysUnder(ChangeTimestamps, 'Timestamp', 'warehouse'),
    /** What a reader begins with: that which lies under the client's own name. */
    snapshotIds: (after?: string) => keysUnder(BalanceSnapshots, 'SnapshotId', 'warehouse', after),
    partIds: (part: number) => keysUnder(BalanceSnapshots, 'SnapshotId', `warehouse:${part}`),
    /** Sorted by code; throws where it is not whole. */
    entries: async (snapshotId: string) => {
      const read = await snapshotReader(client, BalanceSnapshots).read('warehouse', snapshotId, new Date());
      return read?.entries.toSorted(byCode);
    },
  };
};

type Coded = { MaterialCode: string };
export const byCode = (one: Coded, other: Coded) => (one.MaterialCode < other.MaterialCode ? -1 : 1);

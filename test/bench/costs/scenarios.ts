import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type OperationName, operations } from '../../../shared/operations.ts';
import { batchOf } from '../../support/batches.ts';

/** What a warehouse sends, and how often it is served for the measurement. */
export type Scenario = {
  name: string;
  operation: OperationName;
  /** The body of the request with this number. */
  body?: (serial: number) => string;
  /** What the list holds. */
  rows?: number;
  warmUps: number;
  runs: number;
};

export const CLIENT = 'warehouse-07';
export const SMALL_BATCH = 200;
export const LARGEST_BATCH = 40_000;

export const batchName = (entries: number) => `batch of ${entries.toLocaleString('en')}`;
export const listName = (list: string, rows: number) => `${rows.toLocaleString('en')} ${list}`;

const FIRST_CHANGE = Date.parse('2026-11-02T06:00:00.000Z');
const MINUTE_MS = 60_000;
const change = (serial: number) =>
  JSON.stringify({
    Timestamp: new Date(FIRST_CHANGE + serial * 15 * MINUTE_MS).toISOString().replace('.', ','),
  });

const batch = (entries: number, warmUps: number, runs: number): Scenario => {
  const body = JSON.stringify(batchOf(entries));
  return {
    name: batchName(entries),
    operation: 'post-material-stock-balance',
    body: () => body,
    warmUps,
    runs,
  };
};

const codes = (rows: number): Scenario => ({
  name: listName('material codes', rows),
  operation: 'get-material-codes',
  rows,
  warmUps: 5,
  runs: 25,
});

export const scenarios: Scenario[] = [
  { name: 'change', operation: 'post-change', body: change, warmUps: 10, runs: 40 },
  { name: 'the same change again', operation: 'post-change', body: () => change(0), warmUps: 10, runs: 40 },
  batch(1, 10, 40),
  batch(SMALL_BATCH, 10, 40),
  batch(4_000, 5, 15),
  batch(LARGEST_BATCH, 2, 7),
  codes(0),
  codes(100),
  codes(1_000),
  codes(10_000),
  {
    ...codes(1_000),
    name: listName('purchase orders', 1_000),
    operation: 'get-purchase-orders',
  },
];

const groups = ['Болты', 'Листы', 'Профили', 'Rohre'];
const suppliers = ['Nordstahl', 'Уралметалл', 'Fasteners Ltd', 'Kabelwerk'];

/** A row as an admin may keep it. */
export const rowOf = (operation: OperationName, index: number): Record<string, AttributeValue> =>
  operation === 'get-purchase-orders'
    ? {
        PurchaseOrder: { S: `OT${4_500_000 + index}` },
        Supplier: { S: suppliers[index % suppliers.length] ?? '' },
        Lines: { N: String(1 + (index % 7)) },
      }
    : {
        MaterialCode: { S: `Сталь-ABC/${index}` },
        Name: { S: `Труба стальная ${index}` },
        Group: { S: groups[index % groups.length] ?? '' },
      };

const uuid = (serial: number) => `8f1c2a5e-3b7d-4e90-a6c4-${String(serial).padStart(12, '0')}`;

/** An event as the gateway makes it of a request; `authorization` is there where the authorizer reads it. */
export const eventOf = (
  { operation, body }: Pick<Scenario, 'operation' | 'body'>,
  serial: number,
  authorization = 'Basic d2FyZWhvdXNlLTA3OjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm',
) => {
  const { method, path } = operations[operation];
  const headers = {
    Accept: '*/*',
    Authorization: authorization,
    'Content-Type': 'application/json',
    Host: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
    'User-Agent': 'libcurl-agent/1.0',
    'X-Amzn-Trace-Id': 'Root=1-6730a1b2-0123456789abcdef01234567',
    'X-Forwarded-For': '203.0.113.17',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
  };
  return {
    resource: path,
    path,
    httpMethod: method,
    methodArn: `arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live/${method}${path}`,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      resourcePath: path,
      httpMethod: method,
      stage: 'live',
      requestId: uuid(serial),
      authorizer: { client: CLIENT, principalId: CLIENT, integrationLatency: 31 },
      identity: { sourceIp: '203.0.113.17', userAgent: 'libcurl-agent/1.0' },
    },
    body: body ? body(serial) : null,
    isBase64Encoded: false,
  };
};

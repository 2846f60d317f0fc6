import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type OperationName, operations } from '../../shared/operations.ts';
import { batchOf } from '../../test/support/batches.ts';

export const CLIENT = 'warehouse-07';

const groups = ['Болты', 'Листы', 'Профили', 'Rohre'];
const suppliers = ['Nordstahl', 'Уралметалл', 'Fasteners Ltd', 'Kabelwerk'];

export const typicalRow = (operation: OperationName, index: number): Record<string, AttributeValue> =>
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

/** A short row, of which 100,000 fit into one response. */
export const shortRow = (index: number): Record<string, AttributeValue> => ({
  MaterialCode: { S: `ABC-${String(index).padStart(12, '0')}` },
  Unit: { S: 'kg' },
});

const requestId = (serial: number) => `8f1c2a5e-3b7d-4e90-a6c4-${String(serial).padStart(12, '0')}`;

type Request = {
  operation: OperationName;
  body?: string | undefined;
  serial?: number;
  authorization?: string | undefined;
};

export const eventOf = ({
  operation,
  body,
  serial = 1,
  authorization = 'Basic d2FyZWhvdXNlLTA3OjAxMjM0NTY3ODlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVm',
}: Request) => {
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
      requestId: requestId(serial),
      authorizer: { client: CLIENT, principalId: CLIENT, integrationLatency: 31 },
      identity: { sourceIp: '203.0.113.17', userAgent: 'libcurl-agent/1.0' },
    },
    body: body ?? null,
    isBase64Encoded: false,
  };
};

export const BATCH_OPERATION = 'post-material-stock-balance';

export const batchEvents = (entries: number) => {
  const body = JSON.stringify(batchOf(entries));
  return (serial = 1) => eventOf({ operation: BATCH_OPERATION, body, serial });
};

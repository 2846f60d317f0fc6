import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type OperationName, operations } from '../../shared/operations.ts';

/** Who sends what is measured. */
export const CLIENT = 'warehouse-07';

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

/** A request: which one, and the body of the one with this number. */
type Sent = { operation: OperationName; body?: ((serial: number) => string) | undefined };

/** An event as the gateway makes it of a request; `authorization` is there where the authorizer reads it. */
export const eventOf = (
  { operation, body }: Sent,
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

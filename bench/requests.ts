import { operations } from '../shared/operations.ts';
import { batchOf } from '../test/support/batches.ts';

const { path } = operations['post-material-stock-balance'];

const requestIdOf = (serial: number) => `${String(serial).padStart(15, '0')}=`;

/** The gateway's event, with the fields that the contestants read. */
export const eventOf = (body: string, serial: number) => ({
  resource: path,
  path,
  httpMethod: 'POST',
  headers: {
    'Content-Type': 'application/json',
    Host: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
    'User-Agent': 'libcurl-agent/1.0',
  },
  requestContext: {
    stage: 'live',
    // Some contestants store requestId, the others extendedRequestId.
    requestId: requestIdOf(serial),
    extendedRequestId: requestIdOf(serial),
    identity: { userAgent: 'libcurl-agent/1.0' },
    authorizer: { client: 'warehouse-07', principalId: 'warehouse-07', integrationLatency: 31 },
  },
  body,
  isBase64Encoded: false,
});

/** Returns a function that makes events with the same batch, each with its own request id. */
export const batchEvents = (entries: number) => {
  const body = JSON.stringify(batchOf(entries));
  return (serial: number) => eventOf(body, serial);
};

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Up to four attempts, of which none holds a request for more than four seconds; a function's time ends them all.
 * Without a request timeout that throws, an unreachable table would hold the request for all of that time.
 */
export const storeClient = () =>
  new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 4_000,
      throwOnRequestTimeout: true,
      socketTimeout: 4_000,
    },
  });

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Four attempts of five seconds and the waits between them stay within every function's 25 seconds. Without a
 * request timeout that throws, an unreachable table would hold the request until the gateway gives up on it.
 */
export const storeClient = () =>
  new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
      socketTimeout: 5_000,
    },
  });

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Without a request timeout that throws, an unreachable table would hold a request until the function's time is up. */
export const storeClient = () => {
  const client = new DynamoDBClient({
    maxAttempts: 4,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 4_000,
      throwOnRequestTimeout: true,
      socketTimeout: 4_000,
    },
  });
  // The SDK's logger middleware copies every request and answer, even with no logger set.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

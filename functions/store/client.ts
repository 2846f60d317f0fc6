import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Up to four attempts, of which none holds a request for more than four seconds; a function's time ends them all.
 * Without a request timeout that throws, an unreachable table would hold the request for all of that time.
 */
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
  // It copies every request and answer for a log, value by value, though none is set: most of the time of a large batch.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

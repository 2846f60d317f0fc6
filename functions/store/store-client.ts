import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';

const MAX_ATTEMPTS = 4;

/** Retries failures. The stores repeat throttled calls, with pauses that suit a partition. */
class FailureRetries extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...[token, error]: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ) {
    if (error.errorType === 'THROTTLING') throw new Error('The store repeats this call.');
    return super.refreshRetryTokenForRetry(token, error);
  }
}

/** Without a request timeout that throws, an unreachable table would hold a request until the function's time is up. */
export const storeClient = () => {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    retryStrategy: new FailureRetries(MAX_ATTEMPTS),
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

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';

const MAX_ATTEMPTS = 4;

/** The stores retry throttled calls themselves, with longer pauses. */
class RetryAllButThrottled extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...[token, error]: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ) {
    // The SDK stops its retries when this method throws.
    if (error.errorType === 'THROTTLING') throw new Error('The store retries this call itself.');
    return super.refreshRetryTokenForRetry(token, error);
  }
}

/** Without throwOnRequestTimeout, a call to an unreachable table would wait until the function's timeout. */
export const storeClient = ({ attemptMs = 4_000 } = {}) => {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    retryStrategy: new RetryAllButThrottled(MAX_ATTEMPTS),
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
      socketTimeout: attemptMs,
    },
  });
  // The SDK's logger middleware copies every request and response, even with no logger set.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { withoutLogger } from '../../shared/storage/without-logger.ts';

const MAX_ATTEMPTS = 4;

/** Leaves throttled calls to `retryWhileThrottled`, which makes longer pauses. */
class RetryAllButThrottled extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...[token, error]: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ) {
    // The SDK stops its retries when this method throws.
    if (error.errorType === 'THROTTLING') throw new Error('retryWhileThrottled retries this call.');
    return super.refreshRetryTokenForRetry(token, error);
  }
}

/** Without throwOnRequestTimeout, a call to an unreachable table would wait until the function's timeout. */
export const storageClient = ({ attemptMs = 4_000 } = {}) =>
  withoutLogger(
    new DynamoDBClient({
      maxAttempts: MAX_ATTEMPTS,
      retryStrategy: new RetryAllButThrottled(MAX_ATTEMPTS),
      requestHandler: {
        connectionTimeout: 1_000,
        requestTimeout: attemptMs,
        throwOnRequestTimeout: true,
        socketTimeout: attemptMs,
      },
    }),
  );

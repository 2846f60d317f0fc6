import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { describeError } from '../describe-error.ts';

/** Sending the same request again later is safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

type SdkError = Parameters<typeof isThrottlingError>[0];

const isError = (error: unknown): error is SdkError => error instanceof Error;

/** Errors that the SDK itself retries, and calls that were aborted because the time was up. */
const isTemporary = (error: SdkError) =>
  error.name === 'AbortError' || isThrottlingError(error) || isTransientError(error) || isServerError(error);

export const mapStoreErrors = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (isError(error) && isTemporary(error)) {
      const { name, message } = describeError(error);
      throw new StoreUnavailable(`${name}: ${message}`, { cause: error });
    }
    throw error;
  }
};

/** A throttled call changed nothing. */
export const wasThrottled = (error: unknown) =>
  error instanceof StoreUnavailable && isError(error.cause) && isThrottlingError(error.cause);

import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { describeError } from '../describe-error.ts';

/** The store cannot take it now: nothing was answered as kept, and sending it again is safe. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

type SdkError = Parameters<typeof isThrottlingError>[0];

const isError = (error: unknown): error is SdkError => error instanceof Error;

/** What the SDK itself would try again, had it the time, and what was cut off because the time was up. */
const mayPass = (error: SdkError) =>
  error.name === 'AbortError' || isThrottlingError(error) || isTransientError(error) || isServerError(error);

/** Passes a result on, and says of a failure whether it may pass by itself. */
export const mapStoreErrors = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (isError(error) && mayPass(error)) {
      const { name, message } = describeError(error);
      throw new StoreUnavailable(`${name}: ${message}`, { cause: error });
    }
    throw error;
  }
};

/** The table has refused a call for the load that it is under, and nothing of the call was done. */
export const wasThrottled = (error: unknown) =>
  error instanceof StoreUnavailable && isError(error.cause) && isThrottlingError(error.cause);

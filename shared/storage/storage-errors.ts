import type { ThrottlingReason } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { describeError } from '../describe-error.ts';

type StorageUnavailableOptions = ErrorOptions & { throttling?: readonly ThrottlingReason[] | undefined };

export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** Undefined if the call was not throttled. Empty if it was throttled and DynamoDB gave no reason. */
  readonly throttling: readonly ThrottlingReason[] | undefined;

  constructor(message: string, { throttling, ...options }: StorageUnavailableOptions = {}) {
    super(message, options);
    this.throttling = throttling;
  }
}

type SdkError = Parameters<typeof isThrottlingError>[0];

const isError = (error: unknown): error is SdkError => error instanceof Error;

const isTemporary = (error: SdkError) =>
  error.name === 'AbortError' || isThrottlingError(error) || isTransientError(error) || isServerError(error);

export const mapStorageErrors = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    if (isError(error) && isTemporary(error)) {
      const throttling = isThrottlingError(error) ? throttlingReasons(error) : undefined;
      throw new StorageUnavailable(reasonOf(error), { cause: error, throttling });
    }
    throw error;
  }
};

const reasonOf = (error: SdkError) => {
  const { name, message } = describeError(error);
  return name === 'AbortError'
    ? 'DynamoDB did not respond before the time limit of the whole request.'
    : `${name}: ${message}`;
};

/** The SDK names the field `throttlingReasons` in ThrottlingException, and `ThrottlingReasons` in the other throttling errors. */
type ThrottlingError = { ThrottlingReasons?: ThrottlingReason[]; throttlingReasons?: ThrottlingReason[] };

const throttlingReasons = (error: SdkError) => {
  const { ThrottlingReasons, throttlingReasons = [] }: ThrottlingError = Object(error);
  return (ThrottlingReasons ?? throttlingReasons).map(({ reason, resource }) => ({ reason, resource }));
};

/** The signal of the call has aborted. */
export const wasEnded = (error: unknown) =>
  error instanceof StorageUnavailable && isError(error.cause) && error.cause.name === 'AbortError';

export const wasThrottled = (error: unknown): error is StorageUnavailable =>
  error instanceof StorageUnavailable && error.throttling !== undefined;

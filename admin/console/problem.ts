import { HTTPException } from 'hono/http-exception';
import { explain, Failure, WrongUsage } from '../text/failure.ts';

/** What a response says of an error. A thread or a process sends it, because an error loses its class on the way. */
export type Problem = Pick<HTTPException, 'status' | 'message'>;

export const problemOf = (error: unknown): Problem =>
  error instanceof HTTPException
    ? { status: error.status, message: error.message }
    : { status: statusOf(error), message: explain(error) };

const statusOf = (error: unknown) => {
  if (error instanceof Failure || error instanceof WrongUsage) return 400;
  if (!(error instanceof Error)) return 500;
  // The file of the class loads a part of the SDK, for which each query would wait.
  if (error.name === 'StorageUnavailable') return 503;
  // The SDK sets `$fault` on all error responses of a service.
  return '$fault' in error ? 502 : 500;
};

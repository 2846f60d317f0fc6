import { CheckFailure, type Outcome, skipped } from './outcome.ts';
import { connectionFailure } from './probe/connection-failure.ts';
import { ProbeClient, type ProbeSession } from './probe/probe-client.ts';

export type Check = {
  name: string;
  /** The reason to skip all later checks if this one fails. */
  blocks?: string;
  /** What the check writes when all is well. */
  writes?: { changes?: number; snapshots?: number };
  /** For a check that may take several times as long as others. */
  timeLimitFactor?: number;
  run(client: ProbeClient): Promise<Outcome>;
};

export type Result = Outcome & { name: string };

/** Runs one check after another. Skips those that could only repeat an earlier failure. */
export async function* runChecks(
  session: ProbeSession,
  checks: readonly Check[],
  timeLimitMs: number,
  interrupted: AbortSignal,
): AsyncGenerator<Result> {
  let obstacle: string | undefined;
  for (const check of checks) {
    const outcome = obstacle ? skipped(obstacle) : await runCheck(session, check, timeLimitMs, interrupted);
    if (interrupted.aborted) return;
    if (outcome.state === 'wrong') obstacle ??= check.blocks;
    yield { name: check.name, ...outcome };
  }
}

const runCheck = async (
  session: ProbeSession,
  { run, timeLimitFactor = 1 }: Check,
  timeLimitMs: number,
  interrupted: AbortSignal,
): Promise<Outcome> => {
  const limitMs = timeLimitMs * timeLimitFactor;
  const signal = AbortSignal.any([AbortSignal.timeout(limitMs), interrupted]);
  try {
    return await run(new ProbeClient(session, signal));
  } catch (error) {
    if (error instanceof CheckFailure) return error.outcome;
    if (!signal.aborted) return connectionFailure(error).outcome;
    const todo = 'try again; check the network, and the durations and throttles in CloudWatch';
    return new CheckFailure(`not finished within ${limitMs / 1_000} s`, todo).outcome;
  }
};

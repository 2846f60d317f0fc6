import type { Check } from './check.ts';
import { signIn } from './checks/credentials.ts';
import { reach } from './checks/edge.ts';
import { connectionFault } from './connection-fault.ts';
import { asWrong, notTried, type Outcome, Wrong } from './outcome.ts';
import { ProbeClient, type Service } from './probe-client.ts';

export type Result = Outcome & { name: string };

/** One after another, since each is to be seen by itself; none is tried that could only repeat what failed before. Nothing comes after an interruption. */
export async function* runChecks(
  service: Service,
  checks: readonly Check[],
  timeLimitMs: number,
  interrupted: AbortSignal,
): AsyncGenerator<Result> {
  const failed = new Set<string>();
  for (const check of checks) {
    const obstacle = obstacleTo(check, failed);
    const outcome = obstacle ? notTried(obstacle) : await attempt(service, check, timeLimitMs, interrupted);
    if (interrupted.aborted) return;
    if (outcome.state === 'wrong') failed.add(check.name);
    yield { name: check.name, ...outcome };
  }
}

const obstacleTo = (check: Check, failed: ReadonlySet<string>) => {
  if (failed.has(reach.name)) return `the service is not reached (${reach.name})`;
  return check.signsIn && failed.has(signIn.name) ? `nobody can sign in (${signIn.name})` : undefined;
};

const attempt = async (
  service: Service,
  check: Check,
  timeLimitMs: number,
  interrupted: AbortSignal,
): Promise<Outcome> => {
  const limitMs = timeLimitMs * (check.patience ?? 1);
  const signal = AbortSignal.any([AbortSignal.timeout(limitMs), interrupted]);
  try {
    return await check.run(new ProbeClient(service, signal, limitMs));
  } catch (error) {
    if (error instanceof Wrong) return asWrong(error);
    return asWrong(signal.aborted ? tooSlow(limitMs) : connectionFault(error));
  }
};

const tooSlow = (limitMs: number) =>
  new Wrong(
    `not over within ${limitMs / 1_000} s`,
    'try it again; look at the network, and at durations and throttles in CloudWatch',
  );

import type { UsagePlan } from './api.ts';
import type { Limit } from './template-schemas.ts';

export type Clock = {
  now: () => Date;
  /** Unlike the time of `now`, this time is never set back. */
  monotonicMs: () => number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

/** Returns the result of the action, or undefined if the action takes longer than `ms`. */
export const within = async <T>(ms: number, action: Promise<T>, clock: Clock): Promise<T | undefined> => {
  const timer = new AbortController();
  try {
    return await Promise.race([action, clock.wait(ms, timer.signal).then(() => undefined)]);
  } finally {
    timer.abort();
  }
};

/** A token bucket for each name. */
export const createThrottle = (clock: Clock) => {
  const buckets = new Map<string, { tokens: number; filledAtMs: number }>();
  return (name: string, { RateLimit, BurstLimit }: Limit) => {
    const nowMs = clock.monotonicMs();
    const { tokens, filledAtMs } = buckets.get(name) ?? { tokens: BurstLimit, filledAtMs: nowMs };
    const available = Math.min(BurstLimit, tokens + ((nowMs - filledAtMs) / 1_000) * RateLimit);
    const isAllowed = available >= 1;
    buckets.set(name, { tokens: isAllowed ? available - 1 : available, filledAtMs: nowMs });
    return isAllowed;
  };
};

/**
 * Counts the requests of each client, and returns the error type if a request exceeds a limit. The limit of the method
 * applies in addition to the limit of the plan. It is unknown whether the platform applies both limits, and whether the
 * platform counts refused requests.
 */
export const createUsageMeter = (clock: Clock) => {
  const tryConsume = createThrottle(clock);
  const days = new Map<string, { day: string; count: number }>();
  return ({ keyId, ApiStages: [stage], Throttle: limit, Quota }: UsagePlan, method: string) => {
    const methodLimit = stage.Throttle[method];
    if (methodLimit && !tryConsume(`${keyId} ${method}`, methodLimit)) return 'THROTTLED';
    if (limit && !tryConsume(keyId, limit)) return 'THROTTLED';
    // Not the day on which the request arrived: a slow request of yesterday would reset today's count.
    const day = clock.now().toISOString().slice(0, 10);
    const lastCount = days.get(keyId);
    const count = lastCount?.day === day ? lastCount.count : 0;
    if (Quota && count >= Quota.Limit) return 'QUOTA_EXCEEDED';
    days.set(keyId, { day, count: count + 1 });
    return undefined;
  };
};

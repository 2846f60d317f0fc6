import type { UsagePlan } from './api.ts';
import type { Limit } from './template-schemas.ts';

export type Clock = {
  now: () => Date;
  /** Unlike the date, it is never set back. */
  elapsedMs: () => number;
};

type Bucket = { tokens: number; filledAt: number };

/** A token bucket for each name. */
export class Throttle {
  private readonly clock: Clock;
  private readonly buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  tryConsume(name: string, { RateLimit, BurstLimit }: Limit) {
    const now = this.clock.elapsedMs();
    const { tokens, filledAt } = this.buckets.get(name) ?? { tokens: BurstLimit, filledAt: now };
    const filled = Math.min(BurstLimit, tokens + ((now - filledAt) / 1_000) * RateLimit);
    const isAllowed = filled >= 1;
    this.buckets.set(name, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed;
  }
}

/** Counts the requests of each client. */
export class UsageMeter {
  private readonly clock: Clock;
  private readonly throttle: Throttle;
  private readonly days = new Map<string, { day: string; count: number }>();

  constructor(clock: Clock) {
    this.clock = clock;
    this.throttle = new Throttle(clock);
  }

  /**
   * Counts a request, and returns the error type if the request exceeds a limit. The limit of the method applies in
   * addition to the limit of the plan. It is unknown whether the platform does this, and whether it counts refused
   * requests.
   */
  countRequest({ keyId, ApiStages: [stage], Throttle: limit, Quota }: UsagePlan, method: string) {
    const methodLimit = stage.Throttle[method];
    if (methodLimit && !this.throttle.tryConsume(`${keyId} ${method}`, methodLimit)) return 'THROTTLED';
    if (limit && !this.throttle.tryConsume(keyId, limit)) return 'THROTTLED';
    // The day now, not of arrival: a slow request may have arrived yesterday, and would reset today's count.
    const day = this.clock.now().toISOString().slice(0, 10);
    const last = this.days.get(keyId);
    const count = last?.day === day ? last.count : 0;
    if (Quota && count >= Quota.Limit) return 'QUOTA_EXCEEDED';
    this.days.set(keyId, { day, count: count + 1 });
    return undefined;
  }
}

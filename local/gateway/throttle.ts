export type Limit = { rate: number; burst: number };

type Bucket = { tokens: number; filledAt: number };

/** A token bucket for each name. The rate is per second. */
export class Throttle {
  private readonly buckets = new Map<string, Bucket>();

  tryConsume(name: string, { rate, burst }: Limit) {
    const now = performance.now();
    const { tokens, filledAt } = this.buckets.get(name) ?? { tokens: burst, filledAt: now };
    const filled = Math.min(burst, tokens + ((now - filledAt) / 1_000) * rate);
    const isAllowed = filled >= 1;
    this.buckets.set(name, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed;
  }
}

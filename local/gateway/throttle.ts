import type { Method } from './api.ts';

type Bucket = { tokens: number; filledAt: number };

/** A token bucket for each method, with the stage's rate per second and burst. */
export class Throttle {
  private readonly rate: number;
  private readonly burst: number;
  private readonly buckets = new Map<Method, Bucket>();

  constructor({ rate, burst }: { rate: number; burst: number }) {
    this.rate = rate;
    this.burst = burst;
  }

  take(method: Method) {
    const now = performance.now();
    const { tokens, filledAt } = this.buckets.get(method) ?? { tokens: this.burst, filledAt: now };
    const filled = Math.min(this.burst, tokens + ((now - filledAt) / 1_000) * this.rate);
    const isAllowed = filled >= 1;
    this.buckets.set(method, { tokens: isAllowed ? filled - 1 : filled, filledAt: now });
    return isAllowed;
  }
}

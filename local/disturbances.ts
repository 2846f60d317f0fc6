import * as v from 'valibot';

const count = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

/** Skips `after` calls, and then disturbs `times` calls. Without `times`, all further calls are disturbed. */
const callRange = { after: count, times: count };
type CallRange = { after?: number | undefined; times?: number | undefined };

/** A fault in the functions' calls to a service. */
export const Disturbance = v.strictObject({
  ...callRange,
  /** For example: dynamodb:PutItem. Without an action, all actions are disturbed. */
  action: v.optional(v.string()),
  /** With `disconnect`, the service does not get the call. With `loseResponse`, it executes the call. */
  kind: v.picklist(['throttle', 'error', 'delay', 'disconnect', 'loseResponse']),
  /** Without it, a delayed call waits until its caller has given up. Then the service executes it. */
  delayMs: count,
});
export type Disturbance = v.InferOutput<typeof Disturbance>;

/** `throttle` is a part of a function's name, such as PostChange. Calls of matching functions are throttled. */
export const LambdaThrottle = v.strictObject({ ...callRange, throttle: v.string() });
export type LambdaThrottle = v.InferOutput<typeof LambdaThrottle>;

/** Faults that a test injects into calls. `hits` is the number of disturbed calls. */
export class Disturbances<TDisturbance extends CallRange> {
  private disturbances: (TDisturbance & { hits: number })[] = [];

  replace(disturbances: TDisturbance[] = []) {
    this.disturbances = disturbances.map((disturbance) => ({ ...disturbance, hits: 0 }));
  }

  get counted(): readonly (TDisturbance & { hits: number })[] {
    return this.disturbances;
  }

  /** Returns the disturbance for the next call, if there is one, and counts the hit. */
  next(applies: (disturbance: TDisturbance) => boolean): TDisturbance | undefined {
    const next = this.disturbances.find((disturbance) => {
      if (!applies(disturbance)) return false;
      if (disturbance.after) {
        disturbance.after -= 1;
        return false;
      }
      return disturbance.times === undefined || disturbance.hits < disturbance.times;
    });
    if (next) next.hits += 1;
    return next;
  }
}

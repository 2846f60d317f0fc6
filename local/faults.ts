import * as v from 'valibot';

const count = v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));

/** Skips `after` calls, and then `times` calls have the fault. Without `times`, all further calls have the fault. */
const callRange = { after: count, times: count };
type CallRange = { after?: number | undefined; times?: number | undefined };

/** A fault in the functions' calls to a service. */
export const Fault = v.strictObject({
  ...callRange,
  /** For example: dynamodb:PutItem. Without an action, all actions have the fault. */
  action: v.optional(v.string()),
  /** With `disconnect`, the service does not get the call. With `loseResponse`, the service executes the call. */
  kind: v.picklist(['throttle', 'error', 'delay', 'disconnect', 'loseResponse']),
  /** Without `delayMs`, a delayed call waits until its caller has given up. Then the service executes the call. */
  delayMs: count,
});
export type Fault = v.InferOutput<typeof Fault>;

/** `throttle` is a part of a function's name, such as PostChange. All functions that match are throttled. */
export const LambdaThrottle = v.strictObject({ ...callRange, throttle: v.string() });
export type LambdaThrottle = v.InferOutput<typeof LambdaThrottle>;

/** Faults that a test injects into calls. `hits` is the number of calls that had the fault. */
export class Faults<TFault extends CallRange> {
  private faults: (TFault & { hits: number })[] = [];

  replace(faults: TFault[] = []) {
    this.faults = faults.map((fault) => ({ ...fault, hits: 0 }));
  }

  get counted(): readonly (TFault & { hits: number })[] {
    return this.faults;
  }

  /** Returns the fault for the next call, if there is one, and counts the hit. */
  next(applies: (fault: TFault) => boolean): TFault | undefined {
    const next = this.faults.find((fault) => {
      if (!applies(fault)) return false;
      if (fault.after) {
        fault.after -= 1;
        return false;
      }
      return fault.times === undefined || fault.hits < fault.times;
    });
    if (next) next.hits += 1;
    return next;
  }
}

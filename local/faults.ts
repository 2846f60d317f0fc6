import * as v from 'valibot';

const EXPECTED_COUNT = 'A count must be a whole number of 0 or more.';
const count = v.optional(
  v.pipe(
    v.number(EXPECTED_COUNT),
    v.check((number) => Number.isSafeInteger(number) && number >= 0, EXPECTED_COUNT),
  ),
);

/** Skips `after` calls, and then `times` calls have the fault. Without `times`, all further calls have the fault. */
const callRange = { after: count, times: count };
type CallRange = { after?: number | undefined; times?: number | undefined };

const EXPECTED_ACTION = 'The action must be a string such as "dynamodb:PutItem".';

/** A fault in the functions' calls to a service. */
export const Fault = v.strictObject(
  {
    ...callRange,
    /** For example: dynamodb:PutItem. Without an action, all actions have the fault. */
    action: v.optional(v.pipe(v.string(EXPECTED_ACTION), v.regex(/^dynamodb:[A-Z]/, EXPECTED_ACTION))),
    /** With `disconnect`, the service does not get the call. With `loseResponse`, the service executes the call. */
    kind: v.picklist(
      ['throttle', 'error', 'delay', 'disconnect', 'loseResponse'],
      'The kind must be throttle, error, delay, disconnect or loseResponse.',
    ),
    /** Without `delayMs`, a delayed call waits until its caller has given up. Then the service executes the call. */
    delayMs: count,
  },
  'A fault must be an object with kind. It may also have action, delayMs, after and times.',
);
export type Fault = v.InferOutput<typeof Fault>;

const EXPECTED_LAMBDA_FAULT =
  'A fault of lambda must be an object with either throttle or kill. It may also have after and times.';
const functionName = v.optional(v.string('The function must be a part of its name, such as "PostChange".'));

/** A fault in the calls of all functions whose name has this part. With `kill`, the process ends when it gets the event. */
export const LambdaFault = v.pipe(
  v.strictObject({ ...callRange, throttle: functionName, kill: functionName }, EXPECTED_LAMBDA_FAULT),
  v.check(({ throttle, kill }) => (throttle === undefined) !== (kill === undefined), EXPECTED_LAMBDA_FAULT),
);
export type LambdaFault = v.InferOutput<typeof LambdaFault>;

/** A part of the function's name. */
export const functionOf = ({ throttle, kill }: LambdaFault) => throttle ?? kill ?? '';

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

import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { HOUR_MS, MINUTE_MS } from '../shared/time.ts';
import type { Outcome } from './lambda/function-instance.ts';
import { readInvokePermissions } from './lambda/invoke-permissions.ts';
import type { Lambda } from './lambda/lambda.ts';
import type { TemplateStack } from './synthesis/stack.ts';

/** A rule without a schedule waits for events. The local run supports one kind of schedule: a minute of every hour. */
const Rule = v.object({
  State: v.literal('ENABLED'),
  ScheduleExpression: v.optional(v.pipe(v.string(), v.regex(/^cron\(\d+ \* \* \* \? \*\)$/))),
  Targets: v.array(v.object({ Arn: v.string() })),
});

const EVENTS = 'events.amazonaws.com';

const refusalOf = (functionArn: string): Outcome => ({
  error: {
    errorType: 'AccessDeniedException',
    errorMessage: `${EVENTS} is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`,
  },
});

export type ScheduleClock = {
  now: () => number;
  wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

const systemClock: ScheduleClock = {
  now: Date.now,
  wait: (ms, signal) => sleep(ms, undefined, { signal, ref: false }),
};

/** Each hour, calls the functions that the template's schedules name. */
export const startSchedule = (
  stack: TemplateStack,
  lambda: Pick<Lambda, 'invoke'>,
  { now, wait } = systemClock,
) => {
  const stopping = new AbortController();
  const rules = stack.read('AWS::Events::Rule', Rule).filter((rule) => rule.ScheduleExpression !== undefined);
  const mayInvoke = readInvokePermissions(stack);
  /** EventBridge's event has more fields, which no function reads. */
  const callTargets = ({ arn, Targets }: (typeof rules)[number], time: string) =>
    Promise.all(
      Targets.map(async ({ Arn }) =>
        mayInvoke(EVENTS, arn, Arn) ? lambda.invoke(Arn, JSON.stringify({ time })) : refusalOf(Arn),
      ),
    );

  const repeat = async (rule: (typeof rules)[number]) => {
    const msAfterHour = Number(rule.ScheduleExpression?.match(/\d+/)?.[0]) * MINUTE_MS;
    let at = now();
    while (!stopping.signal.aborted) {
      // A timer may end a moment before `at`. Without `Math.max`, the same time would come twice.
      at = (Math.floor((Math.max(at, now()) - msAfterHour) / HOUR_MS) + 1) * HOUR_MS + msAfterHour;
      await wait(at - now(), stopping.signal);
      await callTargets(rule, new Date(at).toISOString());
    }
  };
  // When the run stops, `wait` rejects.
  for (const rule of rules) repeat(rule).catch(() => {});
  return {
    /** Calls the functions of all schedules now, with this time in their event. */
    callAll: async (time: string) => (await Promise.all(rules.map((rule) => callTargets(rule, time)))).flat(),
    stop: () => stopping.abort(),
  };
};

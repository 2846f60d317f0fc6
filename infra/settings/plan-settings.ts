import * as v from 'valibot';
import { integerSetting } from './integer-setting.ts';

/** A rate of 0.1 is one request in ten seconds. AWS accepts a fraction for a rate, but not for a burst. */
const Rate = v.pipe(
  v.number('rate must be a number.'),
  v.minValue(0.01, 'rate must be 0.01 or more.'),
  v.maxValue(10_000, 'rate must be 10000 or less.'),
);
const Burst = integerSetting('burst', 1, 5_000);

/** A stack has at most 500 resources, and each slot has two. */
const MAX_SLOTS = 170;
const MAX_PLANS = 10;

const Batches = v.strictObject(
  { rate: v.exactOptional(Rate), burst: v.exactOptional(Burst) },
  'batches must be an object with rate and burst.',
);
const Plan = v.strictObject(
  {
    rate: v.exactOptional(Rate),
    burst: v.exactOptional(Burst),
    perDay: v.exactOptional(integerSetting('perDay', 1, 1_000_000_000)),
    batches: v.exactOptional(Batches),
    slots: v.exactOptional(integerSetting('slots', 1, MAX_SLOTS)),
  },
  'A plan must be an object with rate, burst, perDay, batches and slots.',
);

/** One batch per second: the largest batch uses 3,678 write units, and a new table accepts 4,000 a second. */
const STANDARD = { rate: 10, burst: 100, batches: { rate: 1, burst: 10 }, slots: 20 };
const SLOW = { rate: 0.1, burst: 1, batches: { rate: 0.1, burst: 1 }, slots: 2 };

/** The name is a part of an API key, which has only letters and digits. */
const PlanName = v.pipe(
  v.string(),
  v.regex(
    /^[a-z][a-z0-9]{0,19}$/,
    'The name of a plan must have 1 to 20 small letters and digits, and start with a letter.',
  ),
);

const completePlan = (name: string, plan: v.InferOutput<typeof Plan>) => {
  const defaults = name === 'slow' ? SLOW : STANDARD;
  const { rate, burst, perDay, slots } = { perDay: undefined, ...defaults, ...plan };
  const batches = { ...defaults.batches, ...plan.batches };
  return { name, rate, burst, perDay, slots, batches };
};
export type Plan = ReturnType<typeof completePlan>;

/** Adds the default plans that the settings lack; `null` drops a plan. `slow` is last, because the first plan serves clients of a dropped plan. */
export const Plans = v.pipe(
  v.record(PlanName, v.nullable(Plan), 'plans must be an object. Its keys are the names of the plans.'),
  v.transform(({ slow = {}, ...others }) =>
    Object.entries({ standard: {}, ...others, slow }).flatMap(([name, plan]) =>
      plan ? [completePlan(name, plan)] : [],
    ),
  ),
  v.minLength(1, 'A deployment must have at least one plan.'),
  v.maxLength(MAX_PLANS, `A deployment can have at most ${MAX_PLANS} plans.`),
  v.check(
    (plans) => plans.reduce((sum, { slots }) => sum + slots, 0) <= MAX_SLOTS,
    `All plans together can have at most ${MAX_SLOTS} slots.`,
  ),
);

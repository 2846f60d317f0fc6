import * as v from 'valibot';
import { MAX_SILENCE_HOURS } from '../../../shared/limits.ts';

const Hours = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SILENCE_HOURS));
/** Wrong names get the sentences of the commands, which a schema has not. */
const values = {
  userName: v.optional(v.string()),
  plan: v.optional(v.string()),
  silenceHours: v.optional(Hours),
  share: v.optional(v.boolean()),
  contact: v.optional(v.string()),
  displayName: v.optional(v.string()),
  language: v.optional(v.string()),
};
const confirmed = v.optional(v.boolean());

export const Addition = v.strictObject({ name: v.string(), ...values });
export type Addition = v.InferOutput<typeof Addition>;

export const Action = v.variant('action', [
  v.strictObject({ action: v.literal('rotate'), overlapHours: Hours, isAgain: v.boolean(), confirmed }),
  v.strictObject({ action: v.literal('lock') }),
  v.strictObject({ action: v.literal('unlock') }),
  v.strictObject({ action: v.literal('set'), ...values }),
  v.strictObject({ action: v.literal('remove'), confirmed }),
]);
export type Action = v.InferOutput<typeof Action>;

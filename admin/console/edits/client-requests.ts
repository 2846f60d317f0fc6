import * as v from 'valibot';
import { ClientValues, Hours } from '../../clients/client-changes.ts';

const confirmed = v.optional(v.boolean());

export const Addition = v.strictObject({ name: v.string(), ...ClientValues.entries });
export type Addition = v.InferOutput<typeof Addition>;

export const Action = v.variant('action', [
  v.strictObject({ action: v.literal('rotate'), overlapHours: Hours, isAgain: v.boolean(), confirmed }),
  v.strictObject({ action: v.literal('lock') }),
  v.strictObject({ action: v.literal('unlock') }),
  v.strictObject({ action: v.literal('set'), ...ClientValues.entries }),
  v.strictObject({ action: v.literal('remove'), confirmed }),
]);
export type Action = v.InferOutput<typeof Action>;

import type { Client } from './client.ts';
import { hasGeneratedShape, hashPassword } from './password.ts';
import type { DeployedPlan } from './plans.ts';

export type SlotHolder = Pick<Client, 'Client' | 'Plan' | 'Slot' | 'RemovedAt'>;

/** Returns the plan's slot with the fewest clients, and their names. Two writers at once may choose the same slot. */
export const chooseSlot = ({ name, slots }: DeployedPlan, clients: readonly SlotHolder[]) => {
  const candidates = Array.from({ length: slots }, (_, index) => ({
    slot: index + 1,
    sharedWith: clients
      .filter(({ Plan, Slot, RemovedAt }) => Plan === name && Slot === index + 1 && !RemovedAt)
      .map(({ Client }) => Client),
  }));
  return candidates.reduce((best, candidate) =>
    candidate.sharedWith.length < best.sharedWith.length ? candidate : best,
  );
};

/** The attributes of a new password. */
export const passwordAttributes = (password: string, now: Date) => ({
  ...hashPassword(password),
  PasswordChangedAt: now.toISOString(),
  ...(hasGeneratedShape(password) ? {} : { OwnPassword: true as const }),
});

type NewClient = {
  name: string;
  userName?: string | undefined;
  password: string;
  plan: string;
  slot: number;
  silenceHours?: number | undefined;
  now: Date;
};

export const newClient = ({ name, userName = name, silenceHours = 24, ...more }: NewClient) => {
  const { password, plan, slot, now } = more;
  return {
    Client: name,
    UserName: userName,
    Plan: plan,
    Slot: slot,
    SilenceHours: silenceHours,
    SilenceFrom: now.toISOString(),
    CreatedAt: now.toISOString(),
    ...passwordAttributes(password, now),
  };
};

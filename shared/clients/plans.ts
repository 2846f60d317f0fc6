/** A plan as it is deployed. Its slots are numbered from 1 on. */
export type DeployedPlan = { name: string; slots: number };

/** For the authorizer's environment and an output of the stack. The name of a plan has no comma and no colon. */
export const encodePlans = (plans: readonly DeployedPlan[]) =>
  plans.map(({ name, slots }) => `${name}:${slots}`).join();

/** A deployment has at least one plan. */
export type DeployedPlans = readonly [DeployedPlan, ...DeployedPlan[]];

export const decodePlans = (text: string): DeployedPlans => {
  const decode = (plan: string) => {
    const [name = '', slots] = plan.split(':');
    if (!name || !(Number(slots) >= 1)) throw new Error(`The plans are damaged: ${text}`);
    return { name, slots: Number(slots) };
  };
  const [first = '', ...others] = text.split(',');
  return [decode(first), ...others.map(decode)];
};

/**
 * Computes the value of a slot's API key, so nobody has to look it up. API Gateway accepts only letters and digits, and no
 * value twice in a region. The fixed width keeps slot 11 of plan `a` apart from slot 1 of plan `a1`.
 */
export const slotKey = (stackUuid: string, plan: string, slot: number) =>
  `${stackUuid}${plan}${String(slot).padStart(3, '0')}`;

import type { ClientWithoutHashes } from '../../shared/clients/client.ts';
import { chooseSlot, type SlotHolder } from '../../shared/clients/new-client.ts';
import type { DeployedPlan } from '../../shared/clients/plans.ts';
import { Failure } from '../text/failure.ts';
import { type Message, message, step } from '../text/message.ts';
import { countOf, joinFirstNames, joinNames } from '../text/words.ts';

type Wish = { name: string; plan?: string | undefined; share?: boolean | undefined };

/** Returns a free slot for a client. If all slots are taken, `share` allows a slot of other clients. */
export const takeSlot = (
  plans: readonly DeployedPlan[],
  holders: readonly SlotHolder[],
  { name, plan = plans[0]?.name ?? '', share }: Wish,
) => {
  const deployed = plans.find(({ name: planName }) => planName === plan);
  if (!deployed) {
    const names = joinNames(plans.map(({ name: planName }) => planName));
    throw new Failure(`There is no plan ${plan}. The deployment has ${names}. Nothing was changed.`);
  }
  const others = holders.filter(({ Client }) => Client !== name);
  const { slot, sharedWith } = chooseSlot(deployed, others);
  if (sharedWith.length > 0 && !share) {
    throw new Failure(
      message`All slots of the plan ${plan} are taken (${deployed.slots}). Give the plan more slots in the settings and deploy, or ${step('share')}: ${name} then shares slot ${slot} with ${joinFirstNames(sharedWith)}. Nothing was changed.`,
    );
  }
  return { Plan: deployed.name, Slot: slot };
};

export const describeSlot = ({ Plan, Slot }: Pick<SlotHolder, 'Plan' | 'Slot'>) =>
  `slot ${Slot} of the plan ${Plan}`;

/** Sentences about clients that share a user name or a slot. With `about`, each sentence names one of these clients. */
export const sharingNotices = (
  active: readonly ClientWithoutHashes[],
  about?: ReadonlySet<string>,
): Message[] => {
  const shared = (textOf: (client: ClientWithoutHashes) => string) =>
    [...Map.groupBy(active, textOf)]
      .map(([text, holders]) => ({ text, names: holders.map(({ Client }) => Client) }))
      .filter(({ names }) => names.length > 1 && (!about || names.some((name) => about.has(name))));
  return [
    ...shared(({ UserName }) => UserName).map(
      ({ text, names }) =>
        message`${joinFirstNames(names)} have the same user name ${text}, so only their passwords tell them apart. Give one client another user name: ${step('setClient', 'user-name')}.`,
    ),
    ...describeSharedSlots(shared(describeSlot)),
  ];
};

/** More sentences would hide the table of clients, which names the shared slots, too. */
const MAX_SLOT_SENTENCES = 3;

const describeSharedSlots = (slots: readonly { text: string; names: string[] }[]): Message[] => {
  if (slots.length > MAX_SLOT_SENTENCES) {
    const clients = countOf(slots.flatMap(({ names }) => names).length, 'client');
    return [
      message`${clients} share ${countOf(slots.length, 'slot')}. The requests of the clients in a slot are limited together. ${step('seeClients')} shows these slots.`,
    ];
  }
  return slots.map(
    ({ text, names }) => `${joinFirstNames(names)} share ${text}, so their requests are limited together.`,
  );
};

export const noticesOf = (
  active: readonly ClientWithoutHashes[],
  damaged: readonly string[],
  plans: readonly DeployedPlan[],
): Message[] => {
  const isDeployed = ({ Plan, Slot }: SlotHolder) =>
    plans.some(({ name, slots }) => name === Plan && Slot <= slots);
  const withoutSlot = active.filter((client) => !isDeployed(client)).map(({ Client }) => Client);
  return [
    ...sharingNotices(active),
    ...(withoutSlot.length > 0
      ? [
          message`${joinFirstNames(withoutSlot)}: the plan or the slot is not deployed, so they use a slot of the plan ${plans[0]?.name ?? ''}. Give these clients another plan: ${step('setClient', 'plan')}.`,
        ]
      : []),
    ...(damaged.length > 0
      ? [
          `${countOf(damaged.length, 'damaged item')} in the table Clients, left out here: ${joinFirstNames(damaged)}. The command \`clients show NAME\` says what is damaged. Such a client may still sign in. It can be locked, removed and added again.`,
        ]
      : []),
  ];
};

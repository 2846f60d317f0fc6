import { codesWithoutBalance, lookAlikes, unlistedCodes } from './codes.ts';
import { contextOf } from './context.ts';
import { type Compared, type Finding, type Kind, kinds, type Latest } from './finding.ts';
import { unlistedOrders, unusedOrders } from './orders.ts';
import { unitFindings } from './units.ts';

export { type Compared, type Finding, type Kind, kinds, type Latest };

/** The usual faults between what warehouses send and what the lists have. */
export const findFaults = (compared: Compared): Finding[] => {
  const context = contextOf(compared);
  return inOrder([
    ...unlistedCodes(context),
    ...codesWithoutBalance(context),
    ...unlistedOrders(context),
    ...unusedOrders(context),
    ...unitFindings(context),
    ...lookAlikes(context),
  ]);
};

const order = new Map(Object.keys(kinds).map((kind, place) => [kind, place]));
const placeOf = ({ kind }: Finding) => order.get(kind) ?? 0;

/** By kind, then by what they are about, then by client. */
export const inOrder = (findings: readonly Finding[]) =>
  findings.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      compare(one.subject, other.subject) ||
      compare(one.client, other.client),
  );

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

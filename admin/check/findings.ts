import { by } from '../store/order.ts';
import { codesWithoutBalance, lookAlikes, unlistedCodes } from './codes.ts';
import { contextOf } from './context.ts';
import { type Compared, type Finding, kinds } from './finding.ts';
import { unlistedOrders, unusedOrders } from './orders.ts';
import { unitFindings } from './units.ts';

/** The usual faults between what warehouses send and what the lists have. */
export const findFaults = (compared: Compared): Finding[] => {
  const context = contextOf(compared);
  return inOrder([
    ...lookAlikes(context),
    ...unlistedCodes(context),
    ...codesWithoutBalance(context),
    ...unlistedOrders(context),
    ...unusedOrders(context),
    ...unitFindings(context),
  ]);
};

const order = new Map(Object.keys(kinds).map((kind, place) => [kind, place]));
const placeOf = ({ kind }: Finding) => order.get(kind) ?? 0;

/** By kind, then by what they are about, then by client. */
export const inOrder = (findings: readonly Finding[]) =>
  findings.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || bySubject(one, other) || byClient(one, other),
  );

const bySubject = by(({ subject }: Finding) => subject);
const byClient = by(({ client }: Finding) => client);

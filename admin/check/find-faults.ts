import { codesWithoutBalance, lookAlikes, unlistedCodes } from './codes.ts';
import { type Compared, toComparison } from './comparison.ts';
import { type Finding, sortFindings } from './finding.ts';
import { unlistedOrders, unusedOrders } from './orders.ts';
import { unitFindings } from './units.ts';

const checks = [lookAlikes, unlistedCodes, codesWithoutBalance, unlistedOrders, unusedOrders, unitFindings];

/** Finds the usual faults between what warehouses send and the lists. */
export const findFaults = (compared: Compared): Finding[] => {
  const comparison = toComparison(compared);
  return sortFindings(checks.flatMap((check) => check(comparison)));
};

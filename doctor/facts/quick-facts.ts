import type { Facts } from '../fact.ts';
import { accessFacts } from './access.ts';
import { connectionFacts, tlsFacts } from './connections.ts';
import { operationFacts } from './operations.ts';

/** What can be checked on a live deployment, in this order: nothing is stored, and no setting changes. */
export const quickFacts: Facts = {
  ...accessFacts,
  ...tlsFacts,
  ...operationFacts,
  ...connectionFacts,
};

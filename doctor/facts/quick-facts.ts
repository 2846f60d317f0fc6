import type { Facts } from '../fact.ts';
import { accessFacts } from './access.ts';
import { connectionFacts, tlsFacts } from './connections.ts';
import { operationFacts } from './operations.ts';

/** What can be asked of a live deployment: nothing is stored, and no setting changes. In the order of asking. */
export const quickFacts: Facts = {
  ...accessFacts,
  ...tlsFacts,
  ...operationFacts,
  ...connectionFacts,
};

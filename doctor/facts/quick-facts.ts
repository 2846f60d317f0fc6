import type { Facts } from '../fact.ts';
import { accessFacts } from './access.ts';
import { connectionFacts, tlsFacts } from './connections.ts';
import { operationFacts } from './operations.ts';

/** The facts of a live deployment, in the order of the checks. They store nothing and change no setting. */
export const quickFacts: Facts = {
  ...accessFacts,
  ...tlsFacts,
  ...operationFacts,
  ...connectionFacts,
};

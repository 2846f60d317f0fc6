import type { Fact } from '../fact.ts';
import { accessFacts } from './access.ts';
import { connectionFacts } from './connections.ts';
import { operationFacts } from './operations.ts';
import { tlsFacts } from './tls.ts';

/** What can be asked of a live deployment: nothing is stored, and no setting changes. In the order of asking. */
export const quickFacts: readonly Fact[] = [
  ...accessFacts,
  ...tlsFacts,
  ...operationFacts,
  ...connectionFacts,
];

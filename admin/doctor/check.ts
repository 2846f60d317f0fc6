import type { Outcome } from './outcome.ts';
import type { ProbeClient } from './probe-client.ts';

export type Writes = { changes: number; snapshots: number };

export type Check = {
  name: string;
  /** Where all is well; a check that says nothing of it writes nothing. */
  writes?: Partial<Writes>;
  /** A stranger is turned away; what needs to sign in is pointless where that fails. */
  signsIn: boolean;
  /** How many of the usual time limits it may take. */
  patience?: number;
  run(visit: ProbeClient): Promise<Outcome>;
};

export const writesOf = (checks: readonly Check[]): Writes => ({
  changes: checks.reduce((sum, { writes }) => sum + (writes?.changes ?? 0), 0),
  snapshots: checks.reduce((sum, { writes }) => sum + (writes?.snapshots ?? 0), 0),
});

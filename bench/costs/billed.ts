import { assumptions } from './assumptions.ts';
import type { Measured, Served } from './measured.ts';

/** How the processor's time on the measuring machine becomes time that is billed. */

/** What a function takes of a processor goes by its memory; this much is a whole one, and one is all that a request uses. */
const WHOLE_PROCESSOR_MB = 1_769;

const MB = 1_048_576;

type FunctionFacts = Pick<Measured['functions'][number], 'memoryMb' | 'loadMs'>;
type Waiting = Pick<Served, 'calls' | 'callsInTurn'> & { itemBytes?: number; isAuthorizer?: boolean };

export const onLambda = (cpuMs: number, memoryMb: number) =>
  cpuMs * assumptions.slowerProcessor.value * Math.max(1, WHOLE_PROCESSOR_MB / memoryMb);

export const waitMs = ({ calls, callsInTurn, itemBytes = 0, isAuthorizer = false }: Waiting) => {
  if (calls === 0) return 0;
  if (isAuthorizer) return callsInTurn * assumptions.secretCallMs.value;
  const inTurn = (itemBytes / MB) * (callsInTurn / calls);
  return callsInTurn * assumptions.tableCallMs.value + inTurn * assumptions.tableMsPerMb.value;
};

type Timed = Served & { itemBytes?: number };

const waitOf = (served: Timed) => waitMs({ ...served, isAuthorizer: served.function === 'authorizer' });

/** Of a process that has served before. */
export const warmMs = (served: Timed, { memoryMb }: FunctionFacts) =>
  Math.ceil(onLambda(served.cpuMs, memoryMb) + waitOf(served));

/** Of a process that starts for this request. */
export const coldMs = (served: Timed, { memoryMb, loadMs }: FunctionFacts) =>
  Math.ceil(
    assumptions.initMs.value +
      assumptions.connectMs.value +
      onLambda(loadMs + served.firstCpuMs, memoryMb) +
      waitOf(served),
  );

/** Of requests that come at random, those before which the process has been idle for too long. */
export const coldShare = (callsPerHour: number) =>
  Math.exp((-callsPerHour * assumptions.processKeptMinutes.value) / 60);

export const billedMs = (served: Timed, facts: FunctionFacts, cold: number) =>
  warmMs(served, facts) * (1 - cold) + coldMs(served, facts) * cold;

const MB_PER_GB = 1_024;
export const gbSeconds = (ms: number, memoryMb: number) => (ms / 1_000) * (memoryMb / MB_PER_GB);

import { RETRY_AFTER_SECONDS } from '../../shared/http/problem.ts';
import { PAUSE_MS } from '../../shared/storage/retry-while-throttled.ts';
import { createRandom, createSimulatedClock, type Story } from './simulated-clock.ts';

/** An item of the table Clients. `npm run costs` compares it with the units that the engine counts. */
const CLIENT_BYTES = 348;

/** The read units of a whole table Clients. An eventually consistent read costs half a unit for 4 KB. */
export const unitsOfSignIn = (clients: number) => Math.ceil((clients * CLIENT_BYTES) / 4_096) / 2;

/** Milliseconds of a request in a process that runs already, and in a new process. */
export type Milliseconds = { warm: number; cold: number };
/** Without the read of the table Clients. */
export const AUTHORIZER_MS: Milliseconds = { warm: 2, cold: 208 };
export const CHANGE_MS: Milliseconds = { warm: 9, cold: 210 };
/** A call waits 6 ms for the table, and 80 ms for each MB. */
export const msOfUnits = (units: number) => 6 + (80 * units * 8_192) / 1_024 ** 2;

/** What a new table bears, and what Lambda allows most accounts. */
export const NEW_TABLE_READS = 12_000;
export const USUAL_EXECUTIONS = 1_000;

/** For how long the functions call a throttled table, as in functions/. */
const [AUTHORIZER_TRIES_FOR, OPERATION_TRIES_FOR] = [8_000, 17_000];
/** For how long the authorizer uses its copy of the clients, as in functions/credentials/, and the gateway a policy, as in infra/api/. */
const [COPY_COUNTS_FOR, POLICY_COUNTS_FOR] = [30_000, 30_000];
/** Lambda starts up to 1,000 processes of a function at once, and 100 more in each second. */
const [STARTS_AT_ONCE, STARTS_PER_SECOND] = [1_000, 100];
/** The programs of docs/clients wait for `Retry-After` of a 503. After five attempts, they stop. */
const PAUSE_AFTER_503 = RETRY_AFTER_SECONDS * 1_000;
const PAUSES_AFTER_500 = [1_000, 2_000, 4_000, 8_000, 0];

/** Requests of programs that wait for the same time of day come within this time. */
export const MOMENT_SECONDS = 0.1;

export type Rush = {
  /** Each client sends one request, and no process runs yet. */
  clients: number;
  withinSeconds: number;
  /** The executions at once that Lambda allows. */
  executions: number;
  /** The executions of the authorizer, if they are reserved. */
  authorizerExecutions?: number | undefined;
  /** What the table Clients bears. */
  readUnitsPerSecond: number;
  /** Without it, each client sends a change, which no table throttles. */
  operation?: { ms: Milliseconds; units: number; unitsPerSecond: number };
};

type Process = { copyUntil: number };
type Pool = { limit: number; busy: number };

/** Simulates the responses to clients that send at once. The same rush has always the same result. */
export const simulateRush = (rush: Rush) => {
  const clock = createSimulatedClock();
  const random = createRandom();
  const { operation = { ms: CHANGE_MS, units: 0, unitsPerSecond: 0 } } = rush;

  /** The function returns what the work returns, or undefined if Lambda has no process for it. */
  const createFunction = (pool: Pool, ms: Milliseconds) => {
    const idle: Process[] = [];
    const mayStart = clock.createBucket(STARTS_AT_ONCE, STARTS_PER_SECOND);
    return function* (work: (process: Process) => Story<boolean>): Story<boolean | undefined> {
      if (pool.busy >= pool.limit) return undefined;
      const running = idle.pop();
      if (!(running || mayStart(1))) return undefined;
      pool.busy += 1;
      yield running ? ms.warm : ms.cold;
      const process = running ?? { copyUntil: 0 };
      const isDone = yield* work(process);
      idle.push(process);
      pool.busy -= 1;
      return isDone;
    };
  };

  type Table = ReturnType<typeof clock.createBucket>;

  function* callTable(accepts: Table, units: number, triesFor: number): Story<boolean> {
    const end = clock.now() + triesFor;
    while (!accepts(units)) {
      const pause = PAUSE_MS * (0.5 + random());
      if (clock.now() + pause >= end) {
        yield end - clock.now();
        return false;
      }
      yield pause;
    }
    yield msOfUnits(units);
    return true;
  }

  const others = { limit: rush.executions, busy: 0 };
  const { authorizerExecutions: reserved } = rush;
  const authorize = createFunction(reserved ? { limit: reserved, busy: 0 } : others, AUTHORIZER_MS);
  const operate = createFunction(others, operation.ms);
  const clientsTable = clock.createBucket(rush.readUnitsPerSecond, rush.readUnitsPerSecond);
  const ownTable = clock.createBucket(operation.unitsPerSecond, operation.unitsPerSecond);

  function* readClients(process: Process): Story<boolean> {
    if (clock.now() < process.copyUntil) return true;
    const startedAt = clock.now();
    const isRead = yield* callTable(clientsTable, unitsOfSignIn(rush.clients), AUTHORIZER_TRIES_FOR);
    if (isRead) process.copyUntil = startedAt + COPY_COUNTS_FOR;
    return isRead;
  }

  /** If Lambda has no process for the authorizer, the gateway responds with a 503, too. */
  function* respond(policy: { until: number }): Story<200 | 500 | 503> {
    if (clock.now() >= policy.until) {
      if (!(yield* authorize(readClients))) return 503;
      policy.until = clock.now() + POLICY_COUNTS_FOR;
    }
    const isServed = yield* operate(() => callTable(ownTable, operation.units, OPERATION_TRIES_FOR));
    if (isServed === undefined) return 500;
    return isServed ? 200 : 503;
  }

  const statuses = { 200: 0, 500: 0, 503: 0 };
  let servedAtFirst = 0;
  let lastAfterSeconds = 0;

  function* runProgram(): Story {
    const policy = { until: 0 };
    for (const [failures, pause] of PAUSES_AFTER_500.entries()) {
      const status = yield* respond(policy);
      statuses[status] += 1;
      if (status === 200) {
        servedAtFirst += failures === 0 ? 1 : 0;
        lastAfterSeconds = clock.now() / 1_000;
        return;
      }
      yield status === 500 ? pause : PAUSE_AFTER_503;
    }
  }

  for (let client = 0; client < rush.clients; client += 1)
    clock.start(runProgram(), random() * rush.withinSeconds * 1_000);
  clock.run();
  return {
    servedAtFirst,
    lastAfterSeconds,
    served: statuses[200],
    with500: statuses[500],
    with503: statuses[503],
  };
};

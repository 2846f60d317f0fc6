import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outputs } from '../../local/run.ts';
import { basic, openSocket } from '../support/http-client.ts';
import { createRequests, type Request } from './requests.ts';
import { createStatistics, type Results } from './statistics.ts';
import { type Client, exchange, toClient } from './traffic.ts';
import type { Acknowledged } from './verify.ts';

const FLOODER = 'flooder';

/** Accepts one batch in 100 s, because a large batch keeps two cores and the local engine busy for seconds. */
export const flooder = { name: FLOODER, limits: { batches: { rate: 0.01, burst: 1 } } };

const ROUND = [
  'change',
  'batch of 200',
  'material codes',
  'change',
  'batch of 200',
  'purchase orders',
  'change again',
  'batch of 200',
] as const;
/** About ten requests a second in all. The periods differ, so that the clients do not send in step. */
const periodMs = (index: number) => 900 + 20 * index;

/** How often a well-behaved client sends a large batch. */
const BETWEEN_LARGE_BATCHES_MS = 40_000;

const FLOOD_CONNECTIONS = 4;
/** The time to send a batch of 5 MB at 100 Mbit/s. */
const FLOOD_BATCH_MS = 400;
const BETWEEN_GUESSES_MS = 50;
export const HELD_CONNECTIONS = 500;
const BETWEEN_BYTES_MS = 1_000;
const WARM_UP_S = 15;

type Options = { outputs: Outputs; seconds: number; signal: AbortSignal };

type Phase = {
  isOver: () => boolean;
  exchange: (kind: string, request: Request, client: Client, dueAt?: number) => Promise<void>;
};

/** Sends the same well-behaved requests twice: without and with abusive clients. */
export const runNeighbours = async ({ outputs, seconds, signal }: Options) => {
  const { BaseUrl, Clients } = outputs;
  const acknowledged: Acknowledged = { changes: new Map(), snapshots: new Map() };
  const requests = createRequests(acknowledged);
  const wellBehaved = Object.entries(Clients).filter(([name]) => name !== FLOODER);

  const startPhase = (ofSeconds: number, statistics: ReturnType<typeof createStatistics>): Phase => {
    const until = performance.now() + ofSeconds * 1_000;
    return {
      isOver: () => performance.now() >= until || signal.aborted,
      exchange: async (kind, request, client, dueAt = performance.now()) => {
        const { status, fault } = await exchange(BaseUrl, request, client);
        statistics.add({ kind, status, fault, milliseconds: performance.now() - dueAt });
      },
    };
  };

  /** Times start when a request is due, even if a slow answer delays it. */
  const behave = async (kind: string, phase: Phase, client: Client, index: number) => {
    const start = performance.now() + (periodMs(index) * index) / wellBehaved.length;
    for (let turn = 0; !phase.isOver(); turn += 1) {
      const dueAt = start + turn * periodMs(index);
      await sleep(Math.max(0, dueAt - performance.now()));
      const operation = ROUND[(turn + index) % ROUND.length] ?? 'change';
      await phase.exchange(kind, requests[operation](client.name), client, dueAt);
    }
    client.agent.destroy();
  };
  const [[largest, password] = ['', '']] = wellBehaved;
  const largeBatch = withBytes(requests['batch of 40,000'](largest));
  const sendLargeBatches = async (kind: string, phase: Phase) => {
    const client = toClient([largest, password], 1);
    for (let dueAt = performance.now(); !phase.isOver(); await sleep(BETWEEN_BYTES_MS)) {
      if (performance.now() < dueAt + BETWEEN_LARGE_BATCHES_MS) continue;
      dueAt += BETWEEN_LARGE_BATCHES_MS;
      await phase.exchange(kind, largeBatch, client);
    }
    client.agent.destroy();
  };
  const behaveAll = (kind: string, phase: Phase) =>
    Promise.all([
      ...wellBehaved.map((login, index) => behave(kind, phase, toClient(login, index), index)),
      sendLargeBatches(kind, phase),
    ]);

  /** Keeps sending batches, whatever the answers are. */
  const flood = async (phase: Phase, batch: Request) => {
    const client = toClient([FLOODER, Clients[FLOODER] ?? ''], 1);
    while (!phase.isOver()) {
      const line = sleep(FLOOD_BATCH_MS * FLOOD_CONNECTIONS);
      await phase.exchange('flood', batch, client);
      await line;
    }
    client.agent.destroy();
  };

  /** Each password is new, so that no cached policy answers it. */
  const guess = async (phase: Phase) => {
    const agent = new Agent({ keepAlive: true });
    for (let turn = 0; !phase.isOver(); turn += 1) {
      const [name = ''] = wellBehaved[turn % wellBehaved.length] ?? [];
      const request = { ...requests['material codes'](), statuses: [401], faultOf: () => undefined };
      const headers = { Authorization: basic(name, `guess-${turn}`) };
      await phase.exchange('wrong password', request, { name, headers, agent });
      await sleep(BETWEEN_GUESSES_MS);
    }
    agent.destroy();
  };

  const statistics = {
    alone: createStatistics(['alone']),
    beside: createStatistics(['with neighbours', 'flood', 'wrong password']),
  };
  await behaveAll('warm-up', startPhase(WARM_UP_S, createStatistics([])));
  statistics.alone.restart();
  await behaveAll('alone', startPhase(seconds, statistics.alone));
  statistics.beside.restart();
  const phase = startPhase(seconds, statistics.beside);
  const batch = refusable(requests['batch of 40,000'](FLOODER));
  const [heldConnections] = await Promise.all([
    holdConnections(phase, BaseUrl),
    behaveAll('with neighbours', phase),
    guess(phase),
    ...Array.from({ length: FLOOD_CONNECTIONS }, () => flood(phase, batch)),
  ]);
  const alone = statistics.alone.results();
  const beside = statistics.beside.results();
  const results: Results = {
    seconds: alone.seconds + beside.seconds,
    requests: [...alone.requests, ...beside.requests],
    missing: [...alone.missing, ...beside.missing],
    faults: [...alone.faults, ...beside.faults],
  };
  return { acknowledged, results, heldConnections };
};

/** Encodes the body only once, because that takes long enough to distort the times. */
const withBytes = (request: Request): Request => ({ ...request, body: Buffer.from(request.body ?? '') });

const refusable = ({ faultOf, ...request }: Request): Request => ({
  ...withBytes({ ...request, faultOf }),
  statuses: [200, 429],
  faultOf: (answer) => {
    if (answer.status === 200) return faultOf(answer);
    return answer.headers['retry-after'] ? undefined : 'got no Retry-After';
  },
});

/**
 * Keeps connections open, and reopens each one that the service closes. Half of them send nothing, and half send one byte
 * a second. Returns the highest number of open connections.
 */
const holdConnections = async (phase: Phase, baseUrl: string) => {
  const path = `${new URL(baseUrl).pathname}/rest/warehouse-control/changes`;
  let open = 0;
  let most = 0;
  const hold = async (isSlow: boolean) => {
    const { host, write, isClosed, destroy } = await openSocket(baseUrl);
    open += 1;
    most = Math.max(most, open);
    if (isSlow) write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100000\r\n\r\n`);
    while (!phase.isOver() && !isClosed()) {
      await sleep(BETWEEN_BYTES_MS);
      if (isSlow) write(' ');
    }
    open -= 1;
    destroy();
  };
  const holdOn = async (_: unknown, index: number) => {
    while (!phase.isOver()) await hold(index % 2 > 0);
  };
  await Promise.all(Array.from({ length: HELD_CONNECTIONS }, holdOn));
  return most;
};

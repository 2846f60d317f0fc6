import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outputs } from '../../local/run.ts';
import { basic, send } from '../support/http-client.ts';
import { createRequests, type Kind, type Request } from './requests.ts';
import { createStatistics } from './statistics.ts';
import type { Acknowledged } from './verify.ts';

const OTHERS = [
  'change',
  'material codes',
  'change',
  'refused batch',
  'purchase orders',
  'change',
  'change again',
  'material codes',
] as const;
/** Each client repeats this round, and starts at another place in it. */
const ROUND = OTHERS.flatMap((kind): Kind[] => [kind, 'batch of 200', 'batch of 200']);

const BETWEEN_LARGE_BATCHES_MS = 5_000;
/** The pause after a request without an answer. Requests to a stopped service fail at once. */
const PAUSE_MS = 200;
/** Enough to start all function processes and to send each a large batch. */
export const WARM_UP_S = 30;

type Options = { outputs: Outputs; seconds: number; onWarm: () => void; signal: AbortSignal };

export type Client = { name: string; headers: Record<string, string>; agent: Agent };

/** Every client waits for each answer before its next request. */
export const runTraffic = async ({ outputs, seconds, onWarm, signal }: Options) => {
  const acknowledged: Acknowledged = { changes: new Map(), snapshots: new Map() };
  const requests = createRequests(acknowledged);
  const statistics = createStatistics(Object.keys(requests));
  const until = performance.now() + (WARM_UP_S + seconds) * 1_000;
  const warming = setTimeout(() => {
    statistics.restart();
    onWarm();
  }, WARM_UP_S * 1_000);
  const isOver = () => performance.now() >= until || signal.aborted;

  const run = async (kind: Kind, client: Client) => {
    const request = requests[kind](client.name);
    const started = performance.now();
    const { status, fault } = await exchange(outputs.BaseUrl, request, client);
    statistics.add({ kind, status, fault, milliseconds: performance.now() - started });
    if (status === 0) await sleep(PAUSE_MS);
  };

  const clients = Object.entries(outputs.Clients).map(toClient);
  const runRounds = async (client: Client, offset: number) => {
    for (let turn = offset; !isOver(); turn += 1) await run(ROUND[turn % ROUND.length] ?? 'change', client);
    client.agent.destroy();
  };
  const runLargeBatches = async () => {
    for (let turn = 0; ; turn += 1) {
      const left = Math.max(0, until - performance.now());
      await sleep(Math.min(BETWEEN_LARGE_BATCHES_MS, left), undefined, { signal }).catch(() => {});
      const client = clients[turn % clients.length];
      if (!client || isOver()) return;
      await run('batch of 40,000', { ...client, agent: new Agent() });
    }
  };
  await Promise.all([...clients.map((client, index) => runRounds(client, index * 3)), runLargeBatches()]);
  clearTimeout(warming);
  return { acknowledged, results: statistics.results() };
};

/** Some clients keep their connection, and some accept gzip. */
export const toClient = ([name, password]: [string, string], index: number): Client => ({
  name,
  agent: new Agent({ keepAlive: index % 3 > 0, maxSockets: 1 }),
  headers: {
    Authorization: basic(name, password),
    'Content-Type': 'application/json',
    'Accept-Encoding': index % 2 === 0 ? 'gzip' : '',
  },
});

export const exchange = async (baseUrl: string, request: Request, { headers, agent }: Client) => {
  const { path, body, statuses, faultOf } = request;
  try {
    const answer = await send(`${baseUrl}/rest/warehouse-control/${path}`, {
      headers,
      agent,
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    const { status, text } = answer;
    return {
      status,
      fault: statuses.includes(status) ? faultOf(answer) : `got ${status}: ${text.slice(0, 300)}`,
    };
  } catch (error) {
    return { status: 0, fault: `got no answer: ${error}` };
  }
};

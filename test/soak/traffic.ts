import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outputs } from '../../local/run.ts';
import { basic, send } from '../support/http-client.ts';
import { type Errand, Errands, type Kind } from './errands.ts';
import { Ledger } from './ledger.ts';
import type { Lists } from './lists.ts';
import { Tally } from './tally.ts';

/** What a client does over and over, each starting elsewhere. */
const ROUND: Kind[] = [
  'change',
  'batch of 200',
  'batch of 200',
  'material codes',
  'batch of 200',
  'batch of 200',
  'change',
  'batch of 200',
  'refused batch',
  'batch of 200',
  'batch of 200',
  'purchase orders',
  'batch of 200',
  'batch of 200',
  'change',
  'change again',
  'batch of 200',
  'batch of 200',
  'material codes',
  'batch of 200',
];

const BETWEEN_LARGE_BATCHES_MS = 5_000;

/** After a request without an answer, so that a service that has ended is not asked without pause. */
const PAUSE_MS = 200;

/** Until the functions' processes have started, and each heap has grown to what a large batch takes. */
export const WARM_UP_S = 30;

type Traffic = {
  outputs: Outputs;
  lists: Lists;
  /** After the warm-up. */
  seconds: number;
  onWarm: () => void;
  signal: AbortSignal;
};

type Lane = { client: string; headers: Record<string, string>; agent: Agent };

/** Every client sends its next request when it has the answer to the last. Ends when all are answered. */
export const runTraffic = async ({ outputs, lists, seconds, onWarm, signal }: Traffic) => {
  const ledger = new Ledger();
  const tally = new Tally();
  const errands = new Errands(ledger, lists);
  const until = performance.now() + (WARM_UP_S + seconds) * 1_000;
  const warming = setTimeout(() => {
    tally.startTimes();
    onWarm();
  }, WARM_UP_S * 1_000);
  const isOver = () => performance.now() >= until || signal.aborted;

  const run = async (kind: Kind, lane: Lane) => {
    const errand = errands.for(kind, lane.client);
    const started = performance.now();
    const { status, fault } = await exchange(outputs.BaseUrl, errand, lane);
    tally.add({ kind, status, fault, milliseconds: performance.now() - started });
    if (status === 0) await sleep(PAUSE_MS);
  };

  const lanes = Object.entries(outputs.Clients).map(toLane);
  const loop = async (lane: Lane, offset: number) => {
    for (let turn = offset; !isOver(); turn += 1) await run(ROUND[turn % ROUND.length] ?? 'change', lane);
    lane.agent.destroy();
  };
  const largeBatches = async () => {
    for (let turn = 0; ; turn += 1) {
      const left = Math.max(0, until - performance.now());
      await sleep(Math.min(BETWEEN_LARGE_BATCHES_MS, left), undefined, { signal }).catch(() => {});
      const lane = lanes[turn % lanes.length];
      if (!lane || isOver()) return;
      await run('batch of 40,000', { ...lane, agent: new Agent() });
    }
  };
  await Promise.all([...lanes.map((lane, index) => loop(lane, index * 3)), largeBatches()]);
  clearTimeout(warming);
  return { ledger, tally };
};

/** Some keep their connection and some do not; some take packed lists and some do not. */
const toLane = ([client, password]: [string, string], index: number): Lane => ({
  client,
  agent: new Agent({ keepAlive: index % 3 > 0, maxSockets: 1 }),
  headers: {
    Authorization: basic(client, password),
    'Content-Type': 'application/json',
    'Accept-Encoding': index % 2 === 0 ? 'gzip' : '',
  },
});

const exchange = async (baseUrl: string, errand: Errand, { headers, agent }: Lane) => {
  const { path, body, status: wanted, faultOf } = errand;
  try {
    const answer = await send(`${baseUrl}/rest/warehouse-control/${path}`, {
      headers,
      agent,
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    const { status } = answer;
    return {
      status,
      fault: status === wanted ? faultOf(answer) : `was answered ${status}: ${answer.text.slice(0, 300)}`,
    };
  } catch (error) {
    return { status: 0, fault: `got no answer: ${error}` };
  }
};

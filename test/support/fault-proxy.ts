import { createHash, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type Call,
  errorReply,
  openFaultProxy,
  type Reply as ServiceReply,
} from '../../local/services/fault-proxy.ts';
import { SecretsManager } from '../../local/services/secrets-manager.ts';

export type { Call };

/** After its body, the connection may be cut, or more bytes may follow without an end. */
export type Reply = ServiceReply & { ending?: 'cut' | 'endless' };

type NamedFault = keyof typeof errors | 'through' | 'silent' | 'cut' | 'lost' | 'endless' | 'half';

/** What the proxy does with a call. A `lost` call reaches the service, but its answer never comes back. */
export type Fault = NamedFault | Reply;

type Decide = (action: string, number: number, call: Call) => Fault | Promise<Fault>;

/** What DynamoDB says of a write that its partition has refused. */
export const throttlingReasons = [
  {
    reason: 'TableWriteKeyRangeThroughputExceeded',
    resource: 'arn:aws:dynamodb:eu-central-1:123456789012:table/BalanceSnapshots',
  },
];

const EXCEPTION = 'com.amazonaws.dynamodb.v20120810#';

const errors = {
  throttled: errorReply(
    400,
    `${EXCEPTION}ProvisionedThroughputExceededException`,
    'Throughput exceeds the current capacity of your table or index.',
    { ThrottlingReasons: throttlingReasons },
  ),
  broken: errorReply(500, `${EXCEPTION}InternalServerError`, 'Internal server error'),
  denied: errorReply(400, `${EXCEPTION}AccessDeniedException`, 'not authorized to perform: dynamodb:PutItem'),
};

const ENDLESS_PAUSE_MS = 100;

/** Passes calls on to a service, records them, and makes those fail that the test chooses. */
export const startFaultProxy = async (target: string) => {
  const calls: string[] = [];
  let waiting = 0;
  let decide: Decide = () => 'through';

  const { endpoint, close } = await openFaultProxy(target, async (call, outgoing) => {
    calls.push(call.action);
    const fault = await decide(call.action, calls.length, call);
    if (fault !== 'silent') return answer(call, fault, outgoing);
    waiting += 1;
    await call.untilHangup();
    waiting -= 1;
    return undefined;
  });
  return {
    endpoint,
    /** The actions of all calls since the last decision, in order. */
    calls,
    /** How many silent calls still wait for their answer. */
    waiting: () => waiting,
    decide: (decision: Decide) => {
      calls.length = 0;
      decide = decision;
    },
    stop: async () => close(),
  };
};

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** Returns the reply, or undefined if the connection ends without one. */
const answer = async (
  call: Call,
  fault: Fault,
  outgoing: ServerResponse,
): Promise<ServiceReply | undefined> => {
  if (fault === 'cut') return undefined;
  if (fault === 'endless') return repeatUntilHangup(call, () => outgoing.writeProcessing());
  if (fault === 'throttled' || fault === 'broken' || fault === 'denied') return errors[fault];
  const reply = typeof fault === 'object' ? fault : await call.pass();
  if (fault === 'lost') return undefined;
  const ending = typeof fault === 'object' ? fault.ending : fault === 'half' && 'half';
  if (!ending) return reply;
  outgoing.writeHead(reply.status, reply.headers);
  const { body = '' } = reply;
  const sent = new Promise((resolve) => outgoing.write(ending === 'half' ? body.slice(0, 7) : body, resolve));
  if (ending === 'endless') return repeatUntilHangup(call, () => outgoing.write(' '));
  await (ending === 'half' ? call.untilHangup() : sent);
  return undefined;
};

const repeatUntilHangup = async (call: Call, write: () => void) => {
  const writing = setInterval(write, ENDLESS_PAUSE_MS);
  await call.untilHangup();
  clearInterval(writing);
  return undefined;
};

const PARTITIONS = 4;
const UNITS_PER_SECOND = 1_000;

/**
 * The write limits of a new on-demand table. A partition accepts the units of one second at once. A hash that differs
 * from table to table chooses the partition of a key. A refused write takes no units.
 */
export const newTablePartitions = (
  now: () => number,
  { count = PARTITIONS, table = `${randomUUID()}` } = {},
) => {
  const partitions = Array.from({ length: count }, () => ({ free: UNITS_PER_SECOND, at: now() }));
  const partitionOf = (key: string) => {
    const hash = createHash('sha256').update(`${table}${key}`).digest();
    return partitions[hash.readUInt32BE() % count];
  };
  /** What becomes of a PutItem with this body. */
  return (body: Buffer): 'through' | 'throttled' => {
    const partition = partitionOf(keyOf(body));
    if (!partition) return 'through';
    const time = now();
    const gained = ((time - partition.at) / 1_000) * UNITS_PER_SECOND;
    partition.free = Math.min(UNITS_PER_SECOND, partition.free + gained);
    partition.at = time;
    const units = Math.ceil(body.byteLength / 1_024);
    if (units > partition.free) return 'throttled';
    partition.free -= units;
    return 'through';
  };
};

/** The partition key comes first in an item of ours. */
const keyOf = (body: Buffer) => /"Client":\{"S":"([^"]+)"/.exec(body.toString('utf8', 0, 1_024))?.[1] ?? '';

/** What precedes the name of a secret in an ARN. */
export const secretPrefix = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:';

export type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';
type SecretRead = { secret: string; stage: Stage };

/** The local run's Secrets Manager behind a fault proxy. */
export const startSecretsManager = async () => {
  let time = 0;
  const service = new SecretsManager(undefined, () => time);
  const proxy = await startFaultProxy(await service.open());
  const calls: SecretRead[] = [];
  let failing: (Partial<SecretRead> & { fault: Fault })[] = [];
  const faultOf = ({ secret, stage }: SecretRead) =>
    failing.find((rule) => (rule.secret ?? secret) === secret && (rule.stage ?? stage) === stage)?.fault;

  proxy.decide((_action, _number, { body }) => {
    const { SecretId, VersionStage = 'AWSCURRENT' } = JSON.parse(body.toString());
    const read = { secret: String(SecretId).replace(secretPrefix, ''), stage: VersionStage };
    calls.push(read);
    return faultOf(read) ?? 'through';
  });
  return {
    endpoint: proxy.endpoint,
    /** Every read of a secret, in order. */
    calls,
    putSecretValue: (secret: string, value: string, createdDate: Date) => {
      time = createdDate.getTime();
      service.setValue(secretPrefix + secret, value);
    },
    /** From now on all reads fail in this way, or only those of one secret or stage. */
    fail: (fault: Fault, reads: Partial<SecretRead> = {}) => {
      failing = [...failing, { fault, ...reads }];
    },
    recover: () => {
      failing = [];
    },
    stop: async () => {
      await proxy.stop();
      service.close();
    },
  };
};

import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { bodyOf, listen } from '../../local/http.ts';
import { SecretsManager } from '../../local/services/secrets-manager.ts';

export type Reply = {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The connection ends after the body, or more bytes follow it without an end. */
  ending?: 'cut' | 'endless';
};

type NamedFault = keyof typeof errors | 'through' | 'silent' | 'cut' | 'lost' | 'endless' | 'half';

/** What the proxy does with a call. A `lost` call reaches the service, but its answer never comes back. */
export type Fault = NamedFault | Reply;

/** A call to an AWS service, or any other HTTP request; `action` is empty then. */
export type Call = {
  action: string;
  path: string;
  body: Buffer;
  /** Sends the call to the service, with another body if one is given. */
  pass(body?: Buffer): Promise<Required<Omit<Reply, 'ending'>>>;
};

type Decide = (action: string, number: number, call: Call) => Fault | Promise<Fault>;

const errors = {
  throttled: [
    400,
    'ProvisionedThroughputExceededException',
    'Throughput exceeds the current capacity of your table or index.',
  ],
  broken: [500, 'InternalServerError', 'Internal server error'],
  denied: [400, 'AccessDeniedException', 'not authorized to perform: dynamodb:PutItem'],
} as const;

/** What DynamoDB says of a write that its partition has refused. */
export const throttlingReasons = [
  {
    reason: 'TableWriteKeyRangeThroughputExceeded',
    resource: 'arn:aws:dynamodb:eu-central-1:123456789012:table/BalanceSnapshots',
  },
];

const ENDLESS_PAUSE_MS = 100;

/** Passes calls on to a service, records them, and makes those fail that the test chooses. */
export const startFaultProxy = async (target: string) => {
  const calls: string[] = [];
  let waiting = 0;
  let decide: Decide = () => 'through';

  const waitForCaller = (incoming: IncomingMessage) => {
    waiting += 1;
    incoming.socket.once('close', () => {
      waiting -= 1;
    });
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const call = await readCall(target, incoming);
    calls.push(call.action);
    const fault = await decide(call.action, calls.length, call);
    if (fault === 'silent') return waitForCaller(incoming);
    if (fault === 'cut') return incoming.socket.destroy();
    if (fault === 'endless') return repeatForever(outgoing, () => outgoing.writeProcessing());
    const reply = await replyTo(call, fault);
    if (fault === 'lost') return incoming.socket.destroy();
    outgoing.writeHead(reply.status, reply.headers);
    if (fault === 'half') return outgoing.write(reply.body?.slice(0, 7) ?? '');
    return finish(outgoing, reply);
  };

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  return {
    endpoint: await listen(server, 0),
    /** The actions of all calls since the last decision, in order. */
    calls,
    /** How many silent calls still wait for their answer. */
    waiting: () => waiting,
    decide: (decision: Decide) => {
      calls.length = 0;
      decide = decision;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

const readCall = async (target: string, incoming: IncomingMessage): Promise<Call> => {
  const { url = '/', headers } = incoming;
  const body = await bodyOf(incoming);
  return {
    action: String(headers['x-amz-target'] ?? '').split('.')[1] ?? '',
    path: url,
    body,
    pass: (changed = body) => forward(target, incoming, changed),
  };
};

const forward = async (
  target: string,
  { method = 'POST', url = '/', headers }: IncomingMessage,
  body: Buffer,
) => {
  const length = body.byteLength > 0 ? { 'content-length': body.byteLength } : {};
  const onward = request(new URL(url, target), { method, headers: { ...headers, ...length } });
  onward.end(body);
  const [answer]: IncomingMessage[] = await once(onward, 'response');
  if (!answer) throw new Error('The service did not answer.');
  const replyHeaders = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(replyHeaders),
    body: await bodyOf(answer),
  };
};

const replyTo = (call: Call, fault: Fault): Reply | Promise<Reply> => {
  if (typeof fault === 'object') return fault;
  if (fault !== 'throttled' && fault !== 'broken' && fault !== 'denied') return call.pass();
  const [status, type, message] = errors[fault];
  const reasons = fault === 'throttled' ? { ThrottlingReasons: throttlingReasons } : {};
  const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message, ...reasons });
  return { status, headers: { 'Content-Type': 'application/x-amz-json-1.0' }, body };
};

const PARTITIONS = 4;
const UNITS_PER_SECOND = 1_000;

/**
 * The write limits of a new on-demand table. A partition accepts the units of one second at once. A hash that differs
 * from table to table chooses the partition of a key. A refused write takes no units.
 */
export const newTablePartitions = (now: () => number, count = PARTITIONS) => {
  const salt = randomUUID();
  const partitions = Array.from({ length: count }, () => ({ free: UNITS_PER_SECOND, at: now() }));
  const partitionOf = (key: string) => {
    const hash = createHash('sha256').update(`${salt}${key}`).digest();
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

const finish = (outgoing: ServerResponse, { body = '', ending }: Reply) => {
  if (ending === 'cut') return outgoing.write(body, () => outgoing.destroy());
  if (ending === 'endless') return repeatForever(outgoing, () => outgoing.write(' '));
  return outgoing.end(body);
};

const repeatForever = (outgoing: ServerResponse, write: () => void) => {
  const writing = setInterval(write, ENDLESS_PAUSE_MS);
  outgoing.once('close', () => clearInterval(writing));
};

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

import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../../local/http.ts';
import {
  type AwsCall,
  actionOf,
  awsError,
  jsonResponse,
  openProxy,
  untilClosed,
} from '../../local/services/proxy.ts';

/** After the body, the proxy cuts the connection, or sends more bytes without an end. */
export type ForcedResponse = HttpResponse & { ending?: 'cut' | 'endless' };

type NamedFault = keyof typeof errors | 'through' | 'hang' | 'disconnect' | 'loseResponse';

/** What the proxy does with a call. With `hang`, the call gets no response. With `loseResponse`, the service executes it. */
export type Fault = NamedFault | ForcedResponse;

type Decide = (operation: string, number: number, call: AwsCall) => Fault | Promise<Fault>;

/** DynamoDB's reason for a write that a partition has refused. */
export const throttlingReasons = [
  {
    reason: 'TableWriteKeyRangeThroughputExceeded',
    resource: 'arn:aws:dynamodb:eu-central-1:123456789012:table/BalanceSnapshots',
  },
];

const EXCEPTION = 'com.amazonaws.dynamodb.v20120810#';

const errors = {
  throttle: jsonResponse(400, {
    __type: `${EXCEPTION}ProvisionedThroughputExceededException`,
    message: 'Throughput exceeds the current capacity of your table or index.',
    ThrottlingReasons: throttlingReasons,
  }),
  error: awsError(500, `${EXCEPTION}InternalServerError`, 'Internal server error'),
  deny: awsError(400, `${EXCEPTION}AccessDeniedException`, 'not authorized to perform: dynamodb:PutItem'),
};

const ENDLESS_PAUSE_MS = 100;

/** Forwards calls to a service and records them. The test decides which calls get a fault. */
export const startFaultProxy = async (target: string) => {
  const calls: string[] = [];
  let waiting = 0;
  let decide: Decide = () => 'through';

  const { endpoint, close } = await openProxy(target, async (call, outgoing) => {
    const operation = actionOf(call.incoming);
    calls.push(operation);
    const fault = await decide(operation, calls.length, call);
    if (fault !== 'hang') return respond(call, fault, outgoing);
    waiting += 1;
    await untilClosed(call.incoming);
    waiting -= 1;
    return undefined;
  });
  return {
    endpoint,
    /** The operations of all calls since the last `decide`, in order. */
    calls,
    /** How many hanging calls still wait for their response. */
    waiting: () => waiting,
    decide: (decision: Decide) => {
      calls.length = 0;
      decide = decision;
    },
    stop: async () => close(),
  };
};

/** Returns the response, or undefined if the connection ends without a response. */
const respond = async (
  call: AwsCall,
  fault: Fault,
  outgoing: ServerResponse,
): Promise<HttpResponse | undefined> => {
  if (fault === 'disconnect') return undefined;
  if (fault === 'throttle' || fault === 'error' || fault === 'deny') return errors[fault];
  const response = typeof fault === 'object' ? fault : await call.forward();
  if (fault === 'loseResponse') return undefined;
  const ending = typeof fault === 'object' ? fault.ending : undefined;
  if (!ending) return response;
  outgoing.writeHead(response.status, response.headers);
  await new Promise((resolve) => outgoing.write(response.body ?? '', resolve));
  return ending === 'endless' ? repeatUntilClosed(call, () => outgoing.write(' ')) : undefined;
};

const repeatUntilClosed = async (call: AwsCall, write: () => void) => {
  const writing = setInterval(write, ENDLESS_PAUSE_MS);
  await untilClosed(call.incoming);
  clearInterval(writing);
  return undefined;
};

import { setTimeout as sleep } from 'node:timers/promises';
import { createTurns } from '../../shared/turns.ts';
import { type Fault, Faults } from '../faults.ts';
import type { HttpResponse } from '../http.ts';
import { describeCalls } from './dynamodb-call.ts';
import type { Permissions } from './permissions.ts';
import { type AwsCall, actionOf, awsError, callerOf, openProxy, untilClosed } from './proxy.ts';

/** The call that writes a part of a batch has up to 600,000 bytes of JSON. Many such calls at once would delay the engine's other calls beyond their time limit. */
const LARGE_BYTES = 100_000;

/** Forwards the functions' calls to the engine. Refuses calls that the role does not allow. Large calls take turns. */
export const openDynamoDbProxy = async (
  target: string,
  permissions: Pick<Permissions, 'refusalOf'>,
  clientsTable?: string,
) => {
  const faults = {
    clients: new Faults<Fault>(),
    dynamodb: new Faults<Fault>(),
  };
  const takeTurn = createTurns();
  const proxy = await openProxy(target, async (call) => {
    const { incoming, body } = call;
    const calls = describeCalls(actionOf(incoming), JSON.parse(String(body))).flatMap(
      ({ resources, ...access }) => resources.map((resource) => ({ ...access, resource })),
    );
    for (const access of calls) {
      const refusal = permissions.refusalOf(callerOf(incoming), access);
      if (refusal) return awsError(400, 'AccessDeniedException', refusal);
    }
    const isOfClients = calls.some(({ resource }) => resource.endsWith(`/${clientsTable}`));
    const fault = faults[isOfClients ? 'clients' : 'dynamodb'].next(
      ({ action }) => action === undefined || calls.some((access) => access.action === action),
    );
    if (fault) return faultyResponse(call, fault);
    if (body.byteLength < LARGE_BYTES) return call.forward();
    return takeTurn(async () => (incoming.socket.destroyed ? undefined : call.forward()));
  });
  return { ...proxy, faults };
};

const faultyResponse = async (call: AwsCall, { kind, delayMs }: Fault): Promise<HttpResponse | undefined> => {
  if (kind === 'throttle') return awsError(400, 'ThrottlingException', 'Rate exceeded');
  if (kind === 'error') return awsError(500, 'InternalServerError', 'Internal server error');
  if (kind === 'disconnect') return undefined;
  // `ref: false` lets the run end during the delay.
  if (kind === 'delay')
    await (delayMs === undefined ? untilClosed(call.incoming) : sleep(delayMs, undefined, { ref: false }));
  const response = await call.forward();
  return kind === 'loseResponse' ? undefined : response;
};

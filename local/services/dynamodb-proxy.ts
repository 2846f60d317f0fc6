import { setTimeout as sleep } from 'node:timers/promises';
import { type Disturbance, Disturbances } from '../disturbances.ts';
import type { Reply } from '../http.ts';
import { createTurns } from '../turns.ts';
import { describeDynamoDb } from './dynamodb-call.ts';
import type { Permissions } from './permissions.ts';
import { type Call, callerOf, errorReply, openProxy } from './proxy.ts';

/** A part of a batch has 600,000 bytes. Many at once keep the engine from all other calls for longer than a call may take. */
const LARGE_BYTES = 100_000;

/** Forwards the functions' calls to the engine. Refuses calls that the role does not allow. Large calls take turns. */
export const openDynamoDbProxy = async (
  target: string,
  permissions: Pick<Permissions, 'refusalOf'>,
  clientsTable?: string,
) => {
  const disturbances = {
    clients: new Disturbances<Disturbance>(),
    dynamodb: new Disturbances<Disturbance>(),
  };
  const takeTurn = createTurns();
  const proxy = await openProxy(target, async (call) => {
    const { resources, ...described } = describeDynamoDb(call.action, JSON.parse(call.body.toString()));
    for (const resource of resources) {
      const refusal = permissions.refusalOf(callerOf(call.authorization), { ...described, resource });
      if (refusal) return errorReply(400, 'AccessDeniedException', refusal);
    }
    const isOfClients = resources.some((resource) => resource.endsWith(`/${clientsTable}`));
    const disturbance = disturbances[isOfClients ? 'clients' : 'dynamodb'].next(
      ({ action = described.action }) => action === described.action,
    );
    if (disturbance) return disturbed(call, disturbance);
    if (call.body.byteLength < LARGE_BYTES) return call.pass();
    return takeTurn(async () => (call.hasHungUp() ? undefined : call.pass()));
  });
  return { ...proxy, disturbances };
};

const disturbed = async (call: Call, { kind, delayMs }: Disturbance): Promise<Reply | undefined> => {
  if (kind === 'throttle') return errorReply(400, 'ThrottlingException', 'Rate exceeded');
  if (kind === 'error') return errorReply(500, 'InternalServerError', 'Internal server error');
  if (kind === 'disconnect') return undefined;
  // `ref: false` lets the run end during the delay.
  if (kind === 'delay')
    await (delayMs === undefined ? call.untilHangup() : sleep(delayMs, undefined, { ref: false }));
  const reply = await call.pass();
  return kind === 'loseResponse' ? undefined : reply;
};

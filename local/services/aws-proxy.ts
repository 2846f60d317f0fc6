import { setTimeout as sleep } from 'node:timers/promises';
import { type Disturbance, Disturbances } from '../disturbances.ts';
import type { Reply } from '../http.ts';
import { ACCOUNT, REGION } from '../stack.ts';
import type { Permissions } from './permissions.ts';
import { type Call, errorReply, openProxy } from './proxy.ts';

type Describe = (operation: string, body: Record<string, unknown>) => { action: string; resources: string[] };

/**
 * Forwards the functions' calls to a service. Refuses calls that the role does not allow. The access key is the name of
 * the function that calls, and signatures are not checked.
 */
export const openAwsProxy = async (
  target: string,
  permissions: Pick<Permissions, 'refusalOf'>,
  describe: Describe,
) => {
  const disturbances = new Disturbances<Disturbance>();
  const proxy = await openProxy(target, async (call) => {
    const caller = /Credential=([^/]+)\//.exec(call.authorization)?.[1] ?? '';
    const { action, resources } = describe(call.action, JSON.parse(call.body.toString()));
    for (const resource of resources) {
      const refusal = permissions.refusalOf(caller, action, resource);
      if (refusal) return errorReply(400, 'AccessDeniedException', refusal);
    }
    const disturbance = disturbances.next((candidate) => (candidate.action ?? action) === action);
    return disturbance ? disturbed(call, disturbance) : call.pass();
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

/** Finds the tables of a call or a batch. Transactions and PartiQL name their tables elsewhere, so they are refused. */
export const describeDynamoDb = (operation: string, body: Record<string, unknown>) => {
  const names = [body['TableName'], ...Object.keys(Object(body['RequestItems']))].filter(
    (name) => typeof name === 'string',
  );
  const resources = names.map((name) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`);
  return { action: `dynamodb:${operation}`, resources: resources.length > 0 ? resources : ['*'] };
};

export const describeSecretsManager = (operation: string, body: Record<string, unknown>) => ({
  action: `secretsmanager:${operation}`,
  resources: [String(body['SecretId'] ?? '*')],
});

import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { SignInClient } from '../shared/clients/client.ts';
import { type DeployedPlans, decodePlans, slotKey } from '../shared/clients/plans.ts';
import { describeError } from '../shared/describe-error.ts';
import { requiredVariable, tableName, variables } from '../shared/environment.ts';
import { parseBasic } from './credentials/basic-credentials.ts';
import { type Clock, clientsCopy } from './credentials/clients-copy.ts';
import { type CheckResult, type CredentialCheck, credentialCheck } from './credentials/credential-check.ts';
import { monotonicMs, requestIdOf } from './http/request-fields.ts';
import { log } from './log.ts';
import { storageClient } from './storage/storage-client.ts';

type Deps = { credentials: CredentialCheck; plans: DeployedPlans; stackUuid: string };

/** Refused credentials get a Deny, which the gateway caches and turns into a 401. The gateway does not cache an error. */
export const createHandler =
  ({ credentials, plans, stackUuid }: Deps) =>
  async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const requestId = requestIdOf(event);
    const sentCredentials = parseBasic(authorizationOf(event) ?? '');
    try {
      const { verdict, client } = sentCredentials ? await credentials.check(sentCredentials) : MALFORMED;
      const fields = { requestId, ...(client ? { client: client.Client } : {}) };
      logVerdict(verdict, fields);
      if (verdict !== 'current' && verdict !== 'previous') return policy('Deny', event.methodArn, 'stranger');
      const { plan, slot, isDeployed } = findSlot(plans, client);
      if (!isDeployed) log.warn('slot-not-deployed', fields);
      return allow(event.methodArn, client, slotKey(stackUuid, plan, slot));
    } catch (error) {
      log.error('credentials-unreadable', { requestId, error: describeError(error) });
      throw new Error('The credentials could not be checked.');
    }
  };

const MALFORMED: CheckResult = { verdict: 'wrong', client: undefined };

const logVerdict = (verdict: CheckResult['verdict'], fields: { requestId: string; client?: string }) => {
  if (verdict === 'previous') log.info('previous-password-used', fields);
  if (verdict === 'wrong') log.warn('credentials-refused', fields, { WrongCredentials: 1 });
  if (verdict === 'locked') log.warn('client-locked', fields);
  if (verdict === 'removed') log.warn('client-removed', fields);
};

/** Returns undefined if the request has two different Authorization values: the gateway may use either value as its cache key. */
const authorizationOf = ({ multiValueHeaders }: APIGatewayRequestAuthorizerEvent) => {
  const allValues = Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []);
  const [value, ...otherValues] = new Set(allValues);
  return otherValues.length === 0 ? value : undefined;
};

/** A client whose own slot is not deployed gets a slot of the first plan, so that the client is still served. */
const findSlot = (plans: DeployedPlans, { Client, Plan, Slot }: SignInClient) => {
  const plan = plans.find(({ name }) => name === Plan);
  if (plan && Slot <= plan.slots) return { plan: Plan, slot: Slot, isDeployed: true };
  const [firstPlan] = plans;
  const checksum = Buffer.from(Client).reduce((total, byte) => (total * 31 + byte) % 2 ** 32, 0);
  return { plan: firstPlan.name, slot: 1 + (checksum % firstPlan.slots), isDeployed: false };
};

const allow = (
  methodArn: string,
  { Client, SilenceHours }: SignInClient,
  usageIdentifierKey: string,
): APIGatewayAuthorizerResult => ({
  ...policy('Allow', methodArn, Client),
  // The access log has both fields. A client with 0 hours of silence is unwatched: nobody waits for its batches.
  context: { client: Client, batchesAwaited: String(SilenceHours > 0) },
  usageIdentifierKey,
});

/** Applies to the whole API stage, because the gateway uses the cached policy for all operations. */
const policy = (Effect: 'Allow' | 'Deny', methodArn: string, principalId: string) => ({
  principalId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: wholeApiStage(methodArn) }],
  },
});

const wholeApiStage = (methodArn: string) => `${methodArn.split('/').slice(0, 2).join('/')}/*/*`;

const clock: Clock = { now: () => new Date(), monotonicMs };
const dynamodb = storageClient({ attemptMs: 2_000 });

export const handler = createHandler({
  credentials: credentialCheck({
    copy: clientsCopy({ dynamodb, table: tableName('Clients'), clock }),
    clock,
  }),
  plans: decodePlans(requiredVariable(variables.plans)),
  stackUuid: requiredVariable(variables.stackUuid),
});

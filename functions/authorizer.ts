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
    const authorizations = authorizationsOf(event);
    const result = await checkAll(credentials, authorizations).catch((error: unknown) => {
      log.error('credentials-unreadable', { requestId, error: describeError(error) });
      throw new Error('The credentials could not be checked.');
    });
    const fields = { requestId, ...(result.client ? { client: result.client.Client } : {}) };
    if (authorizations.length > 1) return refuseSeveral(event, result, fields, authorizations.length);
    logVerdict(result.verdict, fields);
    if (!isAccepted(result)) return policy('Deny', event.methodArn, 'stranger');
    const { plan, slot, isDeployed } = findSlot(plans, result.client);
    if (!isDeployed) log.warn('slot-not-deployed', fields);
    return allow(event.methodArn, result.client, slotKey(stackUuid, plan, slot));
  };

type Accepted = Extract<CheckResult, { verdict: 'current' | 'previous' }>;
type Fields = { requestId: string; client?: string };

const isAccepted = (result: CheckResult): result is Accepted =>
  result.verdict === 'current' || result.verdict === 'previous';

const MALFORMED: CheckResult = { verdict: 'wrong', client: undefined };

/** The result of the accepted credentials, or of the first. */
const checkAll = async (
  credentials: CredentialCheck,
  authorizations: readonly string[],
): Promise<CheckResult> => {
  const results: CheckResult[] = [];
  for (const authorization of authorizations) {
    const sentCredentials = parseBasic(authorization);
    results.push(sentCredentials ? await credentials.check(sentCredentials) : MALFORMED);
  }
  return results.find(isAccepted) ?? results[0] ?? MALFORMED;
};

/**
 * The gateway may use either value as its cache key. An Allow would let the wrong value in for a while, and a Deny would refuse
 * the other programs that send the right value. To the error with exactly this text, the gateway responds with a 401.
 */
const refuseSeveral = (
  { methodArn }: APIGatewayRequestAuthorizerEvent,
  result: CheckResult,
  fields: Fields,
  authorizationCount: number,
) => {
  log.warn('credentials-refused', { ...fields, authorizationCount }, { WrongCredentials: 1 });
  if (isAccepted(result)) throw new Error('Unauthorized');
  return policy('Deny', methodArn, 'stranger');
};

const logVerdict = (verdict: CheckResult['verdict'], fields: Fields) => {
  if (verdict === 'previous') log.info('previous-password-used', fields);
  if (verdict === 'wrong') log.warn('credentials-refused', fields, { WrongCredentials: 1 });
  if (verdict === 'locked') log.warn('client-locked', fields);
  if (verdict === 'removed') log.warn('client-removed', fields);
};

/** The different values of the header. */
const authorizationsOf = ({ multiValueHeaders }: APIGatewayRequestAuthorizerEvent) => {
  const allValues = Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []);
  return [...new Set(allValues)];
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

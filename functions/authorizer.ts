import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { decodeClients, type KnownClient } from '../shared/clients.ts';
import { describeError } from '../shared/describe-error.ts';
import { requiredVariable, variables } from '../shared/environment.ts';
import { parseBasic } from './credentials/basic-credentials.ts';
import { clientSecrets } from './credentials/client-secrets.ts';
import { type CheckResult, type CredentialCheck, credentialCheck } from './credentials/credential-check.ts';
import { requestIds } from './http/request-log.ts';
import { log } from './log.ts';

type Deps = { credentials: CredentialCheck };

/** A wrong password is a Deny and not an error: the gateway caches a Deny, and responds to it with a 401. */
export const createHandler =
  ({ credentials }: Deps) =>
  async (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const ids = requestIds(event);
    const sentCredentials = parseBasic(authorizationOf(event) ?? '');
    try {
      const { client, isValid } = sentCredentials ? await credentials.check(sentCredentials) : NO_CREDENTIALS;
      if (client && isValid) return policy('Allow', event.methodArn, client);
      log.warn(
        'credentials-refused',
        { ...ids, ...(client ? { client: client.name } : {}) },
        { WrongCredentials: 1 },
      );
      return policy('Deny', event.methodArn);
    } catch (error) {
      log.error('credentials-unreadable', { ...ids, error: describeError(error) });
      throw new Error('The credentials could not be checked.');
    }
  };

const NO_CREDENTIALS: CheckResult = { client: undefined, isValid: false };

/** Returns undefined if the request has two different Authorization values: the gateway may use either as its cache key. */
const authorizationOf = ({ multiValueHeaders }: APIGatewayRequestAuthorizerEvent) => {
  const allValues = Object.entries(multiValueHeaders ?? {})
    .filter(([name]) => name.toLowerCase() === 'authorization')
    .flatMap(([, values]) => values ?? []);
  const [value, ...others] = new Set(allValues);
  return others.length === 0 ? value : undefined;
};

/** Applies to the whole stage, because the gateway uses the cached policy for all operations. */
const policy = (
  effect: 'Allow' | 'Deny',
  methodArn: string,
  client?: KnownClient,
): APIGatewayAuthorizerResult => ({
  principalId: client?.name ?? 'stranger',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: wholeStage(methodArn) }],
  },
  // `usageIdentifierKey` must equal the API key that infra/api/client-limits.ts makes.
  ...(client
    ? { context: { client: client.name }, usageIdentifierKey: client.secret.replaceAll('-', '') }
    : {}),
});

const wholeStage = (methodArn: string) => `${methodArn.split('/').slice(0, 2).join('/')}/*/*`;

const now = () => new Date();
const overlapHours = Number(requiredVariable(variables.credentialOverlapHours));

export const handler = createHandler({
  credentials: credentialCheck({
    clients: decodeClients(requiredVariable(variables.clients)),
    secrets: clientSecrets({
      prefix: requiredVariable(variables.secretPrefix),
      readsPrevious: overlapHours > 0,
      now,
    }),
    overlapHours,
    now,
  }),
});

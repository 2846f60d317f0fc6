import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';

/*
 * About the least that an authorizer can be: it reads the secret of whoever it is told, each time, and compares. It
 * keeps no copy, knows no password before the current one, counts nothing, and tells by its time who is known.
 */

const client = new SecretsManagerClient();
const prefix = process.env['SECRET_PREFIX'];

const policy = (effect: 'Allow' | 'Deny', Resource: string, user: string): APIGatewayAuthorizerResult => ({
  principalId: user,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource }],
  },
  context: { client: user },
});

const passwordOf = async (user: string): Promise<unknown> => {
  try {
    const { SecretString } = await client.send(
      new GetSecretValueCommand({ SecretId: `${prefix}by-user/${user}` }),
    );
    return JSON.parse(SecretString ?? '{}').password;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

export const handler = async ({ headers, methodArn }: APIGatewayRequestAuthorizerEvent) => {
  const [, encoded = ''] = (headers?.['Authorization'] ?? '').split(' ');
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const isRight = (await passwordOf(user)) === rest.join(':');
  return policy(isRight ? 'Allow' : 'Deny', methodArn, user);
};

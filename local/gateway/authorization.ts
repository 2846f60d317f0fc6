import * as v from 'valibot';
import type { Lambda } from '../lambda/lambda.ts';
import { effectOf, findMatchingStatements, policySchema, type Statement } from '../policy.ts';
import { ACCOUNT, REGION } from '../stack.ts';
import { GatewayError } from './answer.ts';
import { type Api, mayInvoke } from './api.ts';
import { type AuthorizerContext, authorizerEvent, type GatewayRequest, headerOf } from './request.ts';

type Policy = { statements: Statement[]; context: AuthorizerContext; apiKey: string | undefined };

/** What a policy allows or denies. */
export const invocationOf = (api: Api, { httpMethod, path }: GatewayRequest) => ({
  action: 'execute-api:Invoke',
  resource: `arn:aws:execute-api:${REGION}:${ACCOUNT}:${api.id}/${api.stage}/${httpMethod}${path}`,
});

export class Authorization {
  private readonly api: Api;
  private readonly lambda: Lambda;
  private readonly cache = new Map<string, { policy: Policy; until: number }>();

  constructor(api: Api, lambda: Lambda) {
    this.api = api;
    this.lambda = lambda;
  }

  /** Returns the authorizer's context and API key. Throws if the request is not allowed. */
  async authorize(request: GatewayRequest) {
    const identity = headerOf(request, this.api.authorizer.identityHeader);
    if (!identity) throw new GatewayError('UNAUTHORIZED', 401, 'Unauthorized');
    const invocation = invocationOf(this.api, request);
    const { statements, context, apiKey } = await this.policyFor(identity, request, invocation.resource);
    if (effectOf(findMatchingStatements(statements, invocation)) !== 'Allow')
      throw new GatewayError('ACCESS_DENIED', 403, 'User is not authorized to access this resource');
    return { context, apiKey };
  }

  private async policyFor(identity: string, request: GatewayRequest, methodArn: string) {
    const { cacheSeconds } = this.api.authorizer;
    const now = performance.now();
    const cached = this.cache.get(identity);
    if (cached && cached.until > now) return cached.policy;
    this.deleteExpired(now);
    const policy = await this.callAuthorizer(request, methodArn);
    if (cacheSeconds > 0)
      this.cache.set(identity, { policy, until: performance.now() + cacheSeconds * 1_000 });
    return policy;
  }

  private deleteExpired(now: number) {
    for (const [identity, { until }] of this.cache) if (until <= now) this.cache.delete(identity);
  }

  private async callAuthorizer(request: GatewayRequest, methodArn: string): Promise<Policy> {
    const { id, functionArn } = this.api.authorizer;
    if (!mayInvoke(this.api, functionArn, `authorizers/${id}`)) throw misconfigured();
    const started = performance.now();
    const event = JSON.stringify(authorizerEvent(this.api, request, methodArn));
    const outcome = await this.lambda.invoke(functionArn, event);
    if ('error' in outcome) {
      if (outcome.error.errorMessage === 'Unauthorized')
        throw new GatewayError('UNAUTHORIZED', 401, 'Unauthorized');
      throw new GatewayError('AUTHORIZER_FAILURE', 500, 'Internal server error');
    }
    return readPolicy(JSON.parse(outcome.answer), Math.round(performance.now() - started));
  }
}

const misconfigured = () => new GatewayError('AUTHORIZER_CONFIGURATION_ERROR', 500, 'Internal server error');

/** The authorizer must return a policy and a principal. Its context may contain only scalars. */
const readPolicy = (answer: unknown, integrationLatency: number): Policy => {
  const { principalId, policyDocument, context, usageIdentifierKey } = Object(answer);
  const policy = v.safeParse(policySchema, policyDocument);
  if (typeof principalId !== 'string' || !policy.success) throw misconfigured();
  return {
    statements: policy.output.Statement,
    context: { ...scalars(context ?? {}), principalId, integrationLatency },
    apiKey: typeof usageIdentifierKey === 'string' ? usageIdentifierKey : undefined,
  };
};

/** Numbers and booleans in an authorizer's context reach functions as strings, and null as null. */
const scalars = (context: unknown) => {
  if (typeof context !== 'object' || context === null || Array.isArray(context)) throw misconfigured();
  return Object.fromEntries(
    Object.entries(context).map(([name, value]: [string, unknown]) => {
      if (value === null) return [name, null];
      if (!['string', 'number', 'boolean'].includes(typeof value)) throw misconfigured();
      return [name, String(value)];
    }),
  );
};

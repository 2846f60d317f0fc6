import * as v from 'valibot';
import type { Lambda } from '../lambda/lambda.ts';
import { effectOf, findMatchingStatements, policySchema } from '../policy.ts';
import type { Api } from './api.ts';
import { GatewayError } from './errors.ts';
import { type Clock, within } from './limits.ts';
import { authorizerEvent, callOf, type GatewayRequest, headerOf } from './request.ts';

/** Numbers and booleans of the context reach functions as strings. Null stays null (DefinitelyTyped#69823). */
const responseSchema = v.object({
  principalId: v.pipe(v.string(), v.nonEmpty()),
  policyDocument: policySchema,
  context: v.optional(
    v.record(
      v.string(),
      v.nullable(v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String))),
    ),
    {},
  ),
  usageIdentifierKey: v.optional(v.string()),
});
type AuthorizerResponse = v.InferOutput<typeof responseSchema>;

type CachedResponse = { response: AuthorizerResponse; until: number };

/** Responses in the cache. With more, guesses with long headers would fill the memory. */
const MAX_CACHED = 1_000;

/** The authorizer's event may wait for a process. What remains of the 29 s of a request is for the function of the operation. */
const AUTHORIZE_FOR_MS = 10_000;

/**
 * Returns a function that authorizes a request: it returns the context and the API key, or throws a GatewayError. In
 * `cache`, the oldest response comes first.
 */
export const createAuthorizer = (
  api: Api,
  lambda: Pick<Lambda, 'invoke'>,
  clock: Clock,
  cache = new Map<string, CachedResponse>(),
) => {
  const remember = (authorization: string, cached: CachedResponse) => {
    cache.delete(authorization);
    cache.set(authorization, cached);
    for (const [oldest, { until }] of cache) {
      if (until > clock.monotonicMs() && cache.size <= MAX_CACHED) return;
      cache.delete(oldest);
    }
  };

  const responseFor = async (authorization: string, request: GatewayRequest) => {
    const cached = cache.get(authorization);
    if (cached && cached.until > clock.monotonicMs()) return cached.response;
    const response = await callAuthorizer(request);
    const cacheMs = api.authorizer.AuthorizerResultTtlInSeconds * 1_000;
    if (cacheMs > 0) remember(authorization, { response, until: clock.monotonicMs() + cacheMs });
    return response;
  };

  const callAuthorizer = async (request: GatewayRequest) => {
    const { ref, AuthorizerUri: functionArn } = api.authorizer;
    if (!api.mayInvoke(functionArn, `authorizers/${ref}`))
      throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
    const event = JSON.stringify(authorizerEvent(api, request));
    const outcome = await within(AUTHORIZE_FOR_MS, lambda.invoke(functionArn, event), clock);
    if (!outcome) throw new GatewayError('AUTHORIZER_FAILURE');
    if ('error' in outcome) {
      const isRefusal = outcome.error.errorMessage === 'Unauthorized';
      throw new GatewayError(isRefusal ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE');
    }
    const { success, output } = v.safeParse(responseSchema, JSON.parse(outcome.response));
    if (!success) throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
    return output;
  };

  return async (request: GatewayRequest) => {
    const authorization = headerOf(request, 'authorization');
    if (!authorization) throw new GatewayError('UNAUTHORIZED');
    const response = await responseFor(authorization, request);
    const matching = findMatchingStatements(response.policyDocument.Statement, callOf(api, request));
    if (effectOf(matching) !== 'Allow') throw new GatewayError('ACCESS_DENIED');
    const { context, principalId, usageIdentifierKey } = response;
    return { context: { ...context, principalId }, apiKey: usageIdentifierKey };
  };
};

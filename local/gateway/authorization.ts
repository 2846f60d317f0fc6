import * as v from 'valibot';
import type { Lambda } from '../lambda/lambda.ts';
import { effectOf, findMatchingStatements, policySchema } from '../policy.ts';
import { type Api, mayInvoke } from './api.ts';
import { GatewayError } from './errors.ts';
import type { Clock } from './limits.ts';
import { authorizerEvent, callOf, type GatewayRequest, headerOf } from './request.ts';

/** Numbers and booleans of the context reach functions as strings, and null as null (DefinitelyTyped#69823). */
const answerSchema = v.object({
  principalId: v.string(),
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
type AuthorizerAnswer = v.InferOutput<typeof answerSchema>;

export class Authorization {
  private readonly api: Api;
  private readonly lambda: Pick<Lambda, 'invoke'>;
  private readonly clock: Clock;
  private readonly cache = new Map<string, { answer: AuthorizerAnswer; until: number }>();

  constructor(api: Api, lambda: Pick<Lambda, 'invoke'>, clock: Clock) {
    this.api = api;
    this.lambda = lambda;
    this.clock = clock;
  }

  /** Returns the authorizer's context and API key. Throws if the request is not allowed. */
  async authorize(request: GatewayRequest) {
    const authorization = headerOf(request, 'authorization');
    if (!authorization) throw new GatewayError('UNAUTHORIZED');
    const answer = await this.answerFor(authorization, request);
    const matching = findMatchingStatements(answer.policyDocument.Statement, callOf(this.api, request));
    if (effectOf(matching) !== 'Allow') throw new GatewayError('ACCESS_DENIED');
    const { context, principalId, usageIdentifierKey } = answer;
    return { context: { ...context, principalId }, apiKey: usageIdentifierKey };
  }

  private async answerFor(authorization: string, request: GatewayRequest) {
    const cached = this.cache.get(authorization);
    if (cached && cached.until > this.clock.elapsedMs()) return cached.answer;
    const answer = await this.callAuthorizer(request);
    const cacheMs = this.api.authorizer.AuthorizerResultTtlInSeconds * 1_000;
    if (cacheMs > 0) this.cache.set(authorization, { answer, until: this.clock.elapsedMs() + cacheMs });
    return answer;
  }

  private async callAuthorizer(request: GatewayRequest) {
    const { id, AuthorizerUri: functionArn } = this.api.authorizer;
    if (!mayInvoke(this.api, functionArn, `authorizers/${id}`))
      throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
    const event = JSON.stringify(authorizerEvent(this.api, request));
    const outcome = await this.lambda.invoke(functionArn, event);
    if ('error' in outcome) throw new GatewayError('AUTHORIZER_FAILURE');
    const { success, output } = v.safeParse(answerSchema, JSON.parse(outcome.answer));
    if (!success) throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
    return output;
  }
}

import * as v from 'valibot';

/*
 * The properties of the template that the local gateway reads. Where a schema has a literal, the gateway supports only
 * this value. With another value, the local run does not start, and says why.
 */

/** arn:…:lambda:path/2015-03-31/functions/FUNCTION/invocations */
const functionUri = v.pipe(
  v.string(),
  v.transform((uri) => /functions\/(.+)\/invocations$/.exec(uri)?.[1]),
  v.string('is not the URI of a function.'),
);

const jsonTemplate = v.strictObject({ 'application/json': v.string() });

/** Header values by their names. In the template, a name has a prefix, and a value has single quotes. */
const responseHeaders = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((parameters) =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [
        name.replace(/^.+?\.header\./, ''),
        value.replace(/^'(.*)'$/s, '$1'),
      ]),
    ),
  ),
);

const status = v.pipe(v.string(), v.transform(Number));

/** The rate is per second. */
const limit = v.object({ RateLimit: v.number(), BurstLimit: v.number() });
export type Limit = v.InferOutput<typeof limit>;

export const restApi = v.object({
  ApiKeySourceType: v.literal('AUTHORIZER'),
  MinimumCompressionSize: v.literal(0),
});

export const resource = v.object({ ParentId: v.string(), PathPart: v.string() });

export const stage = v.object({
  StageName: v.string(),
  MethodSettings: v.strictTuple([
    v.object({ ThrottlingRateLimit: v.number(), ThrottlingBurstLimit: v.number() }),
  ]),
});

export const authorizer = v.object({
  Type: v.literal('REQUEST'),
  AuthorizerUri: functionUri,
  AuthorizerResultTtlInSeconds: v.number(),
  IdentitySource: v.literal('method.request.header.Authorization'),
});

export const gatewayResponse = v.object({
  ResponseType: v.string(),
  StatusCode: v.optional(status),
  ResponseParameters: responseHeaders,
  ResponseTemplates: jsonTemplate,
});

const functionIntegration = v.object({
  Type: v.literal('AWS_PROXY'),
  IntegrationHttpMethod: v.literal('POST'),
  Uri: functionUri,
  TimeoutInMillis: v.optional(v.number(), 29_000),
});

const mockIntegration = v.object({
  Type: v.literal('MOCK'),
  PassthroughBehavior: v.literal('NEVER'),
  IntegrationResponses: v.strictTuple([
    v.object({
      StatusCode: status,
      ResponseParameters: responseHeaders,
      ResponseTemplates: jsonTemplate,
    }),
  ]),
});
export type MockIntegration = v.InferOutput<typeof mockIntegration>;

const REQUIRED_HEADER = /^method\.request\.header\./;

export const method = v.object({
  HttpMethod: v.string(),
  ResourceId: v.string(),
  AuthorizationType: v.literal('CUSTOM'),
  ApiKeyRequired: v.literal(true),
  RequestParameters: v.pipe(
    v.optional(v.record(v.pipe(v.string(), v.regex(REQUIRED_HEADER)), v.literal(true)), {}),
    v.transform((parameters) => Object.keys(parameters).map((name) => name.replace(REQUIRED_HEADER, ''))),
  ),
  Integration: v.variant('Type', [functionIntegration, mockIntegration]),
});

export const usagePlan = v.object({
  ApiStages: v.strictTuple([v.object({ Throttle: v.optional(v.record(v.string(), limit), {}) })]),
  Throttle: v.optional(limit),
  Quota: v.optional(v.object({ Limit: v.number(), Period: v.literal('DAY') })),
});
export const usagePlanKey = v.object({ KeyId: v.string(), UsagePlanId: v.string() });
export const apiKey = v.object({ Enabled: v.literal(true), Value: v.string() });

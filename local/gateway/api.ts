import { matches, readStatements, type Statement } from '../policy.ts';
import { ACCOUNT, type LocalStack, REGION, type Resource } from '../stack.ts';
import { StartupError } from '../startup-error.ts';
import type { Limit } from './throttle.ts';
import { readUsagePlans, type UsagePlan } from './usage-plans.ts';

export type GatewayResponse = { statusCode?: number; headers: Record<string, string>; template: string };

export type RequiredParameter = { location: string; name: string };

export type Method = {
  httpMethod: string;
  resourcePath: string;
  resourceId: string;
  operationName: string;
  isAuthorized: boolean;
  /** The authorizer returns the key. */
  needsApiKey: boolean;
  requiredParameters: RequiredParameter[];
  integration: ProxyIntegration | MockIntegration;
};

export type ProxyIntegration = {
  type: 'AWS_PROXY';
  functionArn: string;
  timeoutMs: number;
  /** Lambda accepts no other method. */
  isPost: boolean;
};
export type MockIntegration = {
  type: 'MOCK';
  requestTemplates: Record<string, string>;
  responses: { statusCode: string; headers: Record<string, string>; template: string }[];
};

export type Authorizer = { id: string; functionArn: string; identityHeader: string; cacheSeconds: number };

export type Api = {
  id: string;
  stage: string;
  deploymentId: string;
  methods: Method[];
  authorizer: Authorizer;
  responses: Map<string, GatewayResponse>;
  compressFrom: number | undefined;
  throttle: Limit | undefined;
  usagePlans: ReadonlyMap<string, UsagePlan>;
  /** Empty without a resource policy. */
  policy: Statement[];
  /** Each grant lets one method or authorizer call one function. */
  invocationGrants: { functionArn: string; sourceArn: string }[];
};

const DEFAULT_INTEGRATION_TIMEOUT_MS = 29_000;

export const readApi = (stack: LocalStack): Api => {
  const [restApi] = stack.ofType('AWS::ApiGateway::RestApi');
  const [stage] = stack.ofType('AWS::ApiGateway::Stage');
  const [authorizer] = stack.ofType('AWS::ApiGateway::Authorizer');
  if (!restApi || !stage || !authorizer)
    throw new StartupError('The template has no REST API with a stage and an authorizer.');
  const methods = readMethods(stack);
  if (
    methods.some(({ needsApiKey }) => needsApiKey) &&
    restApi.properties['ApiKeySourceType'] !== 'AUTHORIZER'
  ) {
    throw new StartupError(
      'The template reads API keys from a header, which the local run does not support.',
    );
  }
  const id = stack.ref(restApi.id);
  const stageName = String(stage.properties['StageName']);
  const compressFrom = restApi.properties['MinimumCompressionSize'];
  return {
    id,
    stage: stageName,
    deploymentId: String(stage.properties['DeploymentId']),
    methods,
    authorizer: readAuthorizer(stack, authorizer),
    responses: new Map(stack.ofType('AWS::ApiGateway::GatewayResponse').map(readResponse)),
    compressFrom: compressFrom === undefined ? undefined : Number(compressFrom),
    throttle: readThrottle(stage),
    usagePlans: readUsagePlans(stack, id, stageName),
    policy: readResourcePolicy(restApi.properties['Policy'], id),
    invocationGrants: stack.ofType('AWS::Lambda::Permission').map(({ properties }) => ({
      functionArn: String(properties['FunctionName']),
      sourceArn: String(properties['SourceArn']),
    })),
  };
};

export const mayInvoke = (api: Api, functionArn: string, source: string) =>
  api.invocationGrants.some(
    (grant) =>
      grant.functionArn === functionArn &&
      matches(grant.sourceArn, `arn:aws:execute-api:${REGION}:${ACCOUNT}:${api.id}/${source}`),
  );

/** A resource policy may leave out the start of an ARN, which is the API's own. */
const readResourcePolicy = (policy: unknown, apiId: string) =>
  policy === undefined
    ? []
    : readStatements(policy).map((statement) => ({
        ...statement,
        Resource: statement.Resource.map((resource) =>
          resource.replace(/^execute-api:/, `arn:aws:execute-api:${REGION}:${ACCOUNT}:${apiId}`),
        ),
      }));

const readAuthorizer = (stack: LocalStack, { id, properties }: Resource): Authorizer => ({
  id: stack.ref(id),
  functionArn: functionArnIn(properties['AuthorizerUri']),
  identityHeader: String(properties['IdentitySource']).split('.').at(-1) ?? '',
  cacheSeconds: Number(properties['AuthorizerResultTtlInSeconds'] ?? 300),
});

/** arn:…:lambda:path/2015-03-31/functions/FUNCTION/invocations */
const functionArnIn = (uri: unknown) => /functions\/(.+)\/invocations$/.exec(String(uri))?.[1] ?? '';

const readThrottle = ({ properties }: Resource) => {
  const settings: unknown = properties['MethodSettings'];
  const [all] = Array.isArray(settings) ? settings : [];
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = Object(all);
  return rate === undefined ? undefined : { rate: Number(rate), burst: Number(burst) };
};

const GATEWAY_HEADER = /^gatewayresponse\.header\./;
const METHOD_HEADER = /^method\.response\.header\./;

const readResponse = ({ properties }: Resource): [string, GatewayResponse] => {
  const { StatusCode } = Object(properties);
  return [
    String(properties['ResponseType']),
    {
      ...(StatusCode ? { statusCode: Number(StatusCode) } : {}),
      headers: fixedHeaders(properties['ResponseParameters'], GATEWAY_HEADER),
      template: jsonTemplate(properties['ResponseTemplates']),
    },
  ];
};

const fixedHeaders = (parameters: unknown, prefix: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(parameters)).map(([name, value]) => [
      name.replace(prefix, ''),
      String(value).replace(/^'(.*)'$/s, '$1'),
    ]),
  );

const jsonTemplate = (templates: unknown) => String(Object(templates)['application/json'] ?? '');

const readMethods = (stack: LocalStack): Method[] => {
  const pathOf = pathsOf(stack);
  return stack.ofType('AWS::ApiGateway::Method').map(({ properties }) => {
    const resourceId = String(properties['ResourceId']);
    return {
      httpMethod: String(properties['HttpMethod']),
      resourceId,
      resourcePath: pathOf(resourceId),
      operationName: String(properties['OperationName'] ?? ''),
      isAuthorized: properties['AuthorizationType'] === 'CUSTOM',
      needsApiKey: properties['ApiKeyRequired'] === true,
      requiredParameters: requiredParameters(stack, properties),
      integration: readIntegration(Object(properties['Integration'])),
    };
  });
};

const pathsOf = (stack: LocalStack) => {
  const resources = new Map(
    stack.ofType('AWS::ApiGateway::Resource').map((resource) => [stack.ref(resource.id), resource]),
  );
  const pathOf = (id: string): string => {
    const resource = resources.get(id);
    if (!resource) return '';
    return `${pathOf(String(resource.properties['ParentId']))}/${String(resource.properties['PathPart'])}`;
  };
  return (id: string) => pathOf(id) || '/';
};

const PARAMETER = /^method\.request\.(header|path|querystring)\.(.+)$/;

/** Empty without a parameter validator. Sorted, because the platform lists missing parameters in this order. */
const requiredParameters = (stack: LocalStack, properties: Record<string, unknown>): RequiredParameter[] => {
  const validators = stack.ofType('AWS::ApiGateway::RequestValidator');
  const validator = validators.find(({ id }) => stack.ref(id) === properties['RequestValidatorId']);
  if (validator?.properties['ValidateRequestParameters'] !== true) return [];
  const required = Object.entries(Object(properties['RequestParameters'])).filter(
    ([, value]) => value === true,
  );
  return required
    .map(([key]) => key)
    .toSorted()
    .map((key) => {
      const [, location = '', name = ''] = PARAMETER.exec(key) ?? [];
      return { location, name };
    });
};

const readIntegration = (properties: Record<string, unknown>): ProxyIntegration | MockIntegration => {
  const {
    Type,
    Uri,
    IntegrationHttpMethod,
    TimeoutInMillis,
    RequestTemplates,
    IntegrationResponses = [],
    PassthroughBehavior,
  } = properties;
  if (Type === 'AWS_PROXY') {
    const timeoutMs = Number(TimeoutInMillis ?? DEFAULT_INTEGRATION_TIMEOUT_MS);
    const isPost = IntegrationHttpMethod === 'POST';
    return { type: 'AWS_PROXY', functionArn: functionArnIn(Uri), timeoutMs, isPost };
  }
  if (Type !== 'MOCK' || PassthroughBehavior !== 'NEVER' || !Array.isArray(IntegrationResponses)) {
    throw new StartupError(
      `The template has an integration of a type that the local run does not support: ${String(Type)}.`,
    );
  }
  return {
    type: 'MOCK',
    requestTemplates: Object(RequestTemplates),
    responses: IntegrationResponses.map(({ StatusCode, ResponseParameters, ResponseTemplates }) => ({
      statusCode: String(StatusCode),
      headers: fixedHeaders(ResponseParameters, METHOD_HEADER),
      template: jsonTemplate(ResponseTemplates),
    })),
  };
};

import { Aws, Duration, type RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  AuthorizationType,
  EndpointType,
  IdentitySource,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RequestAuthorizer,
  RestApi,
  type RestApiProps,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type OperationName, operations } from '../shared/operations.ts';
import { addCatchAll } from './catch-all.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { Settings } from './settings.ts';

type WarehouseApiProps = {
  operations: Record<OperationName, IFunction>;
  authorizer: IFunction;
  settings: Settings;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
};

const STAGE = 'live';

/** How long the gateway keeps what the authorizer said, of right and of wrong credentials. */
const AUTHORIZER_CACHE = Duration.seconds(30);

/** An answer below this size is not worth unpacking for a client. */
const COMPRESSION_FROM = Size.kibibytes(4);

/** The gateway: the four operations, and one answer to everything else. */
export class WarehouseApi extends Construct {
  readonly api: RestApi;
  readonly baseUrl: string;
  readonly domainTarget: string | undefined;

  constructor(scope: Construct, id: string, props: WarehouseApiProps) {
    super(scope, id);
    const { settings, logRetention: retention, logRemoval: removalPolicy } = props;
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      identitySources: [IdentitySource.header('Authorization')],
      resultsCacheTtl: AUTHORIZER_CACHE,
    });
    const accessLog = new LogGroup(this, 'AccessLog', { retention, removalPolicy });
    this.api = new RestApi(this, 'RestApi', {
      restApiName: settings.stackName,
      description: 'Warehouse Control Interface',
      endpointTypes: [EndpointType.REGIONAL],
      minCompressionSize: COMPRESSION_FROM,
      // Account-wide: without it the first deployment into a fresh account fails for want of a role to log with.
      cloudWatchRole: true,
      defaultMethodOptions: { authorizer, authorizationType: AuthorizationType.CUSTOM },
      deployOptions: {
        stageName: STAGE,
        throttlingRateLimit: settings.throttle.ratePerSecond,
        throttlingBurstLimit: settings.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        tracingEnabled: true,
      },
      ...resourcePolicy(settings.allowedCidrs),
      ...ownDomain(this, settings.domain),
    });
    // The gateway would make this log by itself and keep it for ever.
    const executionLog = new LogGroup(this, 'ExecutionLog', {
      logGroupName: `API-Gateway-Execution-Logs_${this.api.restApiId}/${STAGE}`,
      retention,
      removalPolicy,
    });
    this.api.deploymentStage.node.addDependency(executionLog);
    // The gateway applies a change of the authorizer to new deployments only, and the construct overlooks it.
    this.api.latestDeployment?.addToLogicalId({ authorizerCacheSeconds: AUTHORIZER_CACHE.toSeconds() });

    // An output of the construct's own, under a name that changes with it; the base URL is told by the stack.
    this.api.node.tryRemoveChild('Endpoint');
    addGatewayResponses(this.api);
    addOperations(this.api, props.operations);
    addCatchAll(this.api);
    acknowledgeFindings(this.api);
    this.domainTarget = this.api.domainName?.domainNameAliasDomainName;
    this.baseUrl = settings.domain
      ? `https://${settings.domain.name}`
      : `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${STAGE}`;
  }
}

const addOperations = (api: RestApi, functions: Record<OperationName, IFunction>) => {
  const add = (name: OperationName) => {
    const { method, path } = operations[name];
    const integration = new LambdaIntegration(functions[name], { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod(method, integration, { operationName: name });
  };
  add('post-change');
  add('get-material-codes');
  add('get-purchase-orders');
  add('post-material-stock-balance');
};

/** Who asked for what and how it went. No header, no query and no body, and no path beyond those that exist. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    requestTime: AccessLogField.contextRequestTime(),
    client: AccessLogField.contextAuthorizer('client'),
    operation: `${AccessLogField.contextHttpMethod()} ${AccessLogField.contextResourcePath()}`,
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    errorType: AccessLogField.contextErrorResponseType(),
    traceId: AccessLogField.contextXrayTraceId(),
  }),
);

const acknowledgeFindings = (api: RestApi) =>
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'The functions check every body against its schema and name all of its faults with their places. A validator of the gateway would name none, and would stand in front of them.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'The managed rules of the firewall block bodies over 8 to 16 KB, and a common batch has 21. Throttling, the authorizer and allowedCidrs guard the stage.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason:
        'Every method is behind the Lambda authorizer. The clients are programs that know HTTP Basic and cannot be taught to fetch a token from a user pool.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'This is the account-wide role with which API Gateway writes its logs. The policy is the one that the service documents for it, and no code of ours runs under it.',
    },
  );

const ANY_METHOD = 'execute-api:/*';

const resourcePolicy = (allowedCidrs: readonly string[]): Pick<RestApiProps, 'policy'> => {
  if (allowedCidrs.length === 0) return {};
  const statement = {
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: [ANY_METHOD],
  };
  return {
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement(statement),
        new PolicyStatement({
          ...statement,
          effect: Effect.DENY,
          conditions: { NotIpAddress: { 'aws:SourceIp': allowedCidrs } },
        }),
      ],
    }),
  };
};

const ownDomain = (scope: Construct, domain: Settings['domain']): Pick<RestApiProps, 'domainName'> =>
  domain
    ? {
        domainName: {
          domainName: domain.name,
          certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
          endpointType: EndpointType.REGIONAL,
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      }
    : {};

import { Aws, Duration, type RemovalPolicy, Size } from 'aws-cdk-lib';
import {
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
import { type OperationName, operationNames, operations } from '../../shared/operations.ts';
import type { Settings } from '../settings/settings.ts';
import { accessLogFormat } from './access-log.ts';
import { acknowledgeFindings } from './acknowledged-findings.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addNotFoundRoutes } from './not-found-routes.ts';

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
  readonly accessLog: LogGroup;

  constructor(scope: Construct, id: string, props: WarehouseApiProps) {
    super(scope, id);
    const { settings, logRetention: retention, logRemoval: removalPolicy } = props;
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      identitySources: [IdentitySource.header('Authorization')],
      resultsCacheTtl: AUTHORIZER_CACHE,
    });
    this.accessLog = new LogGroup(this, 'AccessLog', { retention, removalPolicy });
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
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
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
    addNotFoundRoutes(this.api);
    acknowledgeFindings(this.api);
    this.domainTarget = this.api.domainName?.domainNameAliasDomainName;
    this.baseUrl = settings.domain
      ? `https://${settings.domain.name}`
      : `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${STAGE}`;
  }

  /** What CloudWatch measures of the stage. */
  stageMetric(metricName: string, statistic: string, period: Duration, label: string = metricName) {
    return this.api.deploymentStage.metric(metricName, { statistic, period, label });
  }
}

const addOperations = (api: RestApi, functions: Record<OperationName, IFunction>) => {
  for (const name of operationNames) {
    const { method, path } = operations[name];
    const integration = new LambdaIntegration(functions[name], { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod(method, integration, { operationName: name });
  }
};

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

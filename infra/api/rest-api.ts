import { Aws, type CfnResource, Duration, type RemovalPolicy, Size, Validations } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  CfnDomainName,
  CfnRestApi,
  EndpointType,
  IdentitySource,
  IpAddressType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RequestAuthorizer,
  RestApi,
  type RestApiProps,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type OperationName, operationNames, operations } from '../../shared/operations.ts';
import type { Settings } from '../settings/settings.ts';
import { accessLogFormat } from './access-log.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { addNotFoundRoutes } from './not-found-routes.ts';
import { addPlans } from './plans.ts';

type WarehouseApiProps = {
  operations: Record<OperationName, IFunction>;
  authorizer: IFunction;
  settings: Settings;
  logRetention: RetentionDays;
  logRemoval: RemovalPolicy;
};

const API_STAGE = 'live';

/** Of all policies without TLS 1.0 and 1.1, this policy has the most ciphers. Old clients need these ciphers. */
const SECURITY_POLICY = 'SecurityPolicy_TLS13_1_2_2021_06';

export class WarehouseApi extends Construct {
  readonly restApi: RestApi;
  readonly baseUrl: string;
  readonly accessLog: LogGroup;
  readonly lastSlot: CfnResource | undefined;

  constructor(scope: Construct, id: string, props: WarehouseApiProps) {
    super(scope, id);
    const { settings, logRetention: retention, logRemoval: removalPolicy } = props;
    const authorizer = new RequestAuthorizer(this, 'Authorizer', {
      handler: props.authorizer,
      identitySources: [IdentitySource.header('Authorization')],
      resultsCacheTtl: Duration.seconds(30),
    });
    this.accessLog = new LogGroup(this, 'AccessLog', { retention, removalPolicy });
    this.restApi = new RestApi(this, 'RestApi', {
      restApiName: settings.stackName,
      description: 'Warehouse Control Interface',
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway does not unpack compressed bodies below this size.
      minCompressionSize: Size.bytes(0),
      // Sets the account's role with which API Gateway writes logs. In an account without this role, the deployment would fail.
      cloudWatchRole: true,
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      defaultMethodOptions: {
        authorizer,
        authorizationType: AuthorizationType.CUSTOM,
        apiKeyRequired: true,
      },
      deployOptions: {
        stageName: API_STAGE,
        throttlingRateLimit: settings.throttle.ratePerSecond,
        throttlingBurstLimit: settings.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(this.accessLog),
        accessLogFormat,
        // Strangers could fill the execution log. The access log has the errors, too.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        tracingEnabled: settings.tracing,
      },
      ...resourcePolicy(settings.allowedCidrs),
      ...customDomain(this, settings.domain),
    });

    // The stack has the output BaseUrl instead.
    this.restApi.node.tryRemoveChild('Endpoint');
    setConnections(this.restApi, settings);
    addGatewayResponses(this.restApi, settings.plans);
    addOperations(this.restApi, props.operations);
    addNotFoundRoutes(this.restApi);
    this.lastSlot = addPlans(this, this.restApi, settings.plans);
    acknowledgeFindings(this.restApi);
    this.baseUrl = settings.domain
      ? `https://${settings.domain.name}`
      : `https://${this.restApi.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${API_STAGE}`;
  }

  serverErrors(period: Duration) {
    return this.restApi.deploymentStage.metricServerError({ period, label: '5XXError' });
  }
}

/** Sets properties of CloudFormation that the CDK's constructs lack. */
const setConnections = ({ node, domainName }: RestApi, { ipv6 }: Settings) => {
  for (const resource of [node.defaultChild, domainName?.node.defaultChild]) {
    if (!(resource instanceof CfnRestApi || resource instanceof CfnDomainName)) continue;
    resource.securityPolicy = SECURITY_POLICY;
    // STRICT would refuse clients behind a proxy whose Host header differs from the TLS server name.
    resource.endpointAccessMode = 'BASIC';
    resource.endpointConfiguration = {
      types: [EndpointType.REGIONAL],
      ipAddressType: ipv6 ? IpAddressType.DUAL_STACK : IpAddressType.IPV4,
    };
  }
};

const addOperations = (api: RestApi, functions: Record<OperationName, IFunction>) => {
  for (const name of operationNames) {
    const { method, path } = operations[name];
    const integration = new LambdaIntegration(functions[name], { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod(method, integration, { operationName: name });
  }
};

const resourcePolicy = (allowedCidrs: readonly string[]): Pick<RestApiProps, 'policy'> => {
  if (allowedCidrs.length === 0) return {};
  const statement = {
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
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

const customDomain = (scope: Construct, domain: Settings['domain']): Pick<RestApiProps, 'domainName'> =>
  domain
    ? {
        domainName: {
          domainName: domain.name,
          certificate: Certificate.fromCertificateArn(scope, 'Certificate', domain.certificateArn),
          endpointType: EndpointType.REGIONAL,
        },
      }
    : {};

const acknowledgeFindings = (api: RestApi) =>
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'The functions check every body against its schema and name every error with its place. A validator of the gateway would refuse the body first, without a place.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'The setting firewall adds a web ACL with a rate rule, and the synthesis warns without it. The web ACL has no managed rules, because they block bodies over 8 to 16 KB, and a common batch has 21 KB.',
    },
    {
      id: 'AwsSolutions-APIG6',
      reason:
        'The execution log may have lines for each refused request, so strangers could fill it, and its texts can repeat the header Authorization. The access log has the status and the error of each step instead.',
    },
    {
      id: 'AwsSolutions-COG4',
      reason:
        'Every method is behind the Lambda authorizer. The clients are old programs that support HTTP Basic alone and cannot fetch a token from a user pool.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'API Gateway writes its logs with this account-wide role. The documentation of AWS prescribes the policy, and no code of this project runs with the role.',
    },
  );

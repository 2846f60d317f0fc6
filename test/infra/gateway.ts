import type { OperationName } from '../../shared/operations.ts';
import type { Deployment, Resource } from './deployment.ts';

export type GatewayMethod = {
  HttpMethod: string;
  OperationName?: string;
  ResourceId: string;
  RequestParameters?: Record<string, boolean>;
  RequestValidatorId?: string;
  MethodResponses?: unknown[];
  Integration: {
    Type: string;
    Uri?: string;
    PassthroughBehavior?: string;
    RequestTemplates?: Record<string, string>;
    IntegrationResponses?: {
      StatusCode: string;
      ResponseParameters: Record<string, string>;
      ResponseTemplates: Record<string, string>;
    }[];
  };
};

type PathPart = { ParentId: string; PathPart: string };

/** Every method of the API, with the whole path that it stands at. */
export const methodsByPath = ({ resources }: Deployment) => {
  const parts = new Map(
    resources<PathPart>('AWS::ApiGateway::Resource').map((part) => [part.ref, part.properties]),
  );
  const pathOf = (resourceId: string): string => {
    const part = parts.get(resourceId);
    return part ? `${pathOf(part.ParentId)}/${part.PathPart}` : '';
  };
  return resources<GatewayMethod>('AWS::ApiGateway::Method').map((method: Resource<GatewayMethod>) => ({
    ...method,
    path: pathOf(method.properties.ResourceId) || '/',
  }));
};

export type FunctionProperties = {
  Runtime: string;
  Architectures: string[];
  Handler: string;
  MemorySize: number;
  Timeout: number;
  Role: string;
  LoggingConfig: { LogFormat: string; LogGroup: string };
  Environment: { Variables: Record<string, string> };
  Code: { S3Key: string };
};

/** arn:aws:apigateway:REGION:lambda:path/2015-03-31/functions/ARN/invocations */
const INVOKED =
  /^arn:aws:apigateway:[^:]+:lambda:path\/2015-03-31\/functions\/(arn:aws:lambda:.+)\/invocations$/;

/** The functions, by the operation that the API has each for. */
export const functionsOf = (deployment: Deployment) => {
  const functions = deployment.resources<FunctionProperties>('AWS::Lambda::Function');
  const invokedBy = (uri = '') => {
    const [, arn] = INVOKED.exec(uri) ?? [];
    const invoked = functions.find((candidate) => candidate.arn === arn);
    if (!invoked) throw new Error(`${uri} invokes no function.`);
    return invoked;
  };
  const serving = (operation: OperationName) => {
    const method = methodsByPath(deployment).find(({ properties }) => properties.OperationName === operation);
    return invokedBy(method?.properties.Integration.Uri);
  };
  const authorizer = deployment.only<{ AuthorizerUri: string }>('AWS::ApiGateway::Authorizer');
  return {
    authorizer: invokedBy(authorizer.properties.AuthorizerUri),
    'post-change': serving('post-change'),
    'get-material-codes': serving('get-material-codes'),
    'get-purchase-orders': serving('get-purchase-orders'),
    'post-material-stock-balance': serving('post-material-stock-balance'),
  };
};

export const functionNames = [
  'authorizer',
  'post-change',
  'get-material-codes',
  'get-purchase-orders',
  'post-material-stock-balance',
] as const;

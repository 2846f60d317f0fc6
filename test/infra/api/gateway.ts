import { operations } from '../../../shared/operations.ts';
import { keysOf, mapValues } from '../../../shared/records.ts';
import { onlyMatch } from '../../support/assembly.ts';
import type { Deployment } from '../deployment.ts';

type GatewayMethod = {
  HttpMethod: string;
  OperationName?: string;
  ResourceId: string;
  Integration: { Uri?: string };
};

type PathPart = { ParentId: string; PathPart: string };

/** The whole path of every resource of the API except the root, by its id. */
export const resourcePaths = ({ resources }: Deployment) => {
  const parts = new Map(
    resources<PathPart>('AWS::ApiGateway::Resource').map(({ ref, properties }) => [ref, properties]),
  );
  const pathOf = (resourceId: string): string => {
    const part = parts.get(resourceId);
    return part ? `${pathOf(part.ParentId)}/${part.PathPart}` : '';
  };
  return new Map([...parts.keys()].map((id) => [id, pathOf(id)]));
};

/** Every method of the API, with its whole path. */
export const methodsByPath = (deployment: Deployment) => {
  const paths = resourcePaths(deployment);
  return deployment.resources<GatewayMethod>('AWS::ApiGateway::Method').map((method) => ({
    ...method,
    path: paths.get(method.properties.ResourceId) ?? '/',
  }));
};

export type FunctionProperties = {
  Runtime: string;
  Architectures: string[];
  Handler: string;
  MemorySize: number;
  ReservedConcurrentExecutions?: number;
  Timeout: number;
  Role: string;
  LoggingConfig: { LogFormat: string; LogGroup: string };
  Environment: { Variables: Record<string, string> };
  Code: { S3Key: string };
};

const callers = { authorizer: undefined, ...operations };
export type FunctionName = keyof typeof callers;
export const functionNames = keysOf(callers);

/** arn:aws:apigateway:REGION:lambda:path/2015-03-31/functions/ARN/invocations */
const INVOKED =
  /^arn:aws:apigateway:[^:]+:lambda:path\/2015-03-31\/functions\/(arn:aws:lambda:.+)\/invocations$/;

/** The function that the gateway invokes as authorizer, and the one that it invokes for each operation. */
export const functionsOf = (deployment: Deployment) => {
  const functions = deployment.resources<FunctionProperties>('AWS::Lambda::Function');
  const authorizer = deployment.only<{ AuthorizerUri: string }>('AWS::ApiGateway::Authorizer').properties;
  const methods = methodsByPath(deployment).map(({ properties }) => properties);
  return mapValues(callers, (name) => {
    const uri =
      name === 'authorizer'
        ? authorizer.AuthorizerUri
        : onlyMatch(methods, ({ OperationName }) => OperationName === name).Integration.Uri;
    const [, invoked] = INVOKED.exec(uri ?? '') ?? [];
    return onlyMatch(functions, ({ arn }) => arn === invoked);
  });
};

import { describe, expect, it } from 'vitest';
import { type Deployment, deploymentOf } from './deployment.ts';
import { functionNames, functionsOf } from './gateway.ts';

type Role = {
  AssumeRolePolicyDocument: { Statement: unknown[] };
  ManagedPolicyArns?: string[];
  Policies?: unknown[];
};
type Statement = { Effect: string; Action: string | string[]; Resource: string | string[] };
type Policy = { Roles: string[]; PolicyDocument: { Statement: Statement[] } };
type Permission = { Action: string; FunctionName: string; Principal: string; SourceArn: string };
type FunctionName = (typeof functionNames)[number];

const deployment = deploymentOf({ clients: ['warehouse', 'wms.1'], snapshotRetentionDays: 30 });

const roleOf = (of: Deployment, name: FunctionName) => {
  const { Role } = functionsOf(of)[name].properties;
  const role = of.resources<Role>('AWS::IAM::Role').find(({ arn }) => arn === Role);
  if (!role) throw new Error(`The function ${name} has no role of the stack.`);
  return role;
};

const policiesOf = (of: Deployment, name: FunctionName) => {
  const { ref } = roleOf(of, name);
  return of.resources<Policy>('AWS::IAM::Policy').filter(({ properties }) => properties.Roles.includes(ref));
};

const statementsOf = (of: Deployment, name: FunctionName) =>
  policiesOf(of, name).flatMap(({ properties }) => properties.PolicyDocument.Statement);

/** What a function may do, one line for each action on each resource. */
const grantsOf = (of: Deployment, name: FunctionName) =>
  statementsOf(of, name)
    .flatMap(({ Effect, Action, Resource }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((on) => `${Effect} ${action} on ${on}`)),
    )
    .toSorted();

const tableWithKeys = (keys: string) =>
  deployment
    .resources<{ KeySchema: { AttributeName: string }[] }>('AWS::DynamoDB::Table')
    .find(({ properties }) => properties.KeySchema.map((key) => key.AttributeName).join() === keys)?.arn;

const writesOwnLog = (name: FunctionName) => {
  const { LogGroup } = functionsOf(deployment)[name].properties.LoggingConfig;
  const arn = deployment.resources('AWS::Logs::LogGroup').find(({ ref }) => ref === LogGroup)?.arn;
  return [`Allow logs:CreateLogStream on ${arn}`, `Allow logs:PutLogEvents on ${arn}`];
};

describe('the role of a function', () => {
  it.each([
    ['post-change', 'dynamodb:PutItem', 'Client,Timestamp'],
    ['get-material-codes', 'dynamodb:Scan', 'MaterialCode'],
    ['get-purchase-orders', 'dynamodb:Scan', 'PurchaseOrder'],
    ['post-material-stock-balance', 'dynamodb:PutItem', 'Client,SnapshotId'],
  ] as const)(
    'lets %s write its log and do %s on the table with the keys %s, no more',
    (name, action, keys) => {
      const table = tableWithKeys(keys);
      expect(table).toBeDefined();
      expect(grantsOf(deployment, name)).toEqual([`Allow ${action} on ${table}`, ...writesOwnLog(name)]);
    },
  );

  it('lets the authorizer write its log and read the secrets of the clients, no more', () => {
    const secrets = deployment.resources('AWS::SecretsManager::Secret').map(({ ref }) => ref);
    expect(secrets).toHaveLength(2);
    expect(grantsOf(deployment, 'authorizer')).toEqual(
      [
        ...writesOwnLog('authorizer'),
        ...secrets.map((secret) => `Allow secretsmanager:GetSecretValue on ${secret}`),
      ].toSorted(),
    );
  });

  it.each(functionNames)('says of %s all in statements of effect, action and resource', (name) => {
    const statements = statementsOf(deployment, name);
    expect(statements).toHaveLength(2);
    for (const statement of statements) {
      expect(Object.keys(statement).toSorted()).toEqual(['Action', 'Effect', 'Resource']);
    }
  });

  it.each(functionNames)('names for %s no wildcard', (name) => {
    const { Resources } = deployment.template as {
      Resources: Record<string, { Properties: { PolicyDocument: { Statement: Statement[] } } }>;
    };
    for (const { id } of policiesOf(deployment, name)) {
      expect(JSON.stringify(Resources[id]?.Properties.PolicyDocument.Statement)).not.toContain('*');
    }
  });

  it.each(functionNames)(
    'has for %s one policy, and none that is managed or that another role shares',
    (name) => {
      const { properties } = roleOf(deployment, name);
      expect(properties).not.toHaveProperty('ManagedPolicyArns');
      expect(properties).not.toHaveProperty('Policies');
      expect(policiesOf(deployment, name).map((policy) => policy.properties.Roles)).toEqual([
        [roleOf(deployment, name).ref],
      ]);
      expect(deployment.resources('AWS::IAM::ManagedPolicy')).toEqual([]);
    },
  );

  it.each(functionNames)('is of %s alone, and Lambda alone takes it', (name) => {
    const functions = deployment.resources<{ Role: string }>('AWS::Lambda::Function');
    const { arn, properties } = roleOf(deployment, name);
    expect(functions.filter((candidate) => candidate.properties.Role === arn)).toHaveLength(1);
    expect(properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
    ]);
  });

  it('fits the secrets of thirty clients', () => {
    const clients = Array.from({ length: 30 }, (_, index) => `client-${index}`);
    const many = deploymentOf({ clients });
    expect(grantsOf(many, 'authorizer')).toHaveLength(32);
    const policy = JSON.stringify(policiesOf(many, 'authorizer').map(({ properties }) => properties));
    // What IAM takes of inline policies for one role.
    expect(policy.length).toBeLessThan(10_240);
  });
});

describe('a function is invoked', () => {
  const permissions = deployment.resources<Permission>('AWS::Lambda::Permission');
  const api = `arn:aws:execute-api:ap-southeast-2:123456789012:${deployment.only('AWS::ApiGateway::RestApi').ref}`;
  const stage = deployment.only('AWS::ApiGateway::Stage').ref;

  it('by this API alone', () => {
    expect(permissions).toHaveLength(functionNames.length);
    for (const { id, properties } of permissions) {
      expect(properties, id).toMatchObject({
        Action: 'lambda:InvokeFunction',
        Principal: 'apigateway.amazonaws.com',
      });
    }
  });

  it.each([
    ['authorizer', `authorizers/${deployment.only('AWS::ApiGateway::Authorizer').ref}`],
    ['post-change', `${stage}/POST/rest/warehouse-control/changes`],
    ['get-material-codes', `${stage}/GET/rest/warehouse-control/material-codes`],
    ['get-purchase-orders', `${stage}/GET/rest/warehouse-control/purchase-orders`],
    ['post-material-stock-balance', `${stage}/POST/rest/warehouse-control/material-stock-balance`],
  ] as const)('%s as %s', (name, source) => {
    const { arn } = functionsOf(deployment)[name];
    const own = permissions.filter(({ properties }) => properties.FunctionName === arn);
    expect(own.map(({ properties }) => properties.SourceArn)).toEqual([`${api}/${source}`]);
  });
});

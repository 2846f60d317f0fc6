import { describe, expect, it } from 'vitest';
import { operationNames, operations } from '../../../shared/operations.ts';
import { onlyMatch } from '../../support/assembly.ts';
import { type FunctionName, functionNames, functionsOf } from '../api/gateway.ts';
import { type Deployment, sample } from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';

type Role = {
  AssumeRolePolicyDocument: { Statement: unknown[] };
  ManagedPolicyArns?: string[];
  Policies?: unknown[];
};
type Statement = { Effect: string; Action: string | string[]; Resource: string | string[] };
type Policy = { Roles: string[]; PolicyDocument: { Statement: Statement[] } };
type Permission = { Action: string; FunctionName: string; Principal: string; SourceArn: string };

const deployment = sample('everything');
const functions = functionsOf(deployment);

const roleOf = (of: Deployment, name: FunctionName) => {
  const { Role } = functionsOf(of)[name].properties;
  return onlyMatch(of.resources<Role>('AWS::IAM::Role'), ({ arn }) => arn === Role);
};

const policiesOfRole = (of: Deployment, { ref }: { ref: string }) =>
  of
    .resources<Policy>('AWS::IAM::Policy')
    .map(({ properties }) => properties)
    .filter(({ Roles }) => Roles.includes(ref));

const policiesOf = (of: Deployment, name: FunctionName) => policiesOfRole(of, roleOf(of, name));

const statementsOf = (of: Deployment, name: FunctionName) =>
  policiesOf(of, name).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);

/** The permissions of a function, one line for each action on each resource. */
const grantsOf = (of: Deployment, name: FunctionName) => linesOf(statementsOf(of, name));

const linesOf = (statements: Statement[]) =>
  statements
    .flatMap(({ Effect, Action, Resource }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((on) => `${Effect} ${action} on ${on}`)),
    )
    .toSorted();

const writesOwnLog = (name: FunctionName) => {
  const { LogGroup } = functions[name].properties.LoggingConfig;
  const { arn } = onlyMatch(deployment.resources('AWS::Logs::LogGroup'), ({ ref }) => ref === LogGroup);
  return [`Allow logs:CreateLogStream on ${arn}`, `Allow logs:PutLogEvents on ${arn}`];
};

describe('the role of a function', () => {
  it.each(operationNames)(
    'allows %s only to write its log and to do its one action on its one table',
    (name) => {
      const { action, table } = operations[name];
      const { arn } = deployment.tableWithKeysOf(table);
      expect(grantsOf(deployment, name)).toEqual([
        `Allow dynamodb:${action} on ${arn}`,
        ...writesOwnLog(name),
      ]);
    },
  );

  it('allows the authorizer only to write its log and to read the secrets of the clients', () => {
    const secrets = deployment.resources('AWS::SecretsManager::Secret').map(({ ref }) => ref);
    expect(secrets).toHaveLength(sampleSettings.everything.clients.length);
    expect(grantsOf(deployment, 'authorizer')).toEqual(
      [
        ...writesOwnLog('authorizer'),
        ...secrets.map((secret) => `Allow secretsmanager:GetSecretValue on ${secret}`),
      ].toSorted(),
    );
  });

  it.each(functionNames)(
    'has for %s one policy of two plain statements, and only Lambda can assume it',
    (name) => {
      const { arn, ref, properties } = roleOf(deployment, name);
      const users = deployment.resources<{ Role: string }>('AWS::Lambda::Function');
      expect(users.filter((user) => user.properties.Role === arn)).toHaveLength(1);
      expect(properties.AssumeRolePolicyDocument.Statement).toEqual([
        { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
      expect(properties).not.toHaveProperty('ManagedPolicyArns');
      expect(properties).not.toHaveProperty('Policies');
      expect(deployment.resources('AWS::IAM::ManagedPolicy')).toEqual([]);
      expect(policiesOf(deployment, name).map(({ Roles }) => Roles)).toEqual([[ref]]);
      const fields = statementsOf(deployment, name).map((statement) => Object.keys(statement).toSorted());
      expect(fields).toEqual(Array(2).fill(['Action', 'Effect', 'Resource']));
    },
  );

  it('of the authorizer stays within the limit of IAM with thirty clients', () => {
    const many = sample('largest');
    expect(grantsOf(many, 'authorizer')).toHaveLength(32);
    // The limit of IAM for the inline policies of one role.
    expect(JSON.stringify(policiesOf(many, 'authorizer')).length).toBeLessThan(10_240);
  });
});

describe('the role of the backups', () => {
  const recoveryPoints = (region: string) => `arn:aws:backup:${region}:000000000000:recovery-point:*`;
  const keys = (region: string) => `arn:aws:kms:${region}:000000000000:key/*`;
  const { vaultArn } = sampleSettings.everything.backup;
  const actions = ['DescribeTable', 'ListTagsOfResource', 'StartAwsBackupJob'];
  const toBackUp = (of: Deployment) => [
    ...of
      .resources('AWS::DynamoDB::GlobalTable')
      .flatMap(({ arn }) => actions.map((action) => `Allow dynamodb:${action} on ${arn}`)),
    `Allow backup:DescribeBackupVault on arn:aws:backup:eu-central-1:000000000000:backup-vault:${of.outputs['BackupVaultName']}`,
    `Allow backup:TagResource on ${recoveryPoints('eu-central-1')}`,
    'Allow tag:GetResources on *',
  ];
  const toCopy = [
    `Allow backup:CopyFromBackupVault on ${recoveryPoints('eu-central-1')}`,
    `Allow backup:CopyIntoBackupVault on ${vaultArn}`,
    `Allow backup:DescribeBackupVault on ${vaultArn}`,
    `Allow backup:TagResource on ${recoveryPoints('eu-west-1')}`,
    ...['eu-central-1', 'eu-west-1'].map((region) => `Allow kms:DescribeKey on ${keys(region)}`),
  ];

  it.each([
    ['back up the four tables without a vault for copies', sample('largest'), []],
    ['also copy into the vault of the setting', deployment, toCopy],
  ])('can be assumed only by AWS Backup, and can only %s', (_, own, copying) => {
    const selection = own.only<{ BackupSelection: { IamRoleArn: string } }>('AWS::Backup::BackupSelection');
    const { IamRoleArn } = selection.properties.BackupSelection;
    const role = onlyMatch(own.resources<Role>('AWS::IAM::Role'), ({ arn }) => arn === IamRoleArn);
    expect(role.properties.AssumeRolePolicyDocument.Statement).toMatchObject([
      { Principal: { Service: 'backup.amazonaws.com' } },
    ]);
    expect(role.properties).not.toHaveProperty('ManagedPolicyArns');
    const statements = policiesOfRole(own, role).flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    expect(linesOf(statements)).toEqual([...toBackUp(own), ...copying].toSorted());
  });
});

describe('permissions to invoke functions', () => {
  const permissions = deployment.resources<Permission>('AWS::Lambda::Permission');
  const api = `arn:aws:execute-api:eu-central-1:000000000000:${deployment.only('AWS::ApiGateway::RestApi').ref}`;
  const stage = deployment.only('AWS::ApiGateway::Stage').ref;

  it('are one for each function', () => {
    expect(permissions).toHaveLength(functionNames.length);
    for (const { id, properties } of permissions) {
      expect(properties, id).toMatchObject({
        Action: 'lambda:InvokeFunction',
        Principal: 'apigateway.amazonaws.com',
      });
    }
  });

  it.each(functionNames)('allow only this API to invoke %s, for its one method or as authorizer', (name) => {
    const source =
      name === 'authorizer'
        ? `authorizers/${deployment.only('AWS::ApiGateway::Authorizer').ref}`
        : `${stage}/${operations[name].method}${operations[name].path}`;
    const own = permissions.filter(({ properties }) => properties.FunctionName === functions[name].arn);
    expect(own.map(({ properties }) => properties.SourceArn)).toEqual([`${api}/${source}`]);
  });
});

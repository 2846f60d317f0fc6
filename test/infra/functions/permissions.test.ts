import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import type { TableName } from '../../../shared/tables.ts';
import { onlyMatch } from '../../support/assembly.ts';
import {
  type Deployment,
  type FunctionName,
  functionNames,
  functionsOf,
  sample,
  scheduleOf,
} from '../deployment.ts';
import { sampleSettings } from '../sample-settings.ts';

type Role = { AssumeRolePolicyDocument: { Statement: unknown[] } };
type Statement = {
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: object;
};
type Policy = { Roles: string[]; PolicyDocument: { Statement: Statement[] } };
type Permission = { Action: string; FunctionName: string; Principal: string; SourceArn: string };

const deployment = sample('everything');
const withoutCopies = sample('largest');
const functions = functionsOf(deployment);

const roleWith = (own: Deployment, wanted: string) =>
  onlyMatch(own.resources<Role>('AWS::IAM::Role'), ({ arn }) => arn === wanted);

const statementsOf = (own: Deployment, role: { ref: string }) =>
  own
    .resources<Policy>('AWS::IAM::Policy')
    .filter(({ properties }) => properties.Roles.includes(role.ref))
    .flatMap(({ properties }) => properties.PolicyDocument.Statement);

/** One line for each action on each resource. */
const grantsOf = (own: Deployment, role: { ref: string }) =>
  statementsOf(own, role)
    .flatMap(({ Effect, Action, Resource }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((on) => `${Effect} ${action} on ${on}`)),
    )
    .toSorted();

const logGrantsOf = (name: FunctionName) => {
  const { LogGroup } = functions[name].properties.LoggingConfig;
  const { arn } = onlyMatch(deployment.resources('AWS::Logs::LogGroup'), ({ ref }) => ref === LogGroup);
  return [`Allow logs:CreateLogStream on ${arn}`, `Allow logs:PutLogEvents on ${arn}`];
};

const allow = (action: string, table: TableName) =>
  `Allow dynamodb:${action} on ${deployment.table(table).arn}`;

/** Apart from the watch, one action on one table. */
const dataGrantsOf = (name: FunctionName) => {
  if (name === 'authorizer') return [allow('Scan', 'Clients')];
  if (name !== 'watch') return [allow(operations[name].action, operations[name].table)];
  const publish = `Allow sns:Publish on ${deployment.only('AWS::SNS::Topic').ref}`;
  return [allow('Scan', 'Clients'), allow('Query', 'BalanceSnapshots'), publish];
};

describe('the role of a function', () => {
  it.each(functionNames)('allows %s only to write its log and to use its own data', (name) => {
    const role = roleWith(deployment, functions[name].properties.Role);
    expect(role.properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } },
    ]);
    expect(grantsOf(deployment, role)).toEqual([...dataGrantsOf(name), ...logGrantsOf(name)].toSorted());
    // What else could allow something.
    expect(role.properties).not.toHaveProperty('ManagedPolicyArns');
    expect(role.properties).not.toHaveProperty('Policies');
    expect(deployment.resources('AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  /** Without the second condition, a call that names no attributes would return all. */
  const onlyAttributes = (...attributes: string[]) => ({
    'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
    StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
  });

  it.each<[FunctionName, string, object[]]>([
    [
      'watch',
      'the attributes that show who is late, and never a hash',
      [
        onlyAttributes('Client', 'SilenceHours', 'SilenceFrom', 'FormerSilence', 'LockedAt', 'RemovedAt'),
        onlyAttributes('Client', 'SnapshotId'),
      ],
    ],
    [
      'authorizer',
      'the attributes that sign-in uses',
      [
        onlyAttributes(
          ...['Client', 'UserName', 'Salt', 'Hash', 'PreviousSalt', 'PreviousHash', 'PreviousUntil'],
          ...['Plan', 'Slot', 'SilenceHours', 'LockedAt', 'RemovedAt'],
        ),
      ],
    ],
  ])('of the %s reads only %s', (name, _, conditions) => {
    const role = roleWith(deployment, functions[name].properties.Role);
    const found = statementsOf(deployment, role).filter(({ Action }) => String(Action).includes('dynamodb'));
    expect(found.map(({ Condition }) => Condition)).toEqual(conditions);
  });
});

describe('the role of the backups', () => {
  const recoveryPoints = (region: string) => `arn:aws:backup:${region}:000000000000:recovery-point:*`;
  const keys = (region: string) => `arn:aws:kms:${region}:000000000000:key/*`;
  const { vaultArn } = sampleSettings.everything.backup;
  const actions = ['DescribeTable', 'ListTagsOfResource', 'StartAwsBackupJob'];
  const toBackUp = (own: Deployment) => [
    ...own
      .resources('AWS::DynamoDB::GlobalTable')
      .flatMap(({ arn }) => actions.map((action) => `Allow dynamodb:${action} on ${arn}`)),
    `Allow backup:DescribeBackupVault on ${own.only('AWS::Backup::BackupVault').id}.BackupVaultArn`,
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
    ['back up the six tables without a vault for copies', withoutCopies, []],
    ['also copy into the vault of the setting', deployment, toCopy],
  ])('can be assumed only by AWS Backup, and can only %s', (_, own, copying) => {
    const selection = own.only<{ BackupSelection: { IamRoleArn: string } }>('AWS::Backup::BackupSelection');
    const role = roleWith(own, selection.properties.BackupSelection.IamRoleArn);
    expect(role.properties.AssumeRolePolicyDocument.Statement).toMatchObject([
      { Principal: { Service: 'backup.amazonaws.com' } },
    ]);
    expect(role.properties).not.toHaveProperty('ManagedPolicyArns');
    expect(grantsOf(own, role)).toEqual([...toBackUp(own), ...copying].toSorted());
  });
});

it('only this API can invoke each function, for its one method or as authorizer, and only its schedule the watch', () => {
  const api = `arn:aws:execute-api:eu-central-1:000000000000:${deployment.only('AWS::ApiGateway::RestApi').ref}`;
  const stage = deployment.only('AWS::ApiGateway::Stage').ref;
  const schedule = scheduleOf(deployment);
  const sourceOf = (name: FunctionName) => {
    if (name === 'watch') return schedule.arn;
    return name === 'authorizer'
      ? `${api}/authorizers/${deployment.only('AWS::ApiGateway::Authorizer').ref}`
      : `${api}/${stage}/${operations[name].method}${operations[name].path}`;
  };
  const permissions = deployment.resources<Permission>('AWS::Lambda::Permission');
  const expected = functionNames.map((name) => ({
    Action: 'lambda:InvokeFunction',
    FunctionName: functions[name].arn,
    Principal: `${name === 'watch' ? 'events' : 'apigateway'}.amazonaws.com`,
    SourceArn: sourceOf(name),
  }));
  expect(new Set(permissions.map(({ properties }) => properties))).toEqual(new Set(expected));
});

import { describe, expect, it } from 'vitest';
import { tableNames } from '../../shared/tables.ts';
import { deployed, functionsOf, sample } from './deployment.ts';
import { sampleSettings } from './sample-settings.ts';
import { appOf } from './template.ts';

const deployment = sample('default');
const everything = sample('everything');
const { domain } = sampleSettings.everything;

describe('the outputs', () => {
  it('include the base URL, which ends in the stage', () => {
    const { ref } = deployment.only('AWS::ApiGateway::RestApi');
    const { StageName } = deployment.only<{ StageName: string }>('AWS::ApiGateway::Stage').properties;
    expect(deployment.outputs['BaseUrl']).toBe(
      `https://${ref}.execute-api.eu-central-1.amazonaws.com/${StageName}`,
    );
  });

  it('include the name of each table', () => {
    for (const name of tableNames) {
      expect(everything.outputs[`${name}TableName`]).toBe(everything.table(name).ref);
    }
  });

  it('include the days of the history, which the commands need', () => {
    expect(deployment.outputs['RecordRetentionDays']).toBe('400');
    expect(everything.outputs['RecordRetentionDays']).toBe('90');
  });

  it('include the log groups that say which bodies were refused', () => {
    const groups = (['post-change', 'post-material-stock-balance'] as const).map(
      (name) => functionsOf(everything)[name].properties.LoggingConfig.LogGroup,
    );
    expect(everything.outputs['RefusalLogGroups']).toBe(groups.join());
  });

  it('have no other names with default settings', () => {
    const settings = ['Plans', 'RecordRetentionDays', 'RefusalLogGroups'];
    const all = ['AlarmTopicArn', 'BaseUrl', ...settings, ...tableNames.map((name) => `${name}TableName`)];
    expect(Object.keys(deployment.outputs).toSorted()).toEqual(all.toSorted());
  });
});

it('a domain has the TLS policy of the API and is mapped to the stage, so that it is the base URL', () => {
  const api = everything.only<Record<string, unknown>>('AWS::ApiGateway::RestApi');
  const domainName = everything.only('AWS::ApiGateway::DomainName');
  const { EndpointConfiguration, SecurityPolicy, EndpointAccessMode } = api.properties;
  expect(SecurityPolicy).toMatch(/TLS13_1_2/);
  expect(domainName.properties).toMatchObject({
    DomainName: domain.name,
    ...{ EndpointConfiguration, SecurityPolicy, EndpointAccessMode },
    RegionalCertificateArn: domain.certificateArn,
  });
  expect(everything.only('AWS::ApiGateway::BasePathMapping').properties).toEqual({
    DomainName: domainName.ref,
    RestApiId: api.ref,
    Stage: everything.only('AWS::ApiGateway::Stage').ref,
  });
  expect(everything.outputs['BaseUrl']).toBe(`https://${domain.name}`);
  expect(everything.outputs).toMatchObject({
    DomainTarget: `${domainName.id}.RegionalDomainName`,
    DomainTargetZoneId: `${domainName.id}.RegionalHostedZoneId`,
  });
  expect(deployment.resources('AWS::ApiGateway::DomainName')).toEqual([]);
});

it('the template names no account and no region', () => {
  expect(JSON.stringify(deployment.template)).not.toMatch(
    /\b[0-9]{12}\b|\b(us|eu|ap|sa|ca|me|af|cn|il|mx)-(gov-)?[a-z]+-[0-9]\b/,
  );
});

const ofNorth = () => {
  const { stack, synthesize } = appOf({ ...sampleSettings.everything, stages: { north: {} } }, 'north');
  // Tags of the stack itself.
  expect(stack.tags.tagValues()).toEqual({ service: 'Warehouse-north', stage: 'north' });
  return deployed(synthesize());
};

it.each([
  ['twice, if there are no stages', () => everything, 'Warehouse', 'Warehouse'],
  ['and that of the stage', ofNorth, 'Warehouse-north', 'north'],
])('all resources that cause costs have tags with the name of the stack %s', (_, made, service, stage) => {
  const tags = Object.entries({ service, stage }).map(([Key, Value]) => ({ Key, Value }));
  const { resources } = made();
  const types = ['DynamoDB::GlobalTable', 'Lambda::Function', 'Logs::LogGroup', 'ApiGateway::Stage'];
  const others = ['ApiGateway::ApiKey', 'CloudWatch::Alarm', 'WAFv2::WebACL', 'ApiGateway::RestApi'];
  for (const type of [...types, ...others]) {
    const found = resources(`AWS::${type}`);
    expect(found.length).toBeGreaterThan(0);
    for (const { id, properties } of found) {
      const { Tags, Replicas: [{ Tags: ofTable }] = [{}] } = Object(properties);
      expect(Tags ?? ofTable, id).toEqual(expect.arrayContaining(tags));
    }
  }
});

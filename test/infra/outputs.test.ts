import { describe, expect, it } from 'vitest';
import { isRecord } from '../../shared/schemas/json.ts';
import { tableNames } from '../../shared/tables.ts';
import { sample } from './deployment.ts';
import { sampleSettings } from './sample-settings.ts';

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

  it('include the name of the secret of each client', () => {
    const secrets = everything.resources('AWS::SecretsManager::Secret').map(({ ref }) => ref);
    const names = ['SecretNamewarehouse', 'SecretNamewms1', 'SecretNamedoctor'].map(
      (output) => everything.outputs[output],
    );
    // arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME-6RANDOM
    expect(names).toEqual(secrets.map((arn) => arn.split(':').at(-1)?.slice(0, -'-mNoPqR'.length)));
  });

  it('include the settings that the admin commands read', () => {
    expect(everything.outputs).toMatchObject({
      ClientNames: 'warehouse,wms.1,doctor',
      SilenceHours: '48,6,0',
      CredentialOverlapHours: '0',
    });
  });

  it('have no other names with default settings', () => {
    const names = ['AlarmTopicArn', 'BaseUrl', 'ClientNames', 'CredentialOverlapHours', 'SilenceHours'];
    const all = [...names, 'SecretNamewarehouse', ...tableNames.map((name) => `${name}TableName`)];
    expect(Object.keys(deployment.outputs).toSorted()).toEqual(all.toSorted());
  });

  it('are plain values that a script can read', () => {
    for (const [name, value] of Object.entries(everything.outputs)) {
      expect(name).toMatch(/^[A-Za-z0-9]+$/);
      expect(value, name).toMatch(/^[A-Za-z0-9:/.,_?=#-]+$/);
    }
    // An exported value could not be changed while another stack imports it.
    expect(JSON.stringify(everything.template['Outputs'])).not.toContain('"Export"');
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
  expect(everything.outputs['DomainTarget']).toBe(`${domainName.ref}.invalid`);
  expect(deployment.resources('AWS::ApiGateway::DomainName')).toEqual([]);
});

describe('the template', () => {
  it('names no account and no region except those in the ARNs of the settings', () => {
    const { backup, region } = sampleSettings.everything;
    const text = [domain.certificateArn, backup.vaultArn].reduce(
      (left, arn) => left.replaceAll(arn, ''),
      JSON.stringify(everything.template),
    );
    expect(text).not.toMatch(/\b[0-9]{12}\b/);
    expect(text).not.toContain(region);
    expect(JSON.stringify(deployment.template)).not.toMatch(
      /\b(us|eu|ap|sa|ca|me|af|cn|il|mx)-(gov-)?[a-z]+-[0-9]\b/,
    );
  });

  it('has the word password only in the secrets and in the 401', () => {
    const { Resources } = deployment.template;
    const types = Object.values(isRecord(Resources) ? Resources : {})
      .filter((resource) => /password/i.test(JSON.stringify(resource)))
      .map((resource) => Object(resource).Type);
    expect(new Set(types)).toEqual(
      new Set(['AWS::SecretsManager::Secret', 'AWS::ApiGateway::GatewayResponse']),
    );
  });

  it('has the tags with the stack and the stage on every resource that can have them', () => {
    const { Resources } = everything.template;
    const resources = Object.values(isRecord(Resources) ? Resources : {});
    /** Most types have their tags as a list, and those of AWS Backup as an object. */
    const has = (tag: string) => (resource: unknown) =>
      new RegExp(`"Key":"${tag}","Value":"Warehouse"|"${tag}":"Warehouse"`).test(JSON.stringify(resource));
    const untagged = resources.filter((resource) => !has('service')(resource));
    const ofApi = ['Account', 'Authorizer', 'BasePathMapping', 'Deployment', 'GatewayResponse', 'Method'];
    expect([...new Set(untagged.map((resource) => Object(resource).Type))].toSorted()).toEqual([
      ...[...ofApi, 'RequestValidator', 'Resource', 'UsagePlanKey'].map((type) => `AWS::ApiGateway::${type}`),
      ...['AWS::Backup::BackupSelection', 'AWS::IAM::Policy', 'AWS::Lambda::Permission'],
      ...['AWS::Logs::MetricFilter', 'AWS::Logs::QueryDefinition'],
      ...['AWS::SNS::Subscription', 'AWS::SNS::TopicPolicy', 'AWS::WAFv2::WebACLAssociation'],
    ]);
    // Without stages, the stage is the name of the stack.
    expect(resources.filter(has('stage'))).toEqual(resources.filter(has('service')));
  });
});

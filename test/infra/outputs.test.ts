import { describe, expect, it } from 'vitest';
import { PRICES_FROM } from '../../infra/monitoring/cost-metrics.ts';
import { tableNames } from '../../shared/tables.ts';
import { deploymentOf } from './deployment.ts';
import { sampleSettings } from './sample-settings.ts';

const deployment = deploymentOf({
  clients: ['warehouse', { name: 'wms.1', silenceHours: 0 }, { name: 'WMS_North-2', silenceHours: 72 }],
  alarms: { silenceHours: 48 },
  account: '210987654321',
  region: 'eu-west-3',
});

describe('the outputs', () => {
  it('include the base URL, which ends in the stage', () => {
    const { ref } = deployment.only('AWS::ApiGateway::RestApi');
    const { StageName } = deployment.only<{ StageName: string }>('AWS::ApiGateway::Stage').properties;
    expect(deployment.outputs['BaseUrl']).toBe(
      `https://${ref}.execute-api.ap-southeast-2.amazonaws.com/${StageName}`,
    );
  });

  it.each(tableNames)('include the name of the table %s', (name) => {
    expect(deployment.outputs[`${name}TableName`]).toBe(deployment.tableWithKeysOf(name).ref);
  });

  it.each([
    ['SecretNamewarehouse', 'warehouse'],
    ['SecretNamewms1', 'wms.1'],
    ['SecretNameWMSNorth2', 'WMS_North-2'],
  ])('include, as %s, the name of the secret of %s', (output, client) => {
    const secret = deployment
      .resources<{ Description: string }>('AWS::SecretsManager::Secret')
      .find(({ properties }) => properties.Description.endsWith(` ${client}`));
    // arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME-6RANDOM
    const name = secret?.ref.split(':').at(-1)?.slice(0, -'-mNoPqR'.length);
    expect(name).toMatch(/^Client/);
    expect(deployment.outputs[output]).toBe(name);
  });

  it('include the settings that the admin commands read', () => {
    expect(deployment.outputs).toMatchObject({
      ClientNames: 'warehouse,wms.1,WMS_North-2',
      SilenceHours: '48,0,72',
      CredentialOverlapHours: '24',
    });
  });

  it('have no other names', () => {
    expect(Object.keys(deployment.outputs).toSorted()).toEqual(
      [
        'AlarmTopicArn',
        'BaseUrl',
        'ClientNames',
        'CredentialOverlapHours',
        'SecretNameWMSNorth2',
        'SecretNamewarehouse',
        'SecretNamewms1',
        'SilenceHours',
        ...tableNames.map((name) => `${name}TableName`),
      ].toSorted(),
    );
  });

  it('are plain values that a script can read', () => {
    const { Outputs } = deployment.template as { Outputs: Record<string, Record<string, unknown>> };
    for (const [name, value] of Object.entries(deployment.outputs)) {
      expect(name).toMatch(/^[A-Za-z0-9]+$/);
      expect(value, name).toMatch(/^[A-Za-z0-9:/.,_?=#-]+$/);
      // An exported value could not be changed while another stack imports it.
      expect(Outputs[name], name).not.toHaveProperty('Export');
    }
  });
});

describe('a domain', () => {
  const { domain } = sampleSettings['own domain'];
  const own = deploymentOf({ domain });
  const domainName = own.only<Record<string, unknown>>('AWS::ApiGateway::DomainName');
  const api = own.only<Record<string, unknown>>('AWS::ApiGateway::RestApi');

  it('has the endpoint and the TLS policy of the API, with the certificate of the settings', () => {
    const { EndpointConfiguration, SecurityPolicy, EndpointAccessMode } = api.properties;
    expect(SecurityPolicy).toMatch(/TLS13_1_2/);
    expect(domainName.properties).toMatchObject({
      DomainName: domain.name,
      EndpointConfiguration,
      SecurityPolicy,
      EndpointAccessMode,
      RegionalCertificateArn: domain.certificateArn,
    });
  });

  it('is mapped to the stage without a path, so that it is the base URL', () => {
    const mapping = own.only<Record<string, unknown>>('AWS::ApiGateway::BasePathMapping');
    expect(mapping.properties).toEqual({
      DomainName: domainName.ref,
      RestApiId: api.ref,
      Stage: own.only('AWS::ApiGateway::Stage').ref,
    });
    expect(own.outputs['BaseUrl']).toBe('https://wms.example.com');
  });

  it('has an output with the target of its DNS record, and is absent without the setting', () => {
    expect(deployment.resources('AWS::ApiGateway::DomainName')).toEqual([]);
    expect(own.outputs['DomainTarget']).toBe(`${domainName.id}.RegionalDomainName`);
  });
});

describe('the template', () => {
  const text = JSON.stringify(deployment.template);

  it('names no account and no region of the settings, only the region of its prices', () => {
    expect(text).not.toMatch(/\b[0-9]{12}\b/);
    expect(text.replaceAll(PRICES_FROM, '')).not.toMatch(
      /\b(us|eu|ap|sa|ca|me|af|cn|il|mx)-(gov-)?[a-z]+-[0-9]\b/,
    );
  });

  it('has no parameter except that of the bootstrap', () => {
    expect(Object.keys(deployment.template['Parameters'] ?? {})).toEqual(['BootstrapVersion']);
  });

  it('has the word password only in the secrets and in the 401', () => {
    const { Resources } = deployment.template as { Resources: Record<string, { Type: string }> };
    const types = Object.values(Resources)
      .filter((resource) => /password/i.test(JSON.stringify(resource)))
      .map(({ Type }) => Type);
    expect(new Set(types)).toEqual(
      new Set(['AWS::SecretsManager::Secret', 'AWS::ApiGateway::GatewayResponse']),
    );
  });
});

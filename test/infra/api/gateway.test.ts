import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { sample } from '../deployment.ts';
import { methodsByPath, resourcePaths } from './gateway.ts';

const deployment = sample('default');
const methods = methodsByPath(deployment);

const endpoint = {
  EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType: 'dualstack' },
  SecurityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06',
  EndpointAccessMode: 'BASIC',
};

const validator = deployment.only<Record<string, unknown>>('AWS::ApiGateway::RequestValidator');

describe('the API', () => {
  const { properties } = deployment.only<Record<string, unknown>>('AWS::ApiGateway::RestApi');

  it('refuses TLS below 1.2, and supports IPv4 and IPv6', () => {
    expect(properties).toMatchObject(endpoint);
  });

  it('decompresses requests and compresses answers of every size, without binary media types', () => {
    expect(properties['MinimumCompressionSize']).toBe(0);
    // A binary body would reach the functions as base64.
    expect(properties).not.toHaveProperty('BinaryMediaTypes');
  });
});

describe('the authorizer', () => {
  const authorizer = deployment.only<Record<string, unknown>>('AWS::ApiGateway::Authorizer');

  it('gets the whole request, and its policy is cached for 30 seconds by the Authorization header', () => {
    expect(authorizer.properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 30,
    });
  });

  it('is called before every method, and returns the API key that every method requires', () => {
    expect(methods.length).toBeGreaterThan(0);
    for (const { id, properties } of methods) {
      expect(properties, id).toMatchObject({
        AuthorizationType: 'CUSTOM',
        AuthorizerId: authorizer.ref,
        ApiKeyRequired: true,
      });
    }
    const { properties } = deployment.only<Record<string, unknown>>('AWS::ApiGateway::RestApi');
    expect(properties['ApiKeySourceType']).toBe('AUTHORIZER');
  });
});

describe('the operations', () => {
  const served = methods.filter(({ properties }) => properties.Integration.Type !== 'MOCK');

  it('are those of shared/operations.ts and no others', () => {
    const found = served.map(({ path, properties }) => [
      properties.OperationName,
      properties.HttpMethod,
      path,
    ]);
    const expected = Object.entries(operations).map(([name, { method, path }]) => [name, method, path]);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('each invoke their function with the whole request', () => {
    for (const { id, properties } of served) {
      expect(properties.Integration, id).toMatchObject({ Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST' });
    }
  });
});

describe('the catch-all', () => {
  const catchAlls = methods.filter(({ properties }) => properties.HttpMethod === 'ANY');

  it('covers every path of the API and every other path', () => {
    const paths = [...resourcePaths(deployment).values()];
    expect(paths).toEqual(expect.arrayContaining(Object.values(operations).map(({ path }) => path)));
    expect(paths).toContain('/{proxy+}');
    expect(catchAlls.map(({ path }) => path).toSorted()).toEqual(['/', ...paths].toSorted());
  });

  it.each(catchAlls.map(({ path, properties }) => [path, properties] as const))(
    'answers 404 at %s without a function, because its validator requires a header that no client sends',
    (_, { Integration, RequestParameters, RequestValidatorId, MethodResponses }) => {
      expect(RequestParameters).toEqual({ 'method.request.header.X-Served-Nowhere': true });
      expect(RequestValidatorId).toBe(validator.ref);
      expect(validator.properties).toMatchObject({ ValidateRequestParameters: true });
      expect(Integration).toMatchObject({ Type: 'MOCK', PassthroughBehavior: 'NEVER' });
      expect(Integration).not.toHaveProperty('Uri');
      expect(MethodResponses).toMatchObject([{ StatusCode: '404' }]);
    },
  );
});

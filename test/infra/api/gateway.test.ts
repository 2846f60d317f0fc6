import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/operations.ts';
import { sample } from '../deployment.ts';

const deployment = sample('default');

type Resource = { ParentId: string; PathPart: string };
const resources = deployment.resources<Resource>('AWS::ApiGateway::Resource');
const pathOf = (id: string): string => {
  const found = resources.find(({ ref }) => ref === id)?.properties;
  return found ? `${pathOf(found.ParentId)}/${found.PathPart}` : '';
};
type Method = { HttpMethod: string; ResourceId: string };
const methods = deployment
  .resources<Method>('AWS::ApiGateway::Method')
  .map((method) => ({ ...method, path: pathOf(method.properties.ResourceId) || '/' }));
const api = deployment.only<Record<string, unknown>>('AWS::ApiGateway::RestApi').properties;

it.each([
  ['IPv4 alone', deployment, ['RestApi'], 'ipv4'],
  ['IPv4 and IPv6 with the setting', sample('everything'), ['RestApi', 'DomainName'], 'dualstack'],
])('the API and a domain refuse TLS below 1.2, and support %s', (_, own, types, IpAddressType) => {
  for (const type of types) {
    expect(own.only(`AWS::ApiGateway::${type}`).properties, type).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'], IpAddressType },
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_2021_06',
      EndpointAccessMode: 'BASIC',
    });
  }
});

it('the API decompresses requests and compresses responses of every size, without binary media types', () => {
  expect(api['MinimumCompressionSize']).toBe(0);
  // A binary body would reach the functions as base64.
  expect(api).not.toHaveProperty('BinaryMediaTypes');
});

it('the authorizer gets the whole request, and its policy is cached for 30 seconds by the Authorization header', () => {
  expect(deployment.only('AWS::ApiGateway::Authorizer').properties).toMatchObject({
    Type: 'REQUEST',
    IdentitySource: 'method.request.header.Authorization',
    AuthorizerResultTtlInSeconds: 30,
  });
});

it.each(methods.map(({ path, properties }) => [properties.HttpMethod, path, properties] as const))(
  '%s %s needs the authorizer and the API key that it returns',
  (_, __, properties) => {
    const AuthorizerId = deployment.only('AWS::ApiGateway::Authorizer').ref;
    expect(properties).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId, ApiKeyRequired: true });
    expect(api['ApiKeySourceType']).toBe('AUTHORIZER');
  },
);

describe('the catch-all', () => {
  const catchAlls = methods.filter(({ properties }) => properties.HttpMethod === 'ANY');

  it('covers the root and every path and method that no operation has', () => {
    expect(catchAlls.map(({ path }) => path)).toEqual(['/', '/{proxy+}']);
    const others = methods.filter((method) => !catchAlls.includes(method));
    const routes = others.map(({ path, properties }) => `${properties.HttpMethod} ${path}`);
    const expected = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(routes.toSorted()).toEqual(expected.toSorted());
  });

  it('responds with 404 without a function, because its validator requires a header that no client sends', () => {
    const validator = deployment.only('AWS::ApiGateway::RequestValidator');
    expect(validator.properties).toMatchObject({ ValidateRequestParameters: true });
    for (const { id, properties } of catchAlls) {
      expect(properties, id).toMatchObject({
        RequestParameters: { 'method.request.header.X-Served-Nowhere': true },
        RequestValidatorId: validator.ref,
        Integration: { Type: 'MOCK', PassthroughBehavior: 'NEVER' },
      });
    }
  });
});

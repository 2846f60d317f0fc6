import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/operations.ts';
import { deploymentOf, type Resource } from './deployment.ts';
import { functionsOf, type GatewayMethod, methodsByPath } from './gateway.ts';

const deployment = deploymentOf();
const methods = methodsByPath(deployment);
const functions = functionsOf(deployment);

describe('the API', () => {
  const { properties } = deployment.only<Record<string, unknown>>('AWS::ApiGateway::RestApi');

  it('is regional', () => {
    expect(properties['EndpointConfiguration']).toEqual({ Types: ['REGIONAL'] });
  });

  it('compresses what is worth unpacking', () => {
    expect(properties['MinimumCompressionSize']).toBe(4096);
  });

  it('takes and gives text alone, since a binary body would reach the functions as base64', () => {
    expect(properties).not.toHaveProperty('BinaryMediaTypes');
  });

  it('has no resource policy', () => {
    expect(properties).not.toHaveProperty('Policy');
  });
});

describe('the authorizer', () => {
  const authorizer = deployment.only<Record<string, unknown>>('AWS::ApiGateway::Authorizer');

  it('is given the whole request, asked by the header Authorization, and remembered for 30 seconds', () => {
    expect(authorizer.properties).toMatchObject({
      Type: 'REQUEST',
      IdentitySource: 'method.request.header.Authorization',
      AuthorizerResultTtlInSeconds: 30,
    });
  });

  it('is the function that knows the clients', () => {
    expect(Object.keys(functions.authorizer.properties.Environment.Variables)).toContain('CLIENTS');
  });

  it('stands before every method', () => {
    expect(methods.length).toBeGreaterThan(0);
    for (const { id, properties } of methods) {
      expect(properties, id).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: authorizer.ref });
    }
  });
});

describe('the operations', () => {
  it('are those of shared/operations.ts and no others', () => {
    const served = methods
      .filter(({ properties }) => properties.Integration.Type !== 'MOCK')
      .map(({ path, properties }) => [properties.OperationName, properties.HttpMethod, path]);
    const promised = Object.entries(operations).map(([name, { method, path }]) => [name, method, path]);
    expect(served.toSorted()).toEqual(promised.toSorted());
  });

  it.each([
    ['POST', '/rest/warehouse-control/changes', 'CHANGE_TIMESTAMPS_TABLE'],
    ['GET', '/rest/warehouse-control/material-codes', 'MATERIAL_CODES_TABLE'],
    ['GET', '/rest/warehouse-control/purchase-orders', 'PURCHASE_ORDERS_TABLE'],
    ['POST', '/rest/warehouse-control/material-stock-balance', 'BALANCE_SNAPSHOTS_TABLE'],
  ])('%s %s is served by the function with the variable %s', (httpMethod, path, variable) => {
    const served = methods.find(
      (method) => method.path === path && method.properties.HttpMethod === httpMethod,
    );
    expect(served?.properties.Integration).toMatchObject({
      Type: 'AWS_PROXY',
      IntegrationHttpMethod: 'POST',
    });
    const serving = Object.values(functions).find(({ arn }) =>
      served?.properties.Integration.Uri?.includes(`/${arn}/`),
    );
    expect(Object.keys(serving?.properties.Environment.Variables ?? {})).toContain(variable);
  });
});

describe('the catch-all', () => {
  const catchAlls = methods.filter(({ properties }) => properties.HttpMethod === 'ANY');

  it('stands at every path that exists, and at every other', () => {
    expect(catchAlls.map(({ path }) => path).toSorted()).toEqual([
      '/',
      '/rest',
      '/rest/warehouse-control',
      '/rest/warehouse-control/changes',
      '/rest/warehouse-control/material-codes',
      '/rest/warehouse-control/material-stock-balance',
      '/rest/warehouse-control/purchase-orders',
      '/{proxy+}',
    ]);
    const resources = deployment.resources('AWS::ApiGateway::Resource');
    expect(catchAlls).toHaveLength(resources.length + 1);
  });

  const each = (check: (method: GatewayMethod, of: Resource<GatewayMethod>) => void) => {
    for (const method of catchAlls) check(method.properties, method);
  };

  it('is behind no function', () => {
    each(({ Integration }, { id }) => {
      expect(Integration.Type, id).toBe('MOCK');
      expect(Integration, id).not.toHaveProperty('Uri');
    });
  });

  it('requires a header that nobody sends, so that the content type of a request does not count', () => {
    const validator = deployment.only<Record<string, unknown>>('AWS::ApiGateway::RequestValidator');
    expect(validator.properties).toMatchObject({ ValidateRequestParameters: true });
    each(({ RequestParameters, RequestValidatorId }, { id }) => {
      expect(RequestParameters, id).toEqual({ 'method.request.header.X-Served-Nowhere': true });
      expect(RequestValidatorId, id).toBe(validator.ref);
    });
  });

  it('hands no body through', () => {
    each(({ Integration }, { id }) => expect(Integration.PassthroughBehavior, id).toBe('NEVER'));
  });

  it('answers 404 as a problem even to whoever sends that header', () => {
    each(({ Integration, MethodResponses }, { id }) => {
      expect(parsed(Integration.RequestTemplates), id).toEqual({ 'application/json': { statusCode: 404 } });
      expect(Integration.IntegrationResponses, id).toHaveLength(1);
      const [response] = Integration.IntegrationResponses ?? [];
      expect(response?.StatusCode, id).toBe('404');
      expect(response?.ResponseParameters, id).toEqual({
        'method.response.header.Content-Type': "'application/problem+json'",
      });
      expect(parsed(response?.ResponseTemplates), id).toEqual({
        'application/json': {
          type: 'about:blank',
          title: 'Not Found',
          status: 404,
          detail: expect.any(String),
          requestId: '$context.requestId',
        },
      });
      expect(MethodResponses, id).toEqual([
        { StatusCode: '404', ResponseParameters: { 'method.response.header.Content-Type': true } },
      ]);
    });
  });
});

const parsed = (templates: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(templates).map(([type, template]) => [type, JSON.parse(template)]));

import { beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../../support/http-client.ts';
import { expectProblem } from '../../support/problem.ts';
import { type RequestOptions, type ScriptedGateway, startGateway } from './scripted-gateway.ts';

/*
 * Facts that LocalStack's tests recorded on AWS (localstack/localstack@8b9a79f0, tests/aws/services/apigateway). Each
 * title ends with the name of the recording. The API is regional. A recording of an EDGE API says so.
 */

let gateway: ScriptedGateway;
beforeAll(async () => {
  gateway = await startGateway({
    edit: ({ resource, add, remove }) => {
      const method = (id: string) => resource('AWS::ApiGateway::Method', `ApiRestApi${id}`).Properties;
      const anywhere = method('proxyANY');
      const { ResourceId } = method('restwarehousecontrolpurchaseordersGET');
      add('AnyOfOrders', 'AWS::ApiGateway::Method', { ...anywhere, ResourceId });
      // Every other path calls the function of POST changes.
      anywhere['Integration'] = method('restwarehousecontrolchangesPOST')['Integration'];
      delete anywhere['RequestParameters'];
      resource('AWS::Lambda::Permission', 'ApiRestApirestwarehousecontrolchangesPOST').Properties[
        'SourceArn'
      ] = 'arn:aws:execute-api:*';
      remove('AWS::ApiGateway::GatewayResponse', 'ApiRestApiAUTHORIZERFAILURE');
      resource('AWS::ApiGateway::GatewayResponse', 'ApiRestApiDEFAULT5XX').Properties['StatusCode'] = '599';
    },
  });
});

const CHANGES = '/live/rest/warehouse-control/changes';

const eventOf = async (path: string, asked: RequestOptions = {}) => {
  expect((await gateway.request(path, asked)).status).toBe(200);
  return gateway.events.at(-1);
};

test.each([
  ['/live/proxy-value/', '/{proxy+}'],
  ['//live/proxy-value', '/{proxy+}'],
  ['/live//proxy-value', '/{proxy+}'],
  ['/live//rest/warehouse-control/changes', '/rest/warehouse-control/changes'],
  [`${CHANGES}/`, '/rest/warehouse-control/changes'],
])('%s reaches the resource %s, test_lambda_aws_proxy_integration (EDGE)', async (path, resource) => {
  const method = resource === '/{proxy+}' ? 'GET' : 'POST';
  const empty = { 'Content-Length': '0' };
  expect(await eventOf(path, { method, headers: empty })).toMatchObject({ resource, body: null });
});

test('an event has the body as it was sent, and every value of a header (developer guide, "Input format of a Lambda function for proxy integration")', async () => {
  const body = '{ "say" : "\\u0421" }';
  const headers = { 'X-Twice': ['first', 'second'], 'x-lower': 'kept' };
  expect(await eventOf(CHANGES, { method: 'POST', headers, body })).toMatchObject({
    resource: '/rest/warehouse-control/changes',
    httpMethod: 'POST',
    headers: { 'X-Twice': 'second', 'x-lower': 'kept' },
    multiValueHeaders: { 'X-Twice': ['first', 'second'] },
    requestContext: {
      stage: 'live',
      authorizer: { principalId: 'allowed', client: 'wms', number: '7', truth: 'true', none: null },
    },
    body,
    isBase64Encoded: false,
  });
});

const RESERVED = [
  ...['Connection', 'Content-MD5', 'Expect', 'Max-Forwards', 'Proxy-Authenticate', 'Server', 'Trailer'],
  ...['Upgrade', 'WWW-Authenticate'],
];
const PASSED_ON = [
  ...['Accept', 'Accept-Charset', 'Accept-Encoding', 'Age', 'Content-Encoding', 'Content-Type', 'Pragma'],
  ...['Range', 'Referer', 'Via', 'Warn'],
];
test('a function gets no header that the gateway keeps for itself, test_apigateway_header_remapping_aws[AWS_PROXY]', async () => {
  const kept = ['Content-MD5', 'Max-Forwards', 'Proxy-Authenticate', 'Server', 'TE', 'WWW-Authenticate'];
  const headers = {
    ...Object.fromEntries([...kept, 'Warn', 'Age'].map((name) => [name, 'own'])),
    Connection: 'close',
  };
  const event = await eventOf(CHANGES, { method: 'POST', headers, body: '{}' });
  const names = Object.keys(Object(event?.['headers'])).map((name) => name.toLowerCase());
  expect(names).toEqual(expect.arrayContaining(['warn', 'age']));
  const all = [...kept, 'Connection', 'Content-Length', 'Transfer-Encoding', 'Expect', 'Upgrade'];
  expect(names.filter((name) => all.some((dropped) => dropped.toLowerCase() === name))).toEqual([]);
});

const valuesOf = (names: string[]) => Object.fromEntries(names.map((name) => [name, `own ${name}`]));
const ownValues = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => String(value).startsWith('own ')));

test("these headers of a function are renamed, and its Transfer-Encoding is dropped, test_apigateway_header_remapping_aws[AWS] (not a proxy's)", async () => {
  const renamed = [...RESERVED, 'Authorization', 'Content-Length', 'Date', 'Host', 'User-Agent'];
  const kept = [...PASSED_ON, 'TE'];
  const headers = valuesOf([...renamed, ...kept, 'Transfer-Encoding']);
  const body = JSON.stringify({ raw: { statusCode: 200, headers } });
  const response = await gateway.request(CHANGES, { method: 'POST', body });
  expect(ownValues(response.headers)).toEqual(
    Object.fromEntries([
      ...renamed.map((name) => [`x-amzn-remapped-${name.toLowerCase()}`, `own ${name}`]),
      ...kept.map((name) => [name.toLowerCase(), `own ${name}`]),
    ]),
  );
});

test('a method of the verb comes before ANY, and slashes at the end make no difference', async () => {
  const path = '/rest/warehouse-control/purchase-orders';
  for (const end of ['', '//']) expect((await eventOf(`/live${path}${end}`)).resource).toBe(path);
});

test('a missing method of a resource falls back to the greedy path, ministackorg/ministack#1423', async () => {
  expect((await eventOf(CHANGES)).resource).toBe('/{proxy+}');
});

describe('X-Amzn-Trace-Id, test_invocation_trace_id (EDGE),', () => {
  const ROOT = 'Root=1-3152b799-8954dae64eda91bc9a23a7e8';
  const COMPLETE = `${ROOT};Parent=7fa8c0f79203be72;Sampled=1`;
  const NEW = /^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/;

  test.each<[string, Record<string, string>, RegExp]>([
    ['has a new trace', {}, NEW],
    ["has the client's trace", { 'x-amzn-trace-id': COMPLETE }, new RegExp(`^${COMPLETE}$`)],
    ['has its trace and a parent', { 'x-amzn-trace-id': ROOT }, new RegExp(`^${ROOT};Parent=\\w{16};`)],
  ])('in the response of a function %s', async (_, headers, trace) => {
    const response = await gateway.request(CHANGES, { method: 'POST', headers, body: '{}' });
    expect(response.headers['x-amzn-trace-id']).toMatch(trace);
  });

  test("is in no mock's response, whether the client sends one or not", async () => {
    for (const headers of [{}, { 'x-amzn-trace-id': COMPLETE }]) {
      const response = await gateway.request('/live/', {
        headers: { ...headers, 'X-Served-Nowhere': '1' },
      });
      expectProblem(response, 404);
      expect(response.headers).not.toHaveProperty('x-amzn-trace-id');
    }
  });
});

describe('an error of the gateway', () => {
  test.each([
    ['INVALID_SIGNATURE with credentials', basic('allowed', 'any'), 404, 'InvalidSignatureException'],
    ['MISSING_AUTHENTICATION_TOKEN without', [], 401, 'MissingAuthenticationTokenException'],
  ])(
    'for a method that no resource has is %s, test_routing_not_found (EDGE)',
    async (_, Authorization, status, type) => {
      const response = await gateway.request('changes', { method: 'PROPFIND', headers: { Authorization } });
      expectProblem(response, status);
      expect(response.headers['x-amzn-errortype']).toBe(type);
    },
  );

  test('without a response of its own has the status and the body of DEFAULT_5XX, test_gateway_response_put (EDGE)', async () => {
    const response = await gateway.request(CHANGES, { method: 'POST', user: 'failing' });
    expect([response.status, response.headers['content-type']]).toEqual([599, 'application/problem+json']);
    expect(response.headers).not.toHaveProperty('x-amzn-trace-id');
  });
});

// ministackorg/ministack#1746 and #1756.
describe('measured by others on a real API in eu-central-1', () => {
  const TYPES = [
    ...['INVALIDAPIKEY', 'BADREQUESTPARAMETERS', 'INVALIDSIGNATURE', 'AUTHORIZERFAILURE'],
    'APICONFIGURATIONERROR',
  ];
  let bare: ScriptedGateway;
  beforeAll(async () => {
    bare = await startGateway({
      edit: ({ remove }) => {
        for (const type of TYPES) remove('AWS::ApiGateway::GatewayResponse', `ApiRestApi${type}`);
        remove('AWS::Lambda::Permission', 'ApiRestApirestwarehousecontrolchangesPOST');
      },
    });
  });

  const changes = { path: 'changes', method: 'POST' };
  test.each<[string, RequestOptions & { path: string }, number]>([
    ['no API key', { path: 'material-codes', user: 'no-key' }, 403],
    ['a key that is in no plan', { path: 'material-codes', user: 'keyed#unknown' }, 403],
    ['no required parameter', { path: 'nowhere' }, 400],
    ['a wrong signature', { path: 'changes', method: 'PROPFIND' }, 403],
    ['an authorizer that fails', { ...changes, user: 'failing' }, 500],
    ['a function that cannot be called', changes, 500],
  ])('%s has its own status and the default body', async (...asked) => {
    const [, { path, ...options }, status] = asked;
    const response = await bare.request(path, options);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/problem+json']);
    const detail = status < 500 ? /^The request was refused/ : /^The service could not/;
    expect(response.json().detail).toMatch(detail);
  });
});

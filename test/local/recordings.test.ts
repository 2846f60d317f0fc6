import { beforeAll, describe, expect, test } from 'vitest';
import { editedAssembly } from '../support/assembly.ts';
import { basic, type Sent, send } from '../support/http-client.ts';
import { type LocalRun, startLocal } from '../support/local-run.ts';
import { expectProblem } from '../support/problem.ts';
import { scriptFunctions } from './scripted-functions.ts';

/*
 * Facts that LocalStack recorded on the platform (localstack/localstack@8b9a79f0, tests/aws/services/apigateway). Each
 * title ends with the name of the recording. The API is regional. A recording of an EDGE API says so. The
 * facts that are recorded and not modelled are in docs/decisions/0009-local-run.md.
 */

let run: LocalRun;
beforeAll(async () => {
  const assemblyFolder = await editedAssembly((assembly) => {
    scriptFunctions(assembly);
    const { resource, remove } = assembly;
    const method = (id: string) => resource('AWS::ApiGateway::Method', `ApiRestApi${id}`).Properties;
    const changes = method('restwarehousecontrolchangesPOST');
    const anywhere = method('proxyANY');
    Object.assign(method('restwarehousecontrolpurchaseordersGET'), {
      RequestValidatorId: anywhere['RequestValidatorId'],
      RequestParameters: {
        'method.request.querystring.qs1': true,
        'method.request.querystring.qs2': false,
        'method.request.path.issuer': true,
        'method.request.header.x-header-param': true,
      },
    });
    delete anywhere['RequestValidatorId'];
    anywhere['Integration'] = { ...Object(changes['Integration']) };
    resource('AWS::Lambda::Permission', 'ApiRestApirestwarehousecontrolchangesPOST').Properties['SourceArn'] =
      'arn:aws:execute-api:*';
    remove('AWS::ApiGateway::Method', 'ApiRestApirestwarehousecontrolchangesANY');
    const balances = method('restwarehousecontrolmaterialstockbalancePOST')['Integration'];
    Object.assign(Object(balances), { IntegrationHttpMethod: 'GET' });
    for (const type of ['BADREQUESTPARAMETERS', 'MISSINGAUTHENTICATIONTOKEN', 'DEFAULT4XX']) {
      remove('AWS::ApiGateway::GatewayResponse', `ApiRestApi${type}`);
    }
    remove('AWS::ApiGateway::GatewayResponse', 'ApiRestApiAUTHORIZERFAILURE');
    resource('AWS::ApiGateway::GatewayResponse', 'ApiRestApiDEFAULT5XX').Properties['StatusCode'] = '599';
  });
  run = await startLocal({ assemblyFolder });
});

const request = (path: string, { headers = {}, ...sent }: Sent = {}) =>
  send(run.url('changes'), {
    path,
    headers: { Authorization: basic('allowed', 'any'), ...headers },
    ...sent,
  });

const CHANGES = '/live/rest/warehouse-control/changes';

describe('a path, test_lambda_aws_proxy_integration (EDGE):', () => {
  test.each([
    ['/live/proxy-value', '/proxy-value', '/live/proxy-value', 'proxy-value'],
    ['/live/proxy-value/', '/proxy-value/', '/live/proxy-value/', 'proxy-value'],
    ['/live/a//b', '/a//b', '/live/a//b', 'a//b'],
    ['//live/proxy-value', '/proxy-value', '/live/proxy-value', 'proxy-value'],
    ['/live//proxy-value', '/proxy-value', '/live//proxy-value', 'proxy-value'],
    ['/live/test%2Balias@gmail.com', '/test%2Balias@gmail.com', '/live/test%2Balias@gmail.com'],
  ])('%s reaches a function as %s', async (sent, path, contextPath, proxy = path.slice(1)) => {
    const { event } = (await request(sent)).json();
    expect(event).toMatchObject({ resource: '/{proxy+}', path, pathParameters: { proxy } });
    expect(event.requestContext).toMatchObject({ path: contextPath, resourcePath: '/{proxy+}' });
  });

  test('two slashes after the stage reach the same resource', async () => {
    const { event } = (await request(CHANGES.replace('live', 'live/'), { method: 'POST' })).json();
    expect(event).toMatchObject({
      resource: '/rest/warehouse-control/changes',
      path: '/rest/warehouse-control/changes',
      pathParameters: null,
      requestContext: { path: '/live//rest/warehouse-control/changes' },
    });
  });

  test('a plus sign in a query is a blank, and %2B is a plus sign', async () => {
    const query = 'time=2023-06-12T18:05:10+00:00&email=a%2Bb@c.de&url=https://d.e/&blank=foo%20bar';
    const { event } = (await request(`/live/proxy-value?${query}`)).json();
    expect(event.queryStringParameters).toEqual({
      time: '2023-06-12T18:05:10 00:00',
      email: 'a+b@c.de',
      url: 'https://d.e/',
      blank: 'foo bar',
    });
  });
});

test('these headers reach no function, test_apigateway_header_remapping_aws[AWS_PROXY]', async () => {
  const kept = {
    Accept: 'application/json',
    'Accept-Charset': 'UTF-8',
    'Accept-Encoding': 'br',
    Age: 'request_Age',
    'Content-Encoding': 'deflate',
    'Content-Type': 'application/json',
    Date: 'request_Date',
    Pragma: 'cache',
    Range: 'bytes=500-999',
    Referer: 'https://example.com/',
    'User-Agent': 'localStack/0.0',
    Via: 'p.example.net',
    Warn: '299 localStack/0.0',
  };
  const dropped = {
    Connection: 'close',
    'Content-MD5': 'request_Content-MD5',
    Expect: '100-continue',
    'Max-Forwards': '2',
    'Proxy-Authenticate': 'Basic',
    Server: 'https://example.com/',
    TE: 'deflate',
    Trailer: 'Expires',
    'Transfer-Encoding': 'chunked',
    Upgrade: 'HTTP/2.0',
    'WWW-Authenticate': 'Basic YWxhZGRpbjpvcGVuc2VzYW1l',
  };
  const { event } = (await request('/live/proxy-value', { headers: { ...kept, ...dropped } })).json();
  expect(event.body).toBeNull();
  expect(event.headers).toEqual({
    ...kept,
    Authorization: basic('allowed', 'any'),
    Host: expect.any(String),
    'X-Amzn-Trace-Id': expect.any(String),
    'X-Forwarded-For': '127.0.0.1',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
  });
});

test("these headers of a function are renamed, and its Transfer-Encoding is dropped, test_apigateway_header_remapping_aws[AWS] (not a proxy's)", async () => {
  const renamed = [
    ...[
      'Authorization',
      'Connection',
      'Content-Length',
      'Content-MD5',
      'Date',
      'Expect',
      'Host',
      'Max-Forwards',
    ],
    ...['Proxy-Authenticate', 'Server', 'Trailer', 'Upgrade', 'User-Agent', 'WWW-Authenticate'],
  ];
  const kept = [
    ...['Accept', 'Accept-Charset', 'Accept-Encoding', 'Age', 'Content-Encoding', 'Content-Type', 'Pragma'],
    ...['Range', 'Referer', 'TE', 'Via', 'Warn'],
  ];
  const names = [...renamed, ...kept, 'Transfer-Encoding'];
  const headers = Object.fromEntries(names.map((name) => [name, `own ${name}`]));
  const raw = { statusCode: 200, headers };
  const answer = await request(CHANGES, { method: 'POST', body: JSON.stringify({ raw }) });
  const own = Object.entries(answer.headers).filter(([, value]) => String(value).startsWith('own '));
  expect(Object.fromEntries(own)).toEqual(
    Object.fromEntries([
      ...renamed.map((name) => [`x-amzn-remapped-${name.toLowerCase()}`, `own ${name}`]),
      ...kept.map((name) => [name.toLowerCase(), `own ${name}`]),
    ]),
  );
});

test('a missing method of a resource falls back to the greedy path, ministackorg/ministack#1423', async () => {
  const { event } = (await request(CHANGES)).json();
  expect(event).toMatchObject({ resource: '/{proxy+}', path: '/rest/warehouse-control/changes' });
});

describe('X-Amzn-Trace-Id, test_invocation_trace_id (EDGE),', () => {
  const ROOT = 'Root=1-3152b799-8954dae64eda91bc9a23a7e8';
  const COMPLETE = `${ROOT};Parent=7fa8c0f79203be72;Sampled=1`;
  const traceFor = async (sent: Record<string, string>) =>
    (await request(CHANGES, { method: 'POST', headers: sent })).headers['x-amzn-trace-id'];

  test('is in the answer of a function, with a new trace', async () => {
    expect(await traceFor({})).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/);
  });

  test("is in the answer of a function with the client's trace, whose parent is made if it is missing", async () => {
    expect(await traceFor({ 'x-amzn-trace-id': COMPLETE })).toBe(COMPLETE);
    expect(await traceFor({ 'x-amzn-trace-id': ROOT })).toMatch(/^Root=1-3152b799-\w+;Parent=[0-9a-f]{16};/);
  });

  test("is in no mock's answer, whether the client sends one or not", async () => {
    for (const headers of [{}, { 'x-amzn-trace-id': COMPLETE }]) {
      const answer = await request('/live/rest', { headers: { ...headers, 'X-Served-Nowhere': '1' } });
      expectProblem(answer, 404);
      expect(answer.headers).not.toHaveProperty('x-amzn-trace-id');
    }
  });
});

describe('a validator of parameters, test_api_gateway_request_validator (EDGE),', () => {
  test.each([
    ['', {}, '[x-header-param, issuer, qs1]'],
    ['?qs1=test', { 'x-header-param': 'test' }, '[issuer]'],
    ['?qs2=test', { 'x-header-param': 'test' }, '[issuer, qs1]'],
  ])('for the query "%s" and the headers %j names all missing parameters', async (query, headers, names) => {
    const answer = await request(`/live/rest/warehouse-control/purchase-orders${query}`, { headers });
    expect([answer.status, answer.headers['x-amzn-errortype']]).toEqual([400, 'BadRequestException']);
    expect(answer.json()).toEqual({ message: `Missing required request parameters: ${names}` });
  });
});

describe('an error of the gateway', () => {
  test('for a method that no resource has is "Missing Authentication Token", test_routing_not_found (EDGE)', async () => {
    const answer = await send(run.url('changes'), { method: 'PROPFIND' });
    expect([answer.status, answer.headers['x-amzn-errortype']]).toEqual([
      403,
      'MissingAuthenticationTokenException',
    ]);
    expect(answer.json()).toEqual({ message: 'Missing Authentication Token' });
  });

  test('for a proxy integration by GET is a 500 without a trace, test_lambda_aws_proxy_integration_non_post_method (EDGE) and test_apigateway_header_remapping_aws[AWS_PROXY]', async () => {
    const balances = '/live/rest/warehouse-control/material-stock-balance';
    const answer = await request(balances, { method: 'POST', body: '{}' });
    expectProblem(answer, 500);
    expect(answer.headers['x-amzn-errortype']).toBe('InternalServerErrorException');
    expect(answer.headers).not.toHaveProperty('x-amzn-trace-id');
  });

  test('without a response of its own has the status and the body of DEFAULT_5XX, test_gateway_response_put (EDGE)', async () => {
    const answer = await request(CHANGES, {
      method: 'POST',
      headers: { Authorization: basic('failing', 'any') },
    });
    expect([answer.status, answer.headers['content-type']]).toEqual([599, 'application/problem+json']);
  });
});

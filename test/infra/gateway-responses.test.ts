import { describe, expect, it } from 'vitest';
import { deploymentOf } from './deployment.ts';

type GatewayResponse = {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters: Record<string, string>;
  ResponseTemplates: Record<string, string>;
};

/** All types that API Gateway has, apart from REQUEST_TOO_LARGE, which cannot be customised. */
const promised: [type: string, status: string | undefined, title: string][] = [
  ['ACCESS_DENIED', '401', 'Unauthorized'],
  ['API_CONFIGURATION_ERROR', '500', 'Internal Server Error'],
  ['AUTHORIZER_CONFIGURATION_ERROR', '500', 'Internal Server Error'],
  ['AUTHORIZER_FAILURE', '500', 'Internal Server Error'],
  ['BAD_REQUEST_BODY', '400', 'Bad Request'],
  ['BAD_REQUEST_PARAMETERS', '404', 'Not Found'],
  // A status here would change the status of a whole class of errors.
  ['DEFAULT_4XX', undefined, 'Bad Request'],
  ['DEFAULT_5XX', undefined, 'Bad Gateway'],
  ['EXPIRED_TOKEN', '401', 'Unauthorized'],
  ['INTEGRATION_FAILURE', '504', 'Gateway Timeout'],
  ['INTEGRATION_TIMEOUT', '504', 'Gateway Timeout'],
  ['INVALID_API_KEY', '403', 'Forbidden'],
  ['INVALID_SIGNATURE', '404', 'Not Found'],
  ['MISSING_AUTHENTICATION_TOKEN', '401', 'Unauthorized'],
  ['QUOTA_EXCEEDED', '429', 'Too Many Requests'],
  ['RESOURCE_NOT_FOUND', '404', 'Not Found'],
  ['THROTTLED', '429', 'Too Many Requests'],
  ['UNAUTHORIZED', '401', 'Unauthorized'],
  ['UNSUPPORTED_MEDIA_TYPE', '415', 'Unsupported Media Type'],
  ['WAF_FILTERED', '403', 'Forbidden'],
];
const bodyStatusOfDefaults: Record<string, number> = { DEFAULT_4XX: 400, DEFAULT_5XX: 502 };

const responses = deploymentOf()
  .resources<GatewayResponse>('AWS::ApiGateway::GatewayResponse')
  .map(({ properties }) => properties);
const responseOf = (type: string) => {
  const response = responses.find(({ ResponseType }) => ResponseType === type);
  if (!response) throw new Error(`There is no response ${type}.`);
  return response;
};
const typesOf = (isWanted: (response: GatewayResponse) => boolean) =>
  responses
    .filter(isWanted)
    .map(({ ResponseType }) => ResponseType)
    .toSorted();
const header = (name: string) => `gatewayresponse.header.${name}`;

describe('the answers of the gateway itself', () => {
  it('are there for every type of error, once', () => {
    expect(typesOf(() => true)).toEqual(promised.map(([type]) => type));
  });

  it.each(promised)('are, for %s, of the status %s and a problem of the same', (type, status, title) => {
    const response = responseOf(type);
    expect(response.StatusCode).toBe(status);
    expect(response.ResponseParameters[header('Content-Type')]).toBe("'application/problem+json'");
    expect(Object.keys(response.ResponseTemplates)).toEqual(['application/json']);
    const body = JSON.parse(response.ResponseTemplates['application/json'] ?? '');
    expect(body).toEqual({
      type: 'about:blank',
      title,
      status: status ? Number(status) : bodyStatusOfDefaults[type],
      detail: expect.stringMatching(/^[A-Z].+\.$/),
      requestId: '$context.requestId',
    });
  });

  it('fill in the id of the request and nothing that the client sent', () => {
    for (const { ResponseType, ResponseTemplates } of responses) {
      const variables = JSON.stringify(ResponseTemplates).match(/\$[\w.]+/g);
      expect(variables, ResponseType).toEqual(['$context.requestId']);
    }
  });

  it('carry the challenge with every 401 and with no other', () => {
    const challenge = `'Basic realm="warehouse-control", charset="UTF-8"'`;
    const unauthorized = typesOf(({ StatusCode }) => StatusCode === '401');
    expect(typesOf(({ ResponseParameters: sent }) => sent[header('WWW-Authenticate')] === challenge)).toEqual(
      unauthorized,
    );
    expect(typesOf(({ ResponseParameters: sent }) => header('WWW-Authenticate') in sent)).toEqual(
      unauthorized,
    );
  });

  it('are the same for missing, malformed, wrong and denied credentials', () => {
    const { ResponseType: _, ...missing } = responseOf('UNAUTHORIZED');
    for (const type of ['ACCESS_DENIED', 'EXPIRED_TOKEN', 'MISSING_AUTHENTICATION_TOKEN']) {
      expect(responseOf(type)).toEqual({ ResponseType: type, ...missing });
    }
  });

  it('tell with every 429 after how many seconds to come again', () => {
    expect(responseOf('THROTTLED').ResponseParameters[header('Retry-After')]).toMatch(/^'[1-9][0-9]*'$/);
    expect(typesOf(({ ResponseParameters: sent }) => header('Retry-After') in sent)).toEqual(
      typesOf(({ StatusCode }) => StatusCode === '429'),
    );
  });
});

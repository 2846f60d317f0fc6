import { operations } from '../../shared/operations.ts';
import { correct, type Fact } from '../fact.ts';
import type { Request } from '../http/client.ts';
import { describe } from '../http/describe.ts';

const ORDERS = operations['get-purchase-orders'];
const BATCH = operations['post-material-stock-balance'];
const NOWHERE = { method: 'GET', path: '/rest/warehouse-control/nothing' };
const FORM = {
  method: 'POST',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body: 'a=b',
};
const GATEWAY = 'local/gateway/gateway.ts';
const ROUTE = 'local/gateway/route.ts';

const NOT_FOUND = '404 application/problem+json, a request id';
const SUCCESS = '200 application/json, a request id';
const TOO_LARGE = '413 application/problem+json, a request id';
/** The platform's own limit comes before the gateway's responses. */
const FAR_TOO_LARGE = '413 text; charset=utf-8, no request id';

const MB = 1_000_000;
const bodyOf = (bytes: number) => `"${'a'.repeat(bytes)}"`;

const requests: [name: string, request: Request, text: string, model: string][] = [
  ['an unknown path', NOWHERE, NOT_FOUND, GATEWAY],
  ['a form to an unknown path', { ...NOWHERE, ...FORM }, NOT_FOUND, GATEWAY],
  ['another method of an operation', { ...ORDERS, method: 'PUT' }, NOT_FOUND, ROUTE],
  ['a base URL that ends in a slash', { ...ORDERS, path: `/${ORDERS.path}` }, SUCCESS, ROUTE],
  ['a body of 6.5 MB', { ...BATCH, body: bodyOf(6.5 * MB) }, TOO_LARGE, GATEWAY],
  ['a body of 11 MB', { ...BATCH, body: bodyOf(11 * MB) }, FAR_TOO_LARGE, 'local/gateway/payload.ts'],
];

/** What API Gateway does. Nothing is stored. */
export const gatewayFacts = requests.map(
  ([name, request, text, model]): Fact => ({
    name,
    text,
    see: async (client) => {
      const response = await client.send(request);
      return `${describe(response)}, ${response.headers['x-amzn-requestid'] ? 'a' : 'no'} request id`;
    },
    advise: correct(model),
  }),
);

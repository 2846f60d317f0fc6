import fc from 'fast-check';
import { basic } from '../../support/http-client.ts';
import type { Verdict } from './reference.ts';

/** Is in credentials and headers, so that a test can search the log for it. */
export const HEADER_MARKER = 'Kennwort9X';

export type Credentials = { username: string; password: string };

/** A request, and what the contract demands for it. */
export type Attempt = {
  what: string;
  method: string;
  /** Below the base URL. */
  path: string;
  headers: Record<string, string>;
  /** Made when the request is sent, so that no failure report shows a password. */
  authorization?: (credentials: Credentials) => string | string[];
  body?: Buffer;
  statuses: readonly number[];
  keeps?: Extract<Verdict, { status: 200 }>['keeps'];
  /** The answer is from the platform itself, without a template of this project. */
  isPlain?: boolean;
};

const PREFIX = '/rest/warehouse-control';
export const CHANGES = `${PREFIX}/changes`;
export const BALANCES = `${PREFIX}/material-stock-balance`;
export const LISTS = [`${PREFIX}/material-codes`, `${PREFIX}/purchase-orders`] as const;

export const authorizationOf = ({ username, password }: Credentials) => basic(username, password);

export const isList = (path: string) => LISTS.some((list) => list === path);

export const jsonTypes = fc.constantFrom('application/json', 'Application/JSON ; charset="UTF-8"');
export const otherTypes = fc.constantFrom('text/plain', 'text/json5', 'application/jsonx', 'json', '', '*/*');

/** No answer may depend on these headers, apart from its compression. */
export const harmless: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom('Accept', 'Accept-Encoding', 'Cookie', 'Origin', 'X-HTTP-Method-Override', '__proto__'),
  fc.oneof(
    fc.constantFrom('', '*/*', 'gzip', 'identity', `a=${HEADER_MARKER}`, 'DELETE', 'x'.repeat(3_000)),
    fc.string({ unit: fc.constantFrom(...'abc;,="\\{}%\t '), maxLength: 30 }),
  ),
  { maxKeys: 3 },
);

export const query = fc.oneof(
  fc.constant(''),
  fc.string({ unit: fc.constantFrom(...'abc=&%2F1[]?;+'), maxLength: 20 }).map((text) => `?${text}`),
);

import { basic } from '../../support/http-client.ts';
import type { Credentials } from '../wrong-headers.ts';
import type { Verdict } from './reference.ts';

/** Is in credentials and headers, so that a test can search the log for it. */
export const HEADER_MARKER = 'Kennwort9X';

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

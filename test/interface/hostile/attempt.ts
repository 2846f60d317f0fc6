import { basic } from '../../support/http-client.ts';
import type { Credentials } from '../wrong-headers.ts';
import type { Verdict } from './reference.ts';

/** A mark in credentials and headers, which no log line may hold. */
export const HEADER_MARKER = 'Kennwort9X';

/** A request, and what the contract has for it. */
export type Attempt = {
  what: string;
  method: string;
  /** Below the base URL. */
  path: string;
  headers: Record<string, string>;
  /** Made when it is sent, so that no report of a failure shows a password. */
  authorization?: (credentials: Credentials) => string | string[];
  body?: Buffer;
  statuses: readonly number[];
  keeps?: Extract<Verdict, { status: 200 }>['keeps'];
  /** An answer of the platform itself, which no template of ours shapes. */
  isPlain?: boolean;
};

const PREFIX = '/rest/warehouse-control';
export const CHANGES = `${PREFIX}/changes`;
export const BALANCES = `${PREFIX}/material-stock-balance`;
export const LISTS = [`${PREFIX}/material-codes`, `${PREFIX}/purchase-orders`] as const;

export const authorizationOf = ({ username, password }: Credentials) => basic(username, password);

/** The lists are read, and everything else is written. */
export const isList = (path: string) => LISTS.some((list) => list === path);

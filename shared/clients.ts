import { createHash } from 'node:crypto';
import * as v from 'valibot';

/** A client as the authorizer knows it: by a digest of its user name. */
export type KnownClient = { userKey: string; name: string; secret: string };

/**
 * A digest, because user names may be long and a function's environment holds 4 KB, which has to suffice for
 * thirty clients. 72 bits tell them apart; the password does the rest.
 */
export const userKeyOf = (username: string) =>
  createHash('sha256').update(username).digest('base64url').slice(0, 12);

const Clients = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.string(), v.string(), v.string()])));

export const encodeClients = (clients: readonly KnownClient[]) =>
  JSON.stringify(clients.map(({ userKey, name, secret }) => [userKey, name, secret]));

export const decodeClients = (text: string): KnownClient[] =>
  v.parse(Clients, text).map(([userKey, name, secret]) => ({ userKey, name, secret }));

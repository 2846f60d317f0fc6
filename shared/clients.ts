import { createHash } from 'node:crypto';

/** A client as the authorizer knows it: by a digest of its user name. */
export type KnownClient = { userKey: string; name: string; secret: string };

/**
 * A digest, because user names may be long and a function's environment holds 4 KB, which has to suffice for
 * thirty clients. 72 bits tell them apart; the password does the rest.
 */
export const userKeyOf = (username: string) =>
  createHash('sha256').update(username).digest('base64url').slice(0, 12);

/** Neither sign can be in any of the three. JSON would take up room, since it is JSON again what the platform measures. */
const BETWEEN_CLIENTS = ',';
const BETWEEN_PARTS = ':';

export const encodeClients = (clients: readonly KnownClient[]) =>
  clients
    .map(({ userKey, name, secret }) => [userKey, name, secret].join(BETWEEN_PARTS))
    .join(BETWEEN_CLIENTS);

export const decodeClients = (text: string): KnownClient[] =>
  text.split(BETWEEN_CLIENTS).map((client) => {
    const [userKey, name, secret, ...others] = client.split(BETWEEN_PARTS);
    if (!userKey || !name || !secret || others.length > 0) throw new Error('The list of clients is damaged.');
    return { userKey, name, secret };
  });

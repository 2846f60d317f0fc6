import { createHash } from 'node:crypto';

/** Without a colon: a name with one could be the key of a snapshot's later part. */
export const CLIENT_NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** `secret` is the name of the secret as in its ARN. It is not confidential. */
export type KnownClient = { userKey: string; name: string; secret: string };

/** A digest, because user names may be long, and 30 clients must fit a function's environment of 4 KB. */
export const userKeyOf = (username: string) =>
  createHash('sha256').update(username).digest('base64url').slice(0, 12);

/** Neither separator can occur in a field. JSON would be longer. */
const CLIENT_SEPARATOR = ',';
const FIELD_SEPARATOR = ':';

export const encodeClients = (clients: readonly KnownClient[]) =>
  clients
    .map(({ userKey, name, secret }) => [userKey, name, secret].join(FIELD_SEPARATOR))
    .join(CLIENT_SEPARATOR);

export const decodeClients = (text: string): KnownClient[] =>
  text.split(CLIENT_SEPARATOR).map((client) => {
    const [userKey, name, secret, ...others] = client.split(FIELD_SEPARATOR);
    if (!userKey || !name || !secret || others.length > 0) throw new Error('The list of clients is damaged.');
    return { userKey, name, secret };
  });

import * as v from 'valibot';
import { MAX_SILENCE_HOURS } from '../limits.ts';
import type { AttributeValue, Item } from '../storage/attribute-json.ts';

/**
 * Without a colon: a name with one could be the key of a snapshot's later part. Not "-" alone, which the access log has
 * for a request without a client, and not `.` or `..`, which a URL drops.
 */
export const CLIENT_NAME = /^(?!(-|\.{1,2})$)[A-Za-z0-9._-]{1,64}$/;

/** RFC 7617 forbids the colon. */
export const USER_NAME = /^[^\p{Cc}\p{Cs}:]{1,128}$/u;

const integer = (from: number, to = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(from), v.maxValue(to));
const instant = v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z'));
const salt = v.pipe(v.string(), v.nonEmpty());
const hash = v.pipe(v.string(), v.regex(/^[\w+/]{43}=$/, 'is not a SHA-256 hash in base64.'));

/** An item of the table Clients. A removed client has no hashes. */
export const Client = v.object({
  Client: v.pipe(v.string(), v.regex(CLIENT_NAME)),
  UserName: v.pipe(v.string(), v.regex(USER_NAME)),
  Salt: v.exactOptional(salt),
  Hash: v.exactOptional(hash),
  PreviousSalt: v.exactOptional(salt),
  PreviousHash: v.exactOptional(hash),
  /** The previous password is valid until then. */
  PreviousUntil: v.exactOptional(instant),
  Plan: v.string(),
  Slot: integer(1),
  SilenceHours: integer(0, MAX_SILENCE_HOURS),
  /** Silence before this is not counted. */
  SilenceFrom: instant,
  CreatedAt: instant,
  PasswordChangedAt: instant,
  /** The ARN of the person or role that changed the item last. */
  ChangedBy: v.string(),
  Version: integer(1),
  LockedAt: v.exactOptional(instant),
  RemovedAt: v.exactOptional(instant),
  /** The password was chosen by a person, so it may be weak. */
  OwnPassword: v.exactOptional(v.literal(true)),
});
export type Client = v.InferOutput<typeof Client>;

/** All that a person may see. */
export const ClientWithoutHashes = v.omit(Client, ['Salt', 'Hash', 'PreviousSalt', 'PreviousHash']);
export type ClientWithoutHashes = v.InferOutput<typeof ClientWithoutHashes>;

/** All that tells whether a client is late. */
export const WatchedClient = v.pick(Client, [
  'Client',
  'SilenceHours',
  'SilenceFrom',
  'LockedAt',
  'RemovedAt',
]);
export type WatchedClient = v.InferOutput<typeof WatchedClient>;

type Plain = string | number | boolean;

/** Clients have only texts, numbers and truth values. Other values become undefined, which the schemas refuse. */
export const toPlain = (item: Item): Record<string, Plain | undefined> =>
  Object.fromEntries(
    Object.entries(item).map(([name, { S, N, BOOL }]) => [name, S ?? (N === undefined ? BOOL : Number(N))]),
  );

const toAttribute = (value: Plain): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  return typeof value === 'number' ? { N: String(value) } : { BOOL: value };
};

/** Keeps attributes of the stored item that are not of this project. */
export const toItem = (client: Client, stored: Item = {}): Item => {
  const others = Object.entries(stored).filter(([name]) => !Object.hasOwn(Client.entries, name));
  const own = Object.entries(client).map(([name, value]) => [name, toAttribute(value)]);
  return { ...Object.fromEntries(others), ...Object.fromEntries(own) };
};

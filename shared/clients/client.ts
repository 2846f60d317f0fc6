import * as v from 'valibot';
import { MAX_SILENCE_HOURS } from '../limits.ts';
import type { AttributeValue, Item } from '../storage/attribute-json.ts';

/**
 * A name has no colon, because the keys of a snapshot's later parts have a colon. A name is not "-", which the access log has
 * for a request without a client, and not `.` or `..`, which a URL drops.
 */
export const CLIENT_NAME = /^(?!(-|\.{1,2})$)[A-Za-z0-9._-]{1,64}$/;
export const CLIENT_NAME_RULE =
  'A client name has 1 to 64 letters, digits, ".", "_" and "-". It is not "-", "." or "..".';
export const ClientName = v.pipe(v.string(), v.regex(CLIENT_NAME, CLIENT_NAME_RULE));

/** RFC 7617 forbids the colon. */
export const USER_NAME = /^[^\p{Cc}\p{Cs}:]{1,128}$/u;
export const USER_NAME_RULE = 'A user name has 1 to 128 characters, without colons and control characters.';

/** The languages of messages to a warehouse. */
export const LANGUAGES = ['en', 'de', 'ru'] as const;

const integer = (from: number, to = Number.MAX_SAFE_INTEGER) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(from), v.maxValue(to));
const instant = v.pipe(v.string(), v.isoTimestamp(), v.endsWith('Z'));
const salt = v.pipe(v.string(), v.nonEmpty());
const hash = v.pipe(v.string(), v.regex(/^[\w+/]{43}=$/, 'is not a SHA-256 hash in base64.'));

/** An item of the table Clients. A removed client has no hashes. */
export const Client = v.object({
  Client: ClientName,
  UserName: v.pipe(v.string(), v.regex(USER_NAME)),
  Salt: v.exactOptional(salt),
  Hash: v.exactOptional(hash),
  PreviousSalt: v.exactOptional(salt),
  PreviousHash: v.exactOptional(hash),
  /** The previous password is valid until this time. */
  PreviousUntil: v.exactOptional(instant),
  Plan: v.string(),
  Slot: integer(1),
  SilenceHours: integer(0, MAX_SILENCE_HOURS),
  /** Silence before this time is not counted. */
  SilenceFrom: instant,
  /** Earlier hours of silence, as `FROM/UNTIL/HOURS`. The watch needs them if an admin changed the client in the hour, or just after it. */
  FormerSilence: v.exactOptional(v.string()),
  CreatedAt: instant,
  PasswordChangedAt: instant,
  /** The ARN of the person or role that changed the item last. */
  ChangedBy: v.string(),
  Version: integer(1),
  LockedAt: v.exactOptional(instant),
  RemovedAt: v.exactOptional(instant),
  /** A person chose the password, so it may be weak. */
  OwnPassword: v.exactOptional(v.literal(true)),
  /** How to reach the people of the warehouse. It may have several lines. */
  Contact: v.exactOptional(v.pipe(v.string(), v.regex(/^(?:[^\p{Cc}\p{Cs}]|\n){1,500}$/u))),
  /** The name of the warehouse for people. */
  DisplayName: v.exactOptional(v.pipe(v.string(), v.regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u))),
  Language: v.exactOptional(v.picklist(LANGUAGES)),
});
export type Client = v.InferOutput<typeof Client>;

/** The attributes that a person may see. */
export const ClientWithoutHashes = v.omit(Client, ['Salt', 'Hash', 'PreviousSalt', 'PreviousHash']);
export type ClientWithoutHashes = v.InferOutput<typeof ClientWithoutHashes>;

/** The attributes that sign-in reads. A client signs in although another attribute is damaged. */
export const SignInClient = v.pick(Client, [
  'Client',
  'UserName',
  'Salt',
  'Hash',
  'PreviousSalt',
  'PreviousHash',
  'PreviousUntil',
  'Plan',
  'Slot',
  'SilenceHours',
  'LockedAt',
  'RemovedAt',
]);
export type SignInClient = v.InferOutput<typeof SignInClient>;

/** The attributes that tell whether a client is late. */
export const WatchedClient = v.pick(Client, [
  'Client',
  'SilenceHours',
  'SilenceFrom',
  'FormerSilence',
  'LockedAt',
  'RemovedAt',
]);
export type WatchedClient = v.InferOutput<typeof WatchedClient>;

type PlainValue = string | number | boolean;

/** Clients have only strings, numbers and booleans. Other values become undefined, which the schemas refuse. */
export const toPlain = (item: Item): Record<string, PlainValue | undefined> =>
  Object.fromEntries(
    Object.entries(item).map(([name, { S, N, BOOL }]) => [name, S ?? (N === undefined ? BOOL : Number(N))]),
  );

const toAttribute = (value: PlainValue): AttributeValue => {
  if (typeof value === 'string') return { S: value };
  return typeof value === 'number' ? { N: String(value) } : { BOOL: value };
};

/** Some attributes of a client. */
export const ClientAttributes = v.object({ ...v.partial(Client).entries, Client: v.string() });
export type ClientAttributes = v.InferOutput<typeof ClientAttributes>;

/** The stored item with these attributes. Those that are undefined are removed, and all others stay as they are. */
export const toItem = (attributes: ClientAttributes, stored: Item = {}): Item => {
  const item = { ...stored };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) delete item[name];
    else item[name] = toAttribute(value);
  }
  return item;
};

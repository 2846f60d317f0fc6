import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { Client, type ClientAttributes, LANGUAGES, toItem } from '../../shared/clients/client.ts';
import { formerSilenceAt } from '../../shared/clients/lateness.ts';
import { newClient, passwordAttributes } from '../../shared/clients/new-client.ts';
import { isPasswordOf } from '../../shared/clients/password.ts';
import { MAX_SILENCE_HOURS } from '../../shared/limits.ts';
import { mapValues } from '../../shared/object-keys.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { Failure } from '../text/failure.ts';
import { type Message, message, step } from '../text/message.ts';
import { formatTime } from '../text/time.ts';

/** A change of a client. A change with a question is written only after the answer yes. */
export type ClientChange = {
  question?: Message | undefined;
  /** The attributes to write, or to remove if they are undefined. All others stay as they are, even damaged ones. */
  attributes: Omit<ClientAttributes, 'ChangedBy' | 'Version'>;
  /** Shown after the write. */
  message: Message;
  password?: string | undefined;
};

export const NOTHING = 'Nothing was changed.';

/** The end of the previous password. Undefined if no previous password is valid. */
export const validUntil = (previousUntil: string | undefined, now: Date) =>
  previousUntil !== undefined && new Date(previousUntil) > now ? previousUntil : undefined;

type Rotation = {
  password: string;
  overlapHours: number;
  /** Replaces the current password, because it was lost, and keeps the previous password. */
  isAgain: boolean;
};

/** Without `isAgain`, the current password becomes the previous password. */
export const rotate = (
  client: ClientAttributes,
  { password, overlapHours, isAgain }: Rotation,
  now: Date,
): ClientChange => {
  const { Client: name, Salt, Hash, PreviousSalt, PreviousHash, PreviousUntil, LockedAt } = client;
  if (Salt && Hash && isPasswordOf(password, { Salt, Hash })) {
    throw new Failure(`${name} already has this password. ${NOTHING}`);
  }
  const until = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
  const [keptSalt, keptHash, keptUntil] = isAgain
    ? [PreviousSalt, PreviousHash, PreviousUntil]
    : [Salt, Hash, overlapHours > 0 ? until : undefined];
  const previous =
    keptSalt && keptHash && keptUntil
      ? { PreviousSalt: keptSalt, PreviousHash: keptHash, PreviousUntil: keptUntil }
      : NO_PREVIOUS;
  const end = validUntil(previous.PreviousUntil, now);
  const start = LockedAt
    ? message`only after ${step('unlockClient', name)}, because ${name} is locked`
    : 'after at most 60 s';
  return {
    question: rotationQuestion(name, validUntil(PreviousUntil, now), isAgain),
    attributes: { Client: name, OwnPassword: undefined, ...previous, ...passwordAttributes(password, now) },
    message: message`The new password of ${name} works ${start}. The previous password ${end ? `stays valid until ${formatTime(new Date(end))}` : 'ends with this change'}.`,
    password,
  };
};

const NO_PREVIOUS = { PreviousSalt: undefined, PreviousHash: undefined, PreviousUntil: undefined };

/** A second rotation within the overlap ends the previous password, which may be the only password that the warehouse knows. */
const rotationQuestion = (name: string, previousUntil: string | undefined, isAgain: boolean) => {
  if (isAgain && !previousUntil) {
    return `${name} has no valid previous password, and a new password ends the current password at once. Replace the current password?`;
  }
  return previousUntil && !isAgain
    ? message`Two passwords are valid: the current password, and the previous password until ${formatTime(new Date(previousUntil))}. A new password ends the previous password at once. If the current password is lost, use ${step('replacePassword')}: it replaces the current password only. Set a new password anyway?`
    : undefined;
};

export const lock = ({ Client, LockedAt }: ClientAttributes, now: Date): ClientChange => {
  if (LockedAt)
    throw new Failure(`${Client} is already locked, since ${formatTime(new Date(LockedAt))}. ${NOTHING}`);
  return {
    attributes: { Client, LockedAt: now.toISOString() },
    message: message`${Client} is locked. Its access ends within 60 s, and ${step('unlockClient', Client)} restores the access.`,
  };
};

export const unlock = (client: ClientAttributes, now: Date): ClientChange => {
  const { Client, LockedAt } = client;
  if (!LockedAt) throw new Failure(`${Client} is not locked. ${NOTHING}`);
  return {
    attributes: { Client, LockedAt: undefined, ...newSilence(client, now) },
    message: `${Client} is unlocked. It has access within 60 s.`,
  };
};

/** The hours of silence start again. */
const newSilence = (client: ClientAttributes, now: Date) => ({
  SilenceFrom: now.toISOString(),
  FormerSilence: formerSilenceAt(client, now),
});

export const Hours = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SILENCE_HOURS));

/** What an admin may set. Wrong names get the sentences of the commands, which a schema has not. */
export const ClientValues = v.strictObject({
  userName: v.optional(v.string()),
  plan: v.optional(v.string()),
  silenceHours: v.optional(Hours),
  share: v.optional(v.boolean()),
  contact: v.optional(v.string()),
  displayName: v.optional(v.string()),
  language: v.optional(v.string()),
});
export type ClientValues = v.InferOutput<typeof ClientValues>;

/** What people need to write to a warehouse. An empty text removes a value. */
export type Details = Pick<ClientValues, 'contact' | 'displayName' | 'language'>;

const { Contact, DisplayName, Language } = Client.entries;
const DetailAttributes = v.object({
  Contact: v.optional(
    v.message(Contact.wrapped, 'A contact has up to 500 characters, without control characters.'),
  ),
  DisplayName: v.optional(
    v.message(DisplayName.wrapped, 'A display name has up to 100 characters, in one line.'),
  ),
  Language: v.optional(v.message(Language.wrapped, `A language is one of ${LANGUAGES.join(', ')}.`)),
});

const toDetails = ({ contact, displayName, language }: Details) => {
  const texts = Object.entries({
    Contact: contact?.replaceAll('\t', ' '),
    DisplayName: displayName,
    Language: language,
  })
    .filter(([, text]) => text !== undefined)
    .map(([name, text]) => [name, text?.replaceAll('\r\n', '\n').trim() || undefined]);
  const { success, output, issues } = v.safeParse(DetailAttributes, Object.fromEntries(texts));
  if (success) return output;
  throw new Failure(`${issues[0].message} ${NOTHING}`);
};

type Values = Omit<ClientValues, 'plan' | 'share'> & { slot?: { Plan: string; Slot: number } | undefined };

export const set = (
  client: ClientAttributes,
  { userName, silenceHours, slot, ...details }: Values,
  now: Date,
): ClientChange => {
  const hasNewHours = silenceHours !== undefined && silenceHours !== client.SilenceHours;
  const attributes = {
    Client: client.Client,
    ...(userName === undefined ? {} : { UserName: userName }),
    ...slot,
    ...toDetails(details),
    ...(hasNewHours ? { SilenceHours: silenceHours, ...newSilence(client, now) } : {}),
  };
  if (isDeepStrictEqual(toItem({ ...client, ...attributes }), toItem(client)))
    throw new Failure(`${client.Client} already has these values. ${NOTHING}`);
  return { attributes, message: `${client.Client} is changed. The change applies within 60 s.` };
};

/** Without these, a new client would keep attributes of a removed client. */
const NO_ATTRIBUTES = mapValues(Client.entries, () => undefined);

/** `removed` is a removed client with this name. */
export const add = (
  client: Parameters<typeof newClient>[0] & Details,
  removed: ClientAttributes | undefined,
): ClientChange => ({
  attributes: {
    ...NO_ATTRIBUTES,
    ...newClient(client),
    ...toDetails(client),
    FormerSilence: removed && formerSilenceAt(removed, client.now),
  },
  message: `${client.name} is added. It has access within 60 s.`,
  password: client.password,
});

/** Keeps the item without its hashes, because batches and changes still name the client. */
export const remove = (client: ClientAttributes, now: Date): ClientChange => {
  const time = now.toISOString();
  // They take the place of damaged attributes, which nobody needs any more.
  const defaults = {
    ...{ UserName: client.Client, Plan: 'none', Slot: 1, SilenceHours: 0 },
    ...{ SilenceFrom: time, CreatedAt: time, PasswordChangedAt: time },
  };
  const { Salt, Hash, PreviousSalt, PreviousHash, PreviousUntil, OwnPassword, Contact, ...kept } = client;
  return {
    question: `${client.Client} loses its password and its access. Remove the client?`,
    attributes: { ...NO_ATTRIBUTES, ...defaults, ...kept, RemovedAt: time },
    message: message`${client.Client} is removed. Its access ends within 60 s. Its batches and changes stay, and ${step('addClient', client.Client)} adds a new client.`,
  };
};

import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../shared/clients/client.ts';
import { passwordAttributes } from '../../shared/clients/new-client.ts';
import { isPasswordOf } from '../../shared/clients/password.ts';
import { HOUR_MS } from '../../shared/time.ts';
import { Failure } from '../text/failure.ts';

/** A change of a client. A change with a question is written only after the answer yes. */
export type ClientChange = {
  question?: string | undefined;
  next: Omit<Client, 'ChangedBy' | 'Version'>;
  /** Shown after the write. */
  message: string;
  /** A new password. */
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
  { OwnPassword, PreviousSalt, PreviousHash, PreviousUntil, ...client }: Client,
  { password, overlapHours, isAgain }: Rotation,
  now: Date,
): ClientChange => {
  const { Client: name, Salt, Hash, LockedAt } = client;
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
      : {};
  const next = { ...client, ...previous, ...passwordAttributes(password, now) };
  const end = validUntil(previous.PreviousUntil, now);
  const start = LockedAt
    ? `only after \`clients unlock ${name}\`, because ${name} is locked`
    : 'after at most 60 s';
  return {
    question: rotationQuestion(name, validUntil(PreviousUntil, now), isAgain),
    next,
    message: `The new password of ${name} works ${start}. The previous password ${end ? `stays valid until ${end}` : 'ends with this change'}.`,
    password,
  };
};

/** A second rotation within the overlap ends the previous password, which may be the only password that the warehouse knows. */
const rotationQuestion = (name: string, previousUntil: string | undefined, isAgain: boolean) => {
  if (isAgain && !previousUntil) {
    return `${name} has no valid previous password, and a new password ends the current password at once. Replace the current password?`;
  }
  return previousUntil && !isAgain
    ? `Two passwords are valid: the current password, and the previous password until ${previousUntil}. A new password ends the previous password at once. If the current password is lost, use --again: it replaces the current password only. Set a new password anyway?`
    : undefined;
};

export const lock = (client: Client, now: Date): ClientChange => {
  const { Client: name, LockedAt } = client;
  if (LockedAt) throw new Failure(`${name} is already locked, since ${LockedAt}. ${NOTHING}`);
  const message = `${name} is locked. Its access ends within 60 s, and \`clients unlock ${name}\` restores the access.`;
  return { next: { ...client, LockedAt: now.toISOString() }, message };
};

export const unlock = ({ LockedAt, ...client }: Client, now: Date): ClientChange => {
  if (!LockedAt) throw new Failure(`${client.Client} is not locked. ${NOTHING}`);
  const message = `${client.Client} is unlocked. It has access within 60 s.`;
  return { next: { ...client, SilenceFrom: now.toISOString() }, message };
};

type Values = {
  userName?: string | undefined;
  silenceHours?: number | undefined;
  slot?: { Plan: string; Slot: number } | undefined;
};

export const set = (client: Client, values: Values, now: Date): ClientChange => {
  const { userName = client.UserName, silenceHours = client.SilenceHours, slot } = values;
  const next = {
    ...client,
    ...slot,
    UserName: userName,
    SilenceHours: silenceHours,
    SilenceFrom: silenceHours === client.SilenceHours ? client.SilenceFrom : now.toISOString(),
  };
  if (isDeepStrictEqual(next, client))
    throw new Failure(`${client.Client} already has these values. ${NOTHING}`);
  return { next, message: `${client.Client} is changed. The change applies within 60 s.` };
};

/** Keeps the item without its hashes, because batches and changes still name the client. */
export const remove = (
  { Salt, Hash, PreviousSalt, PreviousHash, PreviousUntil, OwnPassword, LockedAt, ...client }: Client,
  now: Date,
): ClientChange => {
  const { Client: name } = client;
  return {
    question: `${name} loses its password and its access. Remove the client?`,
    next: { ...client, RemovedAt: now.toISOString() },
    message: `${name} is removed. Its access ends within 60 s. Its batches and changes stay, and \`clients add ${name}\` adds a new client.`,
  };
};

import { hashPassword, isPasswordOf } from '../../shared/clients/password.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { ClientCopy, ClientsByUserName, Clock, SignInClient } from './client-copy.ts';

export type CheckResult =
  | { verdict: 'current' | 'previous'; client: SignInClient }
  /** The client is undefined if no client has the user name. */
  | { verdict: 'wrong' | 'locked' | 'removed'; client: SignInClient | undefined };

export type CredentialCheck = ReturnType<typeof credentialCheck>;

/** What an admin has changed of a client works after this time. */
const READ_AGAIN_AFTER_MS = 30_000;
/** A copy older than this refuses nobody, because the client may be new: the table is read first. */
const REFUSING_COPY_MAX_AGE_MS = 5_000;
/** While the table cannot be read, an older copy signs clients in, but refuses none. */
const KEPT_FOR_MS = 5 * MINUTE_MS;

export const credentialCheck = ({ copy, clock }: { copy: ClientCopy; clock: Clock }) => ({
  check: async ({ userName, password }: BasicCredentials): Promise<CheckResult> => {
    const startedAt = clock.monotonicMs();
    const checkIn = (clients: ClientsByUserName) =>
      compare(clients.get(userName) ?? [], password, clock.now());
    const known = checkIn(await copy.read(READ_AGAIN_AFTER_MS, KEPT_FOR_MS));
    if (known.verdict === 'current' || known.verdict === 'previous') return known;
    // Plus the time of this check, so that a copy that it has read is young enough. There is no time for a second read.
    return checkIn(await copy.read(REFUSING_COPY_MAX_AGE_MS + clock.monotonicMs() - startedAt));
  },
});

const compare = (clients: readonly SignInClient[], password: string, now: Date): CheckResult => {
  const [first, ...others] = clients;
  // For an unknown user name, too, so that known and unknown ones take the same time.
  const checked = [first, ...others].map((client) => ({ client, kind: kindOf(password, client, now) }));
  // Between clients with the same user name, the password decides.
  const match = checked.find(({ kind }) => kind);
  const client = match?.client ?? first;
  if (client?.RemovedAt) return { verdict: 'removed', client };
  if (client?.LockedAt) return { verdict: 'locked', client };
  return client && match?.kind ? { verdict: match.kind, client } : { verdict: 'wrong', client };
};

/** No password has this hash. It takes the place of a hash that a client or a user name does not have. */
const NO_PASSWORD = { ...hashPassword(''), Hash: Buffer.alloc(32).toString('base64') };

/** Says which password of the client this is. Undefined if it is none. Always compares twice. */
const kindOf = (
  password: string,
  client: SignInClient | undefined,
  now: Date,
): 'current' | 'previous' | undefined => {
  const { Salt, Hash, PreviousSalt, PreviousHash, PreviousUntil } = client ?? {};
  const isCurrent = isPasswordOf(password, Salt && Hash ? { Salt, Hash } : NO_PASSWORD);
  const isPrevious = isPasswordOf(
    password,
    PreviousSalt && PreviousHash ? { Salt: PreviousSalt, Hash: PreviousHash } : NO_PASSWORD,
  );
  if (isCurrent) return 'current';
  return isPrevious && PreviousUntil && now < new Date(PreviousUntil) ? 'previous' : undefined;
};

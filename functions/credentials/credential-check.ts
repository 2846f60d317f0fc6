import type { SignInClient } from '../../shared/clients/client.ts';
import { hashPassword, isPasswordOf } from '../../shared/clients/password.ts';
import { MINUTE_MS } from '../../shared/time.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { ClientsByUserName, ClientsCopy, Clock } from './clients-copy.ts';

export type CheckResult =
  | { verdict: 'current' | 'previous'; client: SignInClient }
  /** The client is undefined if no client has the user name. */
  | { verdict: 'wrong' | 'locked' | 'removed'; client: SignInClient | undefined };

export type CredentialCheck = ReturnType<typeof credentialCheck>;

/** The gateway caches a policy for 30 s more, so an admin's change of a client works within 60 s. */
const READ_AGAIN_AFTER_MS = 30_000;
/** Before a refusal, the table is read again if the copy is older than this: the client may be new. */
const REFUSING_COPY_MAX_AGE_MS = 5_000;
/** While the table cannot be read, sign-in uses a copy up to this age. */
const KEPT_FOR_MS = 5 * MINUTE_MS;

export const credentialCheck = ({ copy, clock }: { copy: ClientsCopy; clock: Clock }) => ({
  check: async ({ userName, password }: BasicCredentials): Promise<CheckResult> => {
    const startedAt = clock.monotonicMs();
    const checkIn = (clients: ClientsByUserName) =>
      compare(clients.get(userName) ?? [], password, clock.now());
    const result = checkIn(await copy.read(READ_AGAIN_AFTER_MS, KEPT_FOR_MS));
    if (result.verdict === 'current' || result.verdict === 'previous') return result;
    // There is no time for a second read. So the duration of this check is added: a copy that was just read is young enough.
    return checkIn(await copy.read(REFUSING_COPY_MAX_AGE_MS + clock.monotonicMs() - startedAt));
  },
});

const compare = (clients: readonly SignInClient[], password: string, now: Date): CheckResult => {
  const [first, ...others] = clients;
  // For an unknown user name, `first` is undefined. It is checked like a client, which takes as much time.
  const candidates = [first, ...others].map((client) => ({
    client,
    verdict: verdictOf(password, client, now),
  }));
  // Between clients with the same user name, the password decides.
  const match = candidates.find(({ verdict }) => verdict);
  const client = match?.client ?? first;
  if (client?.RemovedAt) return { verdict: 'removed', client };
  if (client?.LockedAt) return { verdict: 'locked', client };
  return client && match?.verdict ? { verdict: match.verdict, client } : { verdict: 'wrong', client };
};

/** No password has this hash. It is used where a hash is missing. */
const NO_PASSWORD = { ...hashPassword(''), Hash: Buffer.alloc(32).toString('base64') };

/** Says which password of the client this is. Always compares with both hashes, so that every check takes the same time. */
const verdictOf = (
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

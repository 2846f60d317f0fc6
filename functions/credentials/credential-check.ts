import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KnownClient, userKeyOf } from '../../shared/clients.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { ClientSecrets } from './client-secrets.ts';

export type CheckResult = { client: KnownClient | undefined; isValid: boolean };

export type CredentialCheck = {
  check(credentials: BasicCredentials): Promise<CheckResult>;
};

type CredentialCheckOptions = {
  clients: readonly KnownClient[];
  secrets: ClientSecrets;
  overlapHours: number;
  now: () => Date;
};

const CACHED_FOR_MS = 30_000;
/** A wrong password may be a new one, so the secret is read again, but not more often than this. */
const REREAD_AFTER_MS = 5_000;

const HOUR_MS = 3_600_000;

export const credentialCheck = ({
  clients,
  secrets,
  overlapHours,
  now,
}: CredentialCheckOptions): CredentialCheck => {
  const byUserKey = new Map(clients.map((client) => [client.userKey, client]));

  /** For an unknown user, the check reads the secret of a known client. Nobody can predict which client. */
  const decoyKey = randomBytes(32);
  const decoyFor = (userKey: string) => {
    const choice = createHmac('sha256', decoyKey).update(userKey).digest().readUInt32BE();
    const decoy = clients[choice % clients.length];
    if (!decoy) throw new Error('This deployment has no clients.');
    return decoy;
  };

  const isInOverlap = (changedAt: Date) => now().getTime() < changedAt.getTime() + overlapHours * HOUR_MS;

  /** Makes at most two calls, because the authorizer has no time for three. If the first read makes a call, the second uses its result. */
  const isRight = async (secret: string, sent: string, isKnown: boolean) => {
    // An unknown user is refused even with the decoy's password. That takes as many reads as a wrong password.
    const accepts = (password: string) => isEqual(sent, password) && isKnown;
    const cached = await secrets.read(secret, CACHED_FOR_MS);
    if (accepts(cached.current)) return true;
    const latest = await secrets.read(secret, REREAD_AFTER_MS);
    if (accepts(latest.current)) return true;
    const previous = await latest.readPrevious();
    // Without a previous password, compares with the current one again, so that both cases take the same time.
    return accepts(previous ?? latest.current) && isInOverlap(latest.changedAt);
  };

  return {
    check: async ({ username, password }) => {
      const userKey = userKeyOf(username);
      const known = byUserKey.get(userKey);
      // Chosen for a known user too, so that known and unknown users take the same time.
      const decoy = decoyFor(userKey);
      const { secret } = known ?? decoy;
      return { client: known, isValid: await isRight(secret, password, known !== undefined) };
    },
  };
};

/** timingSafeEqual needs equal lengths. */
const isEqual = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();

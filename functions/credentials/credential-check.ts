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
/** A password that does not match may be new. The limit bounds the reads in a flood of wrong passwords. */
const REREAD_AFTER_MS = 5_000;

const HOUR_MS = 3_600_000;

export const credentialCheck = ({
  clients,
  secrets,
  overlapHours,
  now,
}: CredentialCheckOptions): CredentialCheck => {
  const byUserKey = new Map(clients.map((client) => [client.userKey, client]));

  /** An unknown user causes the same reads as a wrong password. The random key hides whose secret is read. */
  const decoyKey = randomBytes(32);
  const decoyFor = (userKey: string) => {
    const choice = createHmac('sha256', decoyKey).update(userKey).digest().readUInt32BE();
    const decoy = clients[choice % clients.length];
    if (!decoy) throw new Error('This deployment has no clients.');
    return decoy;
  };

  const isInOverlap = (changedAt: Date) => now().getTime() < changedAt.getTime() + overlapHours * HOUR_MS;

  /** At most two reads: the authorizer has no time for three. */
  const isRight = async (secret: string, sent: string, isKnown: boolean) => {
    // An unknown user who sends the decoy's password must cause both reads, as a wrong password does.
    const accepts = (password: string) => isEqual(sent, password) && isKnown;
    const cached = await secrets.current(secret, CACHED_FOR_MS);
    if (accepts(cached.password)) return true;
    const current = await secrets.current(secret, REREAD_AFTER_MS);
    if (accepts(current.password)) return true;
    const previous = await current.previous();
    return accepts(previous ?? current.password) && isInOverlap(current.changedAt);
  };

  return {
    check: async ({ username, password }) => {
      const userKey = userKeyOf(username);
      const known = byUserKey.get(userKey);
      // A known user chooses a decoy too, so that both take the same time.
      const decoy = decoyFor(userKey);
      const { secret } = known ?? decoy;
      return { client: known, isValid: await isRight(secret, password, known !== undefined) };
    },
  };
};

/** timingSafeEqual needs equal lengths. */
const isEqual = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KnownClient, userKeyOf } from '../../shared/clients.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { ClientSecrets, Passwords } from './client-secrets.ts';

/** The client is undefined for an unknown user name. */
export type Judgement = { client: string | undefined; isRight: boolean };

export type CredentialCheck = {
  /** Throws if the passwords cannot be read. */
  judge(credentials: BasicCredentials): Promise<Judgement>;
};

type Options = {
  clients: readonly KnownClient[];
  secrets: ClientSecrets;
  overlapHours: number;
  now: () => Date;
};

const CACHED_FOR_MS = 30_000;
/** A password that does not match may just have been set. This also limits the reads in a flood of wrong ones. */
const REREAD_AFTER_MS = 5_000;

const HOUR_MS = 3_600_000;

export const credentialCheck = ({ clients, secrets, overlapHours, now }: Options): CredentialCheck => {
  const byUserKey = new Map(clients.map((client) => [client.userKey, client]));

  /** An unknown user costs the same reads as a wrong password. The random key hides whose secret those are. */
  const decoyKey = randomBytes(32);
  const decoyFor = (userKey: string) => {
    const choice = createHmac('sha256', decoyKey).update(userKey).digest().readUInt32BE();
    const decoy = clients[choice % clients.length];
    if (!decoy) throw new Error('This deployment has no clients.');
    return decoy;
  };

  const matches = (passwords: Passwords, sent: string) => {
    const overlapEnds = passwords.changedAt.getTime() + overlapHours * HOUR_MS;
    const previousIsGood = now().getTime() < overlapEnds;
    const isCurrent = equal(sent, passwords.current);
    const isPrevious = equal(sent, passwords.previous ?? passwords.current);
    return isCurrent || (previousIsGood && isPrevious);
  };

  return {
    judge: async ({ username, password }) => {
      const userKey = userKeyOf(username);
      const known = byUserKey.get(userKey);
      const { secret } = known ?? decoyFor(userKey);
      const isMatch =
        matches(await secrets.passwords(secret, CACHED_FOR_MS), password) ||
        matches(await secrets.passwords(secret, REREAD_AFTER_MS), password);
      return { client: known?.name, isRight: known !== undefined && isMatch };
    },
  };
};

/** timingSafeEqual needs equal lengths. */
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();

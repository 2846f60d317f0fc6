import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KnownClient, userKeyOf } from '../../shared/clients.ts';
import type { BasicCredentials } from './basic-credentials.ts';
import type { ClientSecrets, Passwords } from './client-secrets.ts';

/** Whose user name it is, if it is anybody's, and whether the password is right. */
export type Judgement = { client: string | undefined; isRight: boolean };

export type CredentialCheck = {
  /** Throws where it cannot be told. */
  judge(credentials: BasicCredentials): Promise<Judgement>;
};

type Options = {
  clients: readonly KnownClient[];
  secrets: ClientSecrets;
  overlapHours: number;
  now: () => Date;
};

const CACHED_FOR_MS = 30_000;
/** A password that does not match may just have been set; a flood of them reads a secret this often and no more. */
const REREAD_AFTER_MS = 5_000;

const HOUR_MS = 3_600_000;

export const credentialCheck = ({ clients, secrets, overlapHours, now }: Options): CredentialCheck => {
  const byUserKey = new Map(clients.map((client) => [client.userKey, client]));

  /**
   * An unknown user is checked against the secret of some client, so that it costs what a wrong password costs. Which
   * client that is cannot be told from outside, or else reads of its secret would tell who is known.
   */
  const standInKey = randomBytes(32);
  const standInFor = (userKey: string) => {
    const choice = createHmac('sha256', standInKey).update(userKey).digest().readUInt32BE();
    const standIn = clients[choice % clients.length];
    if (!standIn) throw new Error('This deployment has no clients.');
    return standIn;
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
      const { secret } = known ?? standInFor(userKey);
      const isMatch =
        matches(await secrets.passwords(secret, CACHED_FOR_MS), password) ||
        matches(await secrets.passwords(secret, REREAD_AFTER_MS), password);
      return { client: known?.name, isRight: known !== undefined && isMatch };
    },
  };
};

/** Digests are of one length, whatever was sent. */
const equal = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));
const digest = (text: string) => createHash('sha256').update(text).digest();

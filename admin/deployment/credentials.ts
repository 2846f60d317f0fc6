import { randomInt } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';

/** What a client's secret holds, and since when. */
export type Credentials = {
  username: string;
  password: string | undefined;
  changedAt: Date;
  /** There is a password before this one; it is good until its overlap is over. */
  hasPrevious: boolean;
  /** Whatever else stands in the secret; an admin may have put it there, and it is kept. */
  others: Record<string, unknown>;
};

const Stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    username: v.optional(v.string()),
    password: v.optional(v.pipe(v.string(), v.minLength(1))),
  }),
);

/** A secret that was damaged by hand is read as one without a password: a new one mends it. */
export const readCredentials = async (
  secrets: SecretsManagerClient,
  { name, secret }: { name: string; secret: string },
): Promise<Credentials> => {
  const [value, description] = await Promise.all([
    secrets.send(new GetSecretValueCommand({ SecretId: secret })),
    secrets.send(new DescribeSecretCommand({ SecretId: secret })),
  ]);
  const stored = v.safeParse(Stored, value.SecretString);
  const { username = name, password, ...others } = stored.success ? stored.output : {};
  return {
    username,
    password,
    changedAt: value.CreatedDate ?? new Date(0),
    hasPrevious: Object.values(description.VersionIdsToStages ?? {}).some((stages) =>
      stages.includes('AWSPREVIOUS'),
    ),
    others,
  };
};

/** The password that was in force becomes the previous one, and the one before that is good no longer. */
export const changePassword = async (
  secrets: SecretsManagerClient,
  secret: string,
  { username, others }: Credentials,
  password: string,
) => {
  const SecretString = JSON.stringify({ username, password, ...others });
  await secrets.send(new PutSecretValueCommand({ SecretId: secret, SecretString }));
};

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** As a deployment makes them: without punctuation, which is what old clients trip over. */
export const newPassword = () =>
  Array.from({ length: LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');

import { randomInt } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';

export type Credentials = {
  username: string;
  password: string | undefined;
  changedAt: Date;
  /** The secret keeps a previous password, which stays valid for the overlap. */
  hasPrevious: boolean;
  /** Fields that an admin has added to the secret. A new password keeps them. */
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

/** The password is undefined when the secret is not valid, for example after an edit by hand. */
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

/** The current password becomes the previous one. The one before that ends. */
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

/** Without punctuation, like a generated secret: old clients have problems with punctuation. */
export const newPassword = () =>
  Array.from({ length: LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');

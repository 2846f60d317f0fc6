import { randomInt } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { explain, Failure } from '../cli/failure.ts';
import { HOUR_MS } from '../cli/time.ts';
import type { DeployedClient, Deployment } from './deployment.ts';

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

export type Client = DeployedClient & Credentials;

export const findClient = ({ clients, what }: Deployment, name: string): DeployedClient => {
  const found = clients.find((client) => client.name === name);
  if (found) return found;
  const names = clients.map((client) => client.name).join(', ');
  throw new Failure(`${what} has no client ${name}. It has: ${names}.`);
};

export const readClient = async (deployment: Deployment, client: DeployedClient): Promise<Client> => ({
  ...client,
  ...(await readCredentials(await deployment.secrets(), client)),
});

export const overlapEnd = (changedAt: Date, { overlapHours }: Deployment) =>
  new Date(changedAt.getTime() + overlapHours * HOUR_MS);

/** Undefined if the client has no previous password, or if it is no longer valid. */
export const previousValidUntil = (
  { deployment, now }: { deployment: Deployment; now: Date },
  { changedAt, hasPrevious }: Credentials,
) => {
  const end = overlapEnd(changedAt, deployment);
  return hasPrevious && end > now ? end : undefined;
};

/** Only the previous password stays valid, so a second change within the overlap can lock a client out. */
export const lossOfPrevious = (validUntil: Date) =>
  `The previous password is valid until ${validUntil.toISOString()}. A change ends it at once.`;

/** The current password becomes the previous one. The earlier previous password ends. */
export const changePassword = async (
  secrets: SecretsManagerClient,
  secret: string,
  { username, others }: Credentials,
  password: string,
) => {
  const SecretString = JSON.stringify({ username, password, ...others });
  try {
    await secrets.send(new PutSecretValueCommand({ SecretId: secret, SecretString }));
  } catch (error) {
    const isRefused = error instanceof Error && '$fault' in error && error.$fault === 'client';
    throw isRefused ? error : new Failure(`${explain(error)} ${UNKNOWN_OUTCOME}`);
  }
};

/** A second change could end the password that the client still uses. */
const UNKNOWN_OUTCOME =
  'The password may have changed anyway. Before you change it again, look at the password and its age with `clients show NAME --reveal`.';

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 32;

/** Without punctuation, like a generated secret: old clients have problems with punctuation. */
export const newPassword = () =>
  Array.from({ length: LENGTH }, () => LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)]).join('');

import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';

/** The passwords of one client: the one in force, and the one before it with the time of the change. */
export type Passwords = { current: string; previous?: string; changedAt: Date };

export type ClientSecrets = {
  /** From a copy that is at most so old, or else read anew. */
  passwords(secret: string, maxAgeMs: number): Promise<Passwords>;
};

type Options = { prefix: string; readsPrevious: boolean; now: () => Date; client?: SecretsManagerClient };

/** Three attempts of two seconds end well before the authorizer's time does. */
const secretsClient = () =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });

export const clientSecrets = ({
  prefix,
  readsPrevious,
  now,
  client = secretsClient(),
}: Options): ClientSecrets => {
  const copies = new Map<string, { passwords: Passwords; readAt: number }>();

  const version = (secret: string, stage: 'AWSCURRENT' | 'AWSPREVIOUS') =>
    client.send(new GetSecretValueCommand({ SecretId: `${prefix}${secret}`, VersionStage: stage }));

  /** Before its first change a secret has no previous version. */
  const previousVersion = async (secret: string) => {
    try {
      return await version(secret, 'AWSPREVIOUS');
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };

  const read = async (secret: string): Promise<Passwords> => {
    const [current, previous] = await Promise.all([
      version(secret, 'AWSCURRENT'),
      readsPrevious ? previousVersion(secret) : undefined,
    ]);
    return {
      current: passwordIn(current),
      ...(previous ? { previous: passwordIn(previous) } : {}),
      changedAt: current.CreatedDate ?? new Date(0),
    };
  };

  return {
    passwords: async (secret, maxAgeMs) => {
      const copy = copies.get(secret);
      if (copy && now().getTime() - copy.readAt < maxAgeMs) return copy.passwords;
      const passwords = await read(secret);
      copies.set(secret, { passwords, readAt: now().getTime() });
      return passwords;
    },
  };
};

const StoredCredentials = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ password: v.pipe(v.string(), v.minLength(1)) }),
);

/** What is wrong with a secret is told without a word of what it holds. */
const passwordIn = ({ ARN, SecretString }: GetSecretValueCommandOutput) => {
  const stored = v.safeParse(StoredCredentials, SecretString);
  if (!stored.success) throw new Error(`The secret ${ARN} holds no JSON object with a password.`);
  return stored.output.password;
};

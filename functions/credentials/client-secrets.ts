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

/** Two reads of three attempts of 1.3 seconds end before the authorizer's nine are up. */
const secretsClient = () =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_300,
      throwOnRequestTimeout: true,
      // The request's timeout ends when headers arrive; a body that stops coming needs one of its own.
      socketTimeout: 1_300,
    },
  });

export const clientSecrets = ({
  prefix,
  readsPrevious,
  now,
  client = secretsClient(),
}: Options): ClientSecrets => {
  const copies = new Map<string, { passwords: Passwords; readAt: number }>();
  const failures = new Map<string, { error: unknown; failedAt: number }>();

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
    // One after the other: across a change, the two could else be the new password and the one before the old.
    const current = await version(secret, 'AWSCURRENT');
    const previous = readsPrevious ? await previousVersion(secret) : undefined;
    const inForce = passwordIn(current);
    const before = previous && passwordIn(previous);
    // What is wrong with a secret is told without a word of what it holds.
    if (inForce === undefined) {
      throw new Error(`The secret ${current.ARN} holds no JSON object with a password.`);
    }
    return {
      current: inForce,
      ...(before === undefined ? {} : { previous: before }),
      changedAt: current.CreatedDate ?? new Date(0),
    };
  };

  return {
    passwords: async (secret, maxAgeMs) => {
      const copy = copies.get(secret);
      if (copy && now().getTime() - copy.readAt < maxAgeMs) return copy.passwords;
      const failure = failures.get(secret);
      if (failure && now().getTime() - failure.failedAt < FAILURE_KEPT_FOR_MS) throw failure.error;
      try {
        const passwords = await read(secret);
        copies.set(secret, { passwords, readAt: now().getTime() });
        return passwords;
      } catch (error) {
        failures.set(secret, { error, failedAt: now().getTime() });
        throw error;
      }
    },
  };
};

/** While a secret cannot be read, a flood of requests does not make it worse. */
const FAILURE_KEPT_FOR_MS = 1_000;

const StoredCredentials = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ password: v.pipe(v.string(), v.minLength(1)) }),
);

/** None where an admin has put something else, be it by mistake; mended, that is the previous version. */
const passwordIn = ({ SecretString }: GetSecretValueCommandOutput) => {
  const stored = v.safeParse(StoredCredentials, SecretString);
  return stored.success ? stored.output.password : undefined;
};

import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';

type ClientPassword = {
  current: string;
  changedAt: Date;
  /** Undefined if there is no previous password, or if the overlap is 0. */
  readPrevious(): Promise<string | undefined>;
};

export type ClientSecrets = {
  read(secret: string, maxAgeMs: number): Promise<ClientPassword>;
};

type VersionStage = 'AWSCURRENT' | 'AWSPREVIOUS';

type SecretsOptions = {
  prefix: string;
  readsPrevious: boolean;
  now: () => Date;
  client?: SecretsManagerClient;
};

/** Two reads of three attempts each, with 1.3 s per attempt, fit into the authorizer's timeout of 9 s. */
export const secretsClient = ({ attemptMs = 1_300 } = {}) =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: attemptMs,
      throwOnRequestTimeout: true,
      // The request timeout covers the time until the headers arrive. The socket timeout covers the body.
      socketTimeout: attemptMs,
    },
  });

export const clientSecrets = ({
  prefix,
  readsPrevious,
  now,
  client = secretsClient(),
}: SecretsOptions): ClientSecrets => {
  /** By the wall clock: Lambda keeps it right, and the monotonic clock may stop while Lambda freezes the process. */
  const cache = new Map<string, { password: ClientPassword; readAt: number }>();

  const getVersion = (secret: string, stage: VersionStage) =>
    client.send(new GetSecretValueCommand({ SecretId: `${prefix}${secret}`, VersionStage: stage }));

  const readCurrent = async (secret: string): Promise<ClientPassword> => {
    const version = await getVersion(secret, 'AWSCURRENT');
    const current = passwordIn(version);
    if (current === undefined) {
      throw new Error(`The secret ${version.ARN} is not a JSON object with a password.`);
    }
    let previous: { password: string | undefined } | undefined;
    return {
      current,
      changedAt: version.CreatedDate ?? new Date(0),
      // Read the current version first. Otherwise, a change between the two reads would hide the replaced password.
      readPrevious: async () => {
        if (!readsPrevious) return undefined;
        previous ??= await readPreviousVersion(secret);
        return previous.password;
      },
    };
  };

  const readPreviousVersion = async (secret: string) => {
    try {
      return { password: passwordIn(await getVersion(secret, 'AWSPREVIOUS')) };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return { password: undefined };
      throw error;
    }
  };

  return {
    read: async (secret, maxAgeMs) => {
      const cached = cache.get(secret);
      if (cached && now().getTime() - cached.readAt < maxAgeMs) return cached.password;
      const password = await readCurrent(secret);
      cache.set(secret, { password, readAt: now().getTime() });
      return password;
    },
  };
};

const StoredCredentials = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ password: v.pipe(v.string(), v.minLength(1)) }),
);

/** Undefined when the secret is not valid credentials JSON, for example after a manual edit. */
const passwordIn = ({ SecretString }: GetSecretValueCommandOutput) => {
  const stored = v.safeParse(StoredCredentials, SecretString);
  return stored.success ? stored.output.password : undefined;
};

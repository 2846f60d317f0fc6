import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { monotonicMs } from '../monotonic-time.ts';

export type Passwords = { current: string; previous?: string; changedAt: Date };

export type ClientSecrets = {
  /** Reads the secret again if the cached copy is older than maxAgeMs. */
  passwords(secret: string, maxAgeMs: number): Promise<Passwords>;
};

type SecretsOptions = {
  prefix: string;
  readsPrevious: boolean;
  now: () => Date;
  monotonicNow?: () => number;
  client?: SecretsManagerClient;
};

/** Two reads of three attempts, 1.3 seconds each, end within the authorizer's 9 seconds. */
const secretsClient = () =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_300,
      throwOnRequestTimeout: true,
      // The request timeout ends when headers arrive; a body that stalls needs its own.
      socketTimeout: 1_300,
    },
  });

export const clientSecrets = ({
  prefix,
  readsPrevious,
  now,
  monotonicNow = monotonicMs,
  client = secretsClient(),
}: SecretsOptions): ClientSecrets => {
  const cache = new Map<string, { passwords: Passwords; age: () => number }>();
  const failures = new Map<string, { error: unknown; age: () => number }>();

  /** The wall clock may be set back, and the monotonic clock may stop while Lambda freezes the process. */
  const startAge = () => {
    const start = { wall: now().getTime(), monotonic: monotonicNow() };
    return () => Math.max(now().getTime() - start.wall, monotonicNow() - start.monotonic);
  };

  const getVersion = (secret: string, stage: 'AWSCURRENT' | 'AWSPREVIOUS') =>
    client.send(new GetSecretValueCommand({ SecretId: `${prefix}${secret}`, VersionStage: stage }));

  const getPreviousVersion = async (secret: string) => {
    try {
      return await getVersion(secret, 'AWSPREVIOUS');
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  };

  const read = async (secret: string): Promise<Passwords> => {
    // Not in parallel: if the password changes in between, both reads could miss the one that was just replaced.
    const current = await getVersion(secret, 'AWSCURRENT');
    const previous = readsPrevious ? await getPreviousVersion(secret) : undefined;
    const currentPassword = passwordIn(current);
    const previousPassword = previous && passwordIn(previous);
    if (currentPassword === undefined) {
      throw new Error(`The secret ${current.ARN} holds no JSON object with a password.`);
    }
    return {
      current: currentPassword,
      ...(previousPassword === undefined ? {} : { previous: previousPassword }),
      changedAt: current.CreatedDate ?? new Date(0),
    };
  };

  return {
    passwords: async (secret, maxAgeMs) => {
      const cached = cache.get(secret);
      if (cached && cached.age() < maxAgeMs) return cached.passwords;
      const failure = failures.get(secret);
      if (failure && failure.age() < FAILURE_CACHED_FOR_MS) throw failure.error;
      try {
        const passwords = await read(secret);
        cache.set(secret, { passwords, age: startAge() });
        return passwords;
      } catch (error) {
        failures.set(secret, { error, age: startAge() });
        throw error;
      }
    },
  };
};

/** Limits the reads of a secret that fails, however many requests arrive. */
const FAILURE_CACHED_FOR_MS = 1_000;

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

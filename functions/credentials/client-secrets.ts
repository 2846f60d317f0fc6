import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { monotonicMs } from '../monotonic-time.ts';

export type CurrentPassword = {
  password: string;
  changedAt: Date;
  /** Undefined if there is no previous password, or if the overlap is 0. */
  previous(): Promise<string | undefined>;
};

export type ClientSecrets = {
  current(secret: string, maxAgeMs: number): Promise<CurrentPassword>;
};

type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

type SecretsOptions = {
  prefix: string;
  readsPrevious: boolean;
  now: () => Date;
  monotonicNow?: () => number;
  client?: SecretsManagerClient;
};

/** Two reads with three attempts of 1.3 seconds end within the authorizer's 9 seconds. */
const secretsClient = () =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_300,
      throwOnRequestTimeout: true,
      // The request timeout ends when the headers arrive. This one covers the body.
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
  const cache = new Map<string, { current: CurrentPassword; age: () => number }>();
  const failures = new Map<string, { error: unknown; age: () => number }>();

  /** The wall clock may be set back, and the monotonic clock may stop while the process is frozen. */
  const startAge = () => {
    const start = { wall: now().getTime(), monotonic: monotonicNow() };
    return () => Math.max(now().getTime() - start.wall, monotonicNow() - start.monotonic);
  };

  const getVersion = (secret: string, stage: Stage) =>
    client.send(new GetSecretValueCommand({ SecretId: `${prefix}${secret}`, VersionStage: stage }));

  /** A secret that cannot be read is read once a second, however many requests arrive. */
  const readUnlessJustFailed = async <Value>(
    secret: string,
    stage: Stage,
    read: (secret: string) => Promise<Value>,
  ): Promise<Value> => {
    const key = `${secret} ${stage}`;
    const failure = failures.get(key);
    if (failure && failure.age() < FAILURE_CACHED_FOR_MS) throw failure.error;
    try {
      return await read(secret);
    } catch (error) {
      failures.set(key, { error, age: startAge() });
      throw error;
    }
  };

  const readCurrent = async (secret: string): Promise<CurrentPassword> => {
    const version = await getVersion(secret, 'AWSCURRENT');
    const password = passwordIn(version);
    if (password === undefined) {
      throw new Error(`The secret ${version.ARN} is not a JSON object with a password.`);
    }
    let previous: { password: string | undefined } | undefined;
    return {
      password,
      changedAt: version.CreatedDate ?? new Date(0),
      // Read after the current password: a change between the reads could hide the password just replaced.
      previous: async () => {
        if (!readsPrevious) return undefined;
        previous ??= await readUnlessJustFailed(secret, 'AWSPREVIOUS', readPrevious);
        return previous.password;
      },
    };
  };

  const readPrevious = async (secret: string) => {
    try {
      return { password: passwordIn(await getVersion(secret, 'AWSPREVIOUS')) };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return { password: undefined };
      throw error;
    }
  };

  return {
    current: async (secret, maxAgeMs) => {
      const cached = cache.get(secret);
      if (cached && cached.age() < maxAgeMs) return cached.current;
      const current = await readUnlessJustFailed(secret, 'AWSCURRENT', readCurrent);
      cache.set(secret, { current, age: startAge() });
      return current;
    },
  };
};

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

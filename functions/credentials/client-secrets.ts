import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { monotonicMs } from '../monotonic-time.ts';

export type ClientPassword = {
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
  monotonicNow?: () => number;
  client?: SecretsManagerClient;
};

/** Two reads of three attempts each, with 1.3 s per attempt, fit into the authorizer's timeout of 9 s. */
const secretsClient = () =>
  new SecretsManagerClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 1_300,
      throwOnRequestTimeout: true,
      // The request timeout covers the time until the headers arrive. The socket timeout covers the body.
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
  const cache = new Map<string, { password: ClientPassword; ageMs: () => number }>();
  const failures = new Map<string, { error: unknown; ageMs: () => number }>();

  /** Uses the larger of two measured times. The wall clock may be set back, and the monotonic one may stop during a freeze by Lambda. */
  const startStopwatch = () => {
    const start = { wall: now().getTime(), monotonic: monotonicNow() };
    return () => Math.max(now().getTime() - start.wall, monotonicNow() - start.monotonic);
  };

  const getVersion = (secret: string, stage: VersionStage) =>
    client.send(new GetSecretValueCommand({ SecretId: `${prefix}${secret}`, VersionStage: stage }));

  /** After a failed read, all requests of the next second fail with the same error, without a new read. */
  const readUnlessJustFailed = async <Value>(
    secret: string,
    stage: VersionStage,
    read: (secret: string) => Promise<Value>,
  ): Promise<Value> => {
    const key = `${secret} ${stage}`;
    const failure = failures.get(key);
    if (failure && failure.ageMs() < FAILURE_CACHED_FOR_MS) throw failure.error;
    try {
      return await read(secret);
    } catch (error) {
      failures.set(key, { error, ageMs: startStopwatch() });
      throw error;
    }
  };

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
        previous ??= await readUnlessJustFailed(secret, 'AWSPREVIOUS', readPreviousVersion);
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
      if (cached && cached.ageMs() < maxAgeMs) return cached.password;
      const password = await readUnlessJustFailed(secret, 'AWSCURRENT', readCurrent);
      cache.set(secret, { password, ageMs: startStopwatch() });
      return password;
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

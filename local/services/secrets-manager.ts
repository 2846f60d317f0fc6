import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { writeAtomically } from '../data-folder.ts';
import { bodyOf, openServer, type Reply } from '../http.ts';
import type { LocalStack } from '../stack.ts';
import { StartupError } from '../startup-error.ts';
import { actionOf, errorReply, jsonReply } from './proxy.ts';

/** The latest version is the last one. Its stage is AWSCURRENT, and that of the version before it AWSPREVIOUS. */
const secretSchema = v.object({
  arn: v.string(),
  versions: v.array(v.object({ id: v.string(), value: v.string(), createdAt: v.number() })),
});
type Secret = v.InferOutput<typeof secretSchema>;

/** Secrets Manager appends six random characters to a secret's name. */
const nameOf = (arn: string) => (arn.split(':').at(-1) ?? '').replace(/-[^-]{6}$/, '');

/** The operations of Secrets Manager that the project uses. Without a file, the secrets are in memory. */
export class SecretsManager {
  private readonly file: string | undefined;
  private readonly now: () => number;
  private readonly secrets: Secret[];
  private notifyChange = () => {};
  close = () => {};

  constructor(file: string | undefined, now = Date.now) {
    this.file = file;
    this.now = now;
    this.secrets = file && existsSync(file) ? readSecrets(file) : [];
  }

  async open() {
    const { endpoint, close } = await openServer(async (incoming) => {
      const body = JSON.parse(String(await bodyOf(incoming)));
      try {
        return this.answer(actionOf(incoming), body);
      } catch (error) {
        return errorReply(500, 'InternalServiceError', error instanceof Error ? error.message : `${error}`);
      }
    });
    this.close = close;
    return endpoint;
  }

  deploy(stack: LocalStack) {
    for (const { id, properties } of stack.ofType('AWS::SecretsManager::Secret')) {
      const arn = stack.ref(id);
      if (!this.find(arn)) this.setValue(arn, generate(properties['GenerateSecretString']));
    }
  }

  setValue(arn: string, value: string) {
    const existing = this.find(arn);
    const secret = existing ?? { arn, versions: [] };
    if (!existing) this.secrets.push(secret);
    this.put(secret, value);
  }

  onChange(listener: () => void) {
    this.notifyChange = listener;
  }

  valueOf(arn: string) {
    return this.find(arn)?.versions.at(-1)?.value;
  }

  private find(id: unknown) {
    return this.secrets.find(({ arn }) => arn === id || nameOf(arn) === id);
  }

  private answer(operation: string, input: Record<string, unknown>): Reply {
    const secret = this.find(input['SecretId']);
    if (!secret) return notFound('secret');
    const identity = { ARN: secret.arn, Name: nameOf(secret.arn) };
    const [current, previous] = secret.versions.toReversed();
    switch (operation) {
      case 'GetSecretValue': {
        const stage = input['VersionStage'] ?? 'AWSCURRENT';
        const version = { AWSCURRENT: current, AWSPREVIOUS: previous }[String(stage)];
        if (!version) return notFound(`secret value for staging label: ${stage}`);
        const { id: VersionId, value: SecretString, createdAt } = version;
        const CreatedDate = createdAt / 1_000;
        return jsonReply(200, { ...identity, VersionId, SecretString, VersionStages: [stage], CreatedDate });
      }
      case 'DescribeSecret': {
        const older = previous ? { [previous.id]: ['AWSPREVIOUS'] } : {};
        const VersionIdsToStages = { ...older, [current?.id ?? '']: ['AWSCURRENT'] };
        return jsonReply(200, { ...identity, VersionIdsToStages });
      }
      case 'PutSecretValue': {
        const VersionId = String(input['ClientRequestToken']);
        // The token is the version's id, so a retry of the same call changes nothing.
        const isRetry = secret.versions.some(({ id }) => id === VersionId);
        if (!isRetry) this.put(secret, String(input['SecretString']), VersionId);
        return jsonReply(200, { ...identity, VersionId, VersionStages: ['AWSCURRENT'] });
      }
      default:
        return errorReply(400, 'InvalidRequestException', `The local run does not support ${operation}.`);
    }
  }

  private put(secret: Secret, value: string, id: string = randomUUID()) {
    const before = secret.versions;
    secret.versions = [...before.slice(-1), { id, value, createdAt: this.now() }];
    try {
      if (this.file) writeAtomically(this.file, JSON.stringify(this.secrets));
    } catch (error) {
      secret.versions = before;
      throw error;
    }
    this.notifyChange();
  }
}

const readSecrets = (file: string) => {
  try {
    return v.parse(v.array(secretSchema), JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    throw new StartupError(
      `${file} is damaged. Delete the data folder to start with new data, or give another folder with --data.`,
    );
  }
};

const notFound = (what: string) =>
  errorReply(400, 'ResourceNotFoundException', `Secrets Manager can't find the specified ${what}.`);

const generate = (description: unknown) => {
  const { SecretStringTemplate, GenerateStringKey, PasswordLength = 32 } = Object(description);
  const letters = randomBytes(4 * PasswordLength)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '');
  return JSON.stringify({
    ...JSON.parse(SecretStringTemplate),
    [GenerateStringKey]: letters.slice(0, PasswordLength),
  });
};

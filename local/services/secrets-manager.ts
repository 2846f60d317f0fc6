import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { writeAtomically } from '../data-folder.ts';
import { bodyOf, close, listen } from '../http.ts';
import type { LocalStack } from '../stack.ts';
import { StartupError } from '../startup-error.ts';

type Version = { id: string; value: string; createdAt: number; stages: string[] };
type Secret = { arn: string; name: string; versions: Version[] };

/** Secrets Manager appends six random characters to a secret's name. */
const nameOf = (arn: string) => (arn.split(':').at(-1) ?? '').replace(/-[^-]{6}$/, '');

/** The operations of Secrets Manager that the project uses. Without a file, the secrets are in memory. */
export class SecretsManager {
  private readonly file: string | undefined;
  private readonly now: () => number;
  private readonly secrets: Secret[];
  private notifyChange = () => {};
  private readonly server = createServer(async (incoming, outgoing) => {
    const operation = String(incoming.headers['x-amz-target']).split('.')[1] ?? '';
    try {
      this.answer(operation, JSON.parse((await bodyOf(incoming)).toString() || '{}'), outgoing);
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The request is not valid.';
      if (error instanceof StartupError) answerError(outgoing, 'InternalServiceError', message, 500);
      else answerError(outgoing, 'InvalidRequestException', message);
    }
  });

  constructor(file: string | undefined, now = Date.now) {
    this.file = file;
    this.now = now;
    this.secrets = file ? readSecrets(file) : [];
  }

  open() {
    return listen(this.server, 0);
  }

  close() {
    close(this.server);
  }

  deploy(stack: LocalStack) {
    for (const { id, properties } of stack.ofType('AWS::SecretsManager::Secret')) {
      const arn = stack.ref(id);
      if (!this.find(arn)) this.setValue(arn, generate(properties['GenerateSecretString']));
    }
  }

  setValue(arn: string, value: string) {
    const existing = this.find(arn);
    const secret = existing ?? { arn, name: nameOf(arn), versions: [] };
    if (!existing) this.secrets.push(secret);
    this.put(secret, value);
  }

  onChange(listener: () => void) {
    this.notifyChange = listener;
  }

  valueOf(arn: string) {
    return this.find(arn)?.versions.find(({ stages }) => stages.includes('AWSCURRENT'))?.value;
  }

  private find(id: unknown) {
    return this.secrets.find(({ arn, name }) => arn === id || name === id);
  }

  private answer(operation: string, body: Record<string, unknown>, outgoing: ServerResponse) {
    const secret = this.find(body['SecretId']);
    if (!secret) {
      answerError(outgoing, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    } else if (operation === 'GetSecretValue') {
      this.answerValue(secret, body, outgoing);
    } else if (operation === 'PutSecretValue') {
      const version = this.put(
        secret,
        String(body['SecretString']),
        String(body['ClientRequestToken'] ?? ''),
      );
      answerJson(outgoing, 200, {
        ...identityOf(secret),
        VersionId: version.id,
        VersionStages: version.stages,
      });
    } else if (operation === 'DescribeSecret') {
      const VersionIdsToStages = Object.fromEntries(secret.versions.map(({ id, stages }) => [id, stages]));
      answerJson(outgoing, 200, { ...identityOf(secret), VersionIdsToStages });
    } else {
      answerError(outgoing, 'InvalidRequestException', `The local run does not support ${operation}.`);
    }
  }

  private answerValue(secret: Secret, body: Record<string, unknown>, outgoing: ServerResponse) {
    const stage = String(body['VersionStage'] ?? 'AWSCURRENT');
    const version = secret.versions.find(({ id, stages }) =>
      body['VersionId'] === undefined ? stages.includes(stage) : id === body['VersionId'],
    );
    if (!version) {
      const message = `Secrets Manager can't find the specified secret value for staging label: ${stage}`;
      return answerError(outgoing, 'ResourceNotFoundException', message);
    }
    answerJson(outgoing, 200, {
      ...identityOf(secret),
      VersionId: version.id,
      SecretString: version.value,
      VersionStages: version.stages,
      CreatedDate: version.createdAt / 1_000,
    });
  }

  /** The new version becomes AWSCURRENT, and the current one AWSPREVIOUS. Older versions have no stage. */
  private put(secret: Secret, value: string, token = '') {
    // The token is the version's id, so a retry of the same call changes nothing.
    const same = secret.versions.find(({ id }) => id === token);
    if (same) return same;
    const before = secret.versions;
    const current = before.filter(({ stages }) => stages.includes('AWSCURRENT'));
    const version = { id: token || randomUUID(), value, createdAt: this.now(), stages: ['AWSCURRENT'] };
    secret.versions = [...current.map((version) => ({ ...version, stages: ['AWSPREVIOUS'] })), version];
    try {
      if (this.file) writeAtomically(this.file, JSON.stringify(this.secrets));
    } catch (error) {
      secret.versions = before;
      throw error;
    }
    this.notifyChange();
    return version;
  }
}

const readSecrets = (file: string): Secret[] => {
  try {
    const secrets: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(secrets) && secrets.every(isSecret)) return secrets;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  }
  throw new StartupError(
    `${file} is damaged. Delete the data folder to start with new data, or give another folder with --data.`,
  );
};

const isSecret = (value: unknown): value is Secret => {
  const { arn, name, versions } = Object(value);
  return typeof arn === 'string' && typeof name === 'string' && Array.isArray(versions);
};

const identityOf = ({ arn, name }: Secret) => ({ ARN: arn, Name: name });

const answerJson = (outgoing: ServerResponse, status: number, body: object) => {
  outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' });
  outgoing.end(JSON.stringify(body));
};

const answerError = (outgoing: ServerResponse, type: string, message: string, status = 400) =>
  answerJson(outgoing, status, { __type: type, Message: message, message });

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const generate = (description: unknown) => {
  const { SecretStringTemplate = '{}', GenerateStringKey, PasswordLength = 32 } = Object(description);
  const letters = Array.from({ length: Number(PasswordLength) }, () => {
    return LETTERS_AND_DIGITS[randomInt(LETTERS_AND_DIGITS.length)];
  });
  return JSON.stringify({
    ...JSON.parse(SecretStringTemplate),
    [String(GenerateStringKey)]: letters.join(''),
  });
};

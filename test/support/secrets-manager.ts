import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';

/** What stands in an ARN before the name of a secret. */
export const secretPrefix = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:';

export type Stage = 'AWSCURRENT' | 'AWSPREVIOUS';

type Fault = 'internal-error' | 'access-denied' | 'no-answer' | 'signs-of-life' | 'half-an-answer';
type Failing = { fault: Fault; secret?: string; stage?: Stage };
type Version = { value: string; createdDate: Date };
type Call = { secret: string; stage: Stage };

const GetSecretValue = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    SecretId: v.string(),
    VersionStage: v.optional(v.picklist(['AWSCURRENT', 'AWSPREVIOUS']), 'AWSCURRENT'),
  }),
);

/** As much of Secrets Manager as reading a secret takes: its wire protocol on loopback, and faults on demand. */
export const startSecretsManager = async () => {
  const versions = new Map<string, { current: Version; previous?: Version }>();
  const calls: Call[] = [];
  let failing: Failing[] = [];

  const failureOf = ({ secret, stage }: Call) =>
    failing.find((rule) => (rule.secret ?? secret) === secret && (rule.stage ?? stage) === stage)?.fault;

  const versionOf = ({ secret, stage }: Call) => {
    const held = versions.get(secret);
    return stage === 'AWSCURRENT' ? held?.current : held?.previous;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue') {
      return refuse(response, 'UnknownOperationException');
    }
    const { SecretId, VersionStage } = v.parse(GetSecretValue, await text(request));
    const call = { secret: nameIn(SecretId), stage: VersionStage };
    calls.push(call);
    const version = versionOf(call);
    const fault = failureOf(call);
    if (fault) return fail(response, fault);
    if (!version) return refuse(response, 'ResourceNotFoundException');
    answer(response, 200, {
      ARN: SecretId,
      Name: call.secret,
      SecretString: version.value,
      VersionStages: [VersionStage],
      CreatedDate: version.createdDate.getTime() / 1_000,
    });
  };

  const server = createServer((request, response) => {
    serve(request, response).catch(() => refuse(response, 'InvalidRequestException'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  const endpoint = `http://127.0.0.1:${address.port}`;

  return {
    endpoint,
    /** Every read that has arrived, in the order of arrival. */
    calls,
    /** The new value becomes the current one, and the one that was becomes the previous one. */
    putSecretValue: (secret: string, value: string, createdDate: Date) => {
      const replaced = versions.get(secret)?.current;
      const current = { value, createdDate };
      versions.set(secret, replaced ? { current, previous: replaced } : { current });
    },
    /** From now on every read fails so, or those of one secret or stage. */
    fail: (fault: Fault, reads: Omit<Failing, 'fault'> = {}) => {
      failing = [...failing, { fault, ...reads }];
    },
    recover: () => {
      failing = [];
    },
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** A client that gives up at once, so that one failure is one call. */
export const secretsManagerClient = (endpoint: string, timeoutMs: number) =>
  new SecretsManagerClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: timeoutMs, socketTimeout: timeoutMs, throwOnRequestTimeout: true },
  });

const nameIn = (secretId: string) =>
  secretId.startsWith(secretPrefix) ? secretId.slice(secretPrefix.length) : `(no ARN) ${secretId}`;

const answer = (response: ServerResponse, status: number, body: object) => {
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
};

const refuse = (response: ServerResponse, type: string, status = 400) =>
  answer(response, status, { __type: type, Message: 'Said by the server of the tests.' });

const fail = (response: ServerResponse, fault: Fault) => {
  if (fault === 'internal-error') refuse(response, 'InternalServiceError', 500);
  if (fault === 'access-denied') refuse(response, 'AccessDeniedException');
  if (fault === 'signs-of-life') {
    const signs = setInterval(() => response.writeProcessing(), 100);
    response.once('close', () => clearInterval(signs));
  }
  if (fault === 'half-an-answer') {
    response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).write('{"ARN":');
  }
};

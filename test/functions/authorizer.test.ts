import { createServer, type ServerResponse } from 'node:http';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHandler } from '../../functions/authorizer.ts';
import { clientSecrets, secretsClient } from '../../functions/credentials/client-secrets.ts';
import { credentialCheck } from '../../functions/credentials/credential-check.ts';
import { bodyOf, listen } from '../../local/http.ts';
import { decodeClients, encodeClients, userKeyOf } from '../../shared/clients.ts';
import { variables } from '../../shared/environment.ts';
import { collectLog, metricFields } from '../support/handlers.ts';
import { basic } from '../support/http-client.ts';
import { tracesOf } from '../support/traces.ts';

type Handler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
type Headers = [name: string, value: string][];
type User = { username: string; name: string; secret: string };

const wms: User = { username: 'DOMAIN\\wms', name: 'wms-south', secret: 'ClientWms-AbCdEf' };
const archive: User = { username: 'Архив', name: 'archive', secret: 'ClientArchive-AbCdEf' };
const everyone = [wms, archive];

/** Is in every password, token and unknown user name, so that a test can search the log for it. */
const MARKER = 'sesame';
const PASSWORD = `open-${MARKER}`;
const OLD = `old-${MARKER}`;
const WRONG = `wrong-${MARKER}`;
const nobody = `nobody-${MARKER}`;

const PREFIX = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:';
const HOUR = 3_600;
const START = Date.parse('2026-11-21T06:48:04.123Z');
const LONG_AGO = START - 1_000 * HOUR * 1_000;

const stage = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live';
const balances = `${stage}/POST/rest/warehouse-control/material-stock-balance`;

const CURRENT = ['AWSCURRENT'];
const PREVIOUS = ['AWSPREVIOUS'];
const BOTH = [...CURRENT, ...PREVIOUS];

let time: number;
/** The versions of each secret, the current one first. */
let versions: Map<string, { SecretString: string; CreatedDate: number }[]>;
let reads: { secret: string; stage: string }[];
/** Reads of these stages fail. */
let failing: string[];
const log = collectLog();
const line = { timestamp: expect.any(String), requestId: 'request-1', extendedRequestId: 'extended' };

beforeEach(() => {
  time = START;
  versions = new Map();
  reads = [];
  failing = [];
});

afterEach(() => {
  vi.unstubAllEnvs();
  expect(tracesOf(MARKER, log.text())).toEqual([]);
  for (const entry of log.entries()) expect(entry).toMatchObject({ ...line, code: expect.any(String) });
});

const setSecret = ({ secret }: User, SecretString: string, changedAt = LONG_AGO) => {
  const version = { SecretString, CreatedDate: changedAt / 1_000 };
  versions.set(secret, [version, ...(versions.get(secret) ?? [])]);
};

const setPassword = (user: User, password = PASSWORD, changedAt = LONG_AGO) =>
  setSecret(user, JSON.stringify({ username: user.username, password }), changedAt);

/** Secrets Manager's answer to GetSecretValue. */
const answerTo = (body: string) => {
  const { SecretId, VersionStage } = JSON.parse(body);
  const secret = String(SecretId).replace(PREFIX, '');
  reads.push({ secret, stage: VersionStage });
  if (failing.includes(VersionStage)) return { status: 400, answer: { __type: 'AccessDeniedException' } };
  const version = versions.get(secret)?.[VersionStage === 'AWSCURRENT' ? 0 : 1];
  if (!version) return { status: 400, answer: { __type: 'ResourceNotFoundException' } };
  return { status: 200, answer: { ARN: SecretId, ...version } };
};

const requestHandler = {
  handle: async ({ body }: HttpRequest) => {
    const { status: statusCode, answer } = answerTo(Buffer.concat([body]).toString());
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    return {
      response: new HttpResponse({ statusCode, headers, body: Buffer.from(JSON.stringify(answer)) }),
    };
  },
};

const inProcess = () =>
  new SecretsManagerClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler,
  });

const encoded = (users: User[]) =>
  encodeClients(users.map(({ username, ...client }) => ({ userKey: userKeyOf(username), ...client })));

const deploy = ({ users = [wms], overlapHours = 24, client = inProcess() } = {}) => {
  const now = () => new Date(time);
  const secrets = clientSecrets({ prefix: PREFIX, readsPrevious: overlapHours > 0, now, client });
  const clients = users.length === 0 ? [] : decodeClients(encoded(users));
  return createHandler({ credentials: credentialCheck({ clients, secrets, overlapHours, now }) });
};

/** Calls the authorizer as the gateway does. */
const ask = (handler: Handler, sent: string | Headers | null, methodArn = balances) => {
  const headers: Headers = typeof sent === 'string' ? [['Authorization', sent]] : (sent ?? []);
  const multiValueHeaders: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
  }
  const event: Partial<APIGatewayRequestAuthorizerEvent> = {
    type: 'REQUEST',
    methodArn,
    multiValueHeaders: sent === null ? null : multiValueHeaders,
    requestContext: { requestId: 'request-1', extendedRequestId: 'extended' } as never,
  };
  return handler(event as APIGatewayRequestAuthorizerEvent);
};

const ERROR = 'The credentials could not be checked.';

/** The name of the client that is allowed, or Deny, or the error, which the gateway answers with a 503. */
const verdict = async (handler: Handler, sent: string | Headers | null) => {
  try {
    const { policyDocument, context } = await ask(handler, sent);
    const effect = policyDocument.Statement[0]?.Effect;
    return effect === 'Allow' ? context?.['client'] : effect;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

const right = basic(wms.username, PASSWORD);
const wrong = basic(wms.username, WRONG);
const unknown = basic(nobody, PASSWORD);

describe('the policy', () => {
  beforeEach(() => setPassword(wms));

  it.each([`${stage}/GET/rest/warehouse-control/material-codes`, balances, `${stage}/GET/a*/b:c/*`])(
    'allows the whole stage and nothing else for %s, after a read of the secret by its ARN',
    async (methodArn) => {
      expect(await ask(deploy(), right, methodArn)).toEqual({
        principalId: 'wms-south',
        policyDocument: {
          Version: '2012-10-17',
          Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${stage}/*/*` }],
        },
        context: { client: 'wms-south' },
        usageIdentifierKey: wms.secret.replaceAll('-', ''),
      });
      expect(reads).toEqual([{ secret: wms.secret, stage: 'AWSCURRENT' }]);
    },
  );

  it.each([wrong, unknown, 'Basic'])(
    'denies the whole stage for %s, and names no client and no API key',
    async (sent) => {
      expect(await ask(deploy(), sent)).toEqual({
        principalId: 'stranger',
        policyDocument: {
          Version: '2012-10-17',
          Statement: [{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource: `${stage}/*/*` }],
        },
      });
    },
  );
});

describe('the Authorization header', () => {
  beforeEach(() => setPassword(wms));

  it.each([[['aUTHORIZATION']], [['Authorization', 'Authorization']], [['Authorization', 'authorization']]])(
    'is accepted with the names %j',
    async (names) => {
      const sent = names.map((name): Headers[number] => [name, right]);
      expect(await verdict(deploy(), sent)).toBe(wms.name);
    },
  );

  it.each<[string, Headers | null]>([
    ['there are no headers', null],
    ['it is missing', []],
    ['it is a Bearer token', [['Authorization', right.replace('Basic', 'Bearer')]]],
    ['it has another name', [['Proxy-Authorization', right]]],
    ['it comes twice, the right one first', [right, wrong].map((value) => ['Authorization', value])],
    ['it comes twice, the right one last', [wrong, right].map((value) => ['Authorization', value])],
  ])('is denied without a read of any secret if %s', async (_, sent) => {
    expect(await verdict(deploy(), sent)).toBe('Deny');
    expect(reads).toEqual([]);
  });
});

describe('wrong credentials are denied', () => {
  const EXACT = `Café-ﬁ ${PASSWORD} `;
  beforeEach(() => {
    setPassword(wms, EXACT);
    setPassword(archive);
  });

  it.each([
    ['another password', wms.username, WRONG],
    ['no password', wms.username, ''],
    ['the password without its last space', wms.username, EXACT.trim()],
    ['more than the password', wms.username, `${EXACT} `],
    ['the password with decomposed letters', wms.username, EXACT.normalize('NFD')],
    ['the password without ligatures', wms.username, EXACT.normalize('NFKC')],
    ['the password in other letter case', wms.username, EXACT.toLowerCase()],
    ["another client's password", wms.username, PASSWORD],
    ['the user name in other letter case', 'domain\\wms', EXACT],
    ["the client's name instead of its user name", wms.name, EXACT],
    ['the whole secret', wms.username, JSON.stringify({ username: wms.username, password: EXACT })],
  ])('%s', async (_, username, password) => {
    const handler = deploy({ users: everyone });
    expect(await verdict(handler, basic(username, password))).toBe('Deny');
    expect(await verdict(handler, basic(wms.username, EXACT))).toBe(wms.name);
  });

  it('those of a removed client whose secret still exists', async () => {
    const sent = basic(archive.username, PASSWORD);
    expect(await verdict(deploy({ users: everyone }), sent)).toBe(archive.name);
    expect(await verdict(deploy({ users: [wms] }), sent)).toBe('Deny');
  });

  it('an unknown user with the password of a client, whichever secret is read instead', async () => {
    const handler = deploy({ users: everyone });
    for (const username of ['__proto__', 'constructor', 'Никто', ...'abcdefghijklmnopq']) {
      for (const password of [EXACT, PASSWORD]) {
        expect(await verdict(handler, basic(username, password))).toBe('Deny');
      }
    }
    expect(new Set(reads.map(({ secret }) => secret)).size).toBe(everyone.length);
  });
});

/** After these seconds: what is sent, the answer to it, and the stages that are read for it. Or what happens. */
type Step = [seconds: number, sent: string, answer: string, read: string[]] | (() => void);

const old = basic(wms.username, OLD);
const ALLOW = wms.name;
const DENY = 'Deny';
const change = () => setPassword(wms, PASSWORD, START);
const fail = (stages: string[]) => () => {
  failing = stages;
};

const follow = async (handler: Handler, steps: Step[]) => {
  for (const step of steps) {
    if (typeof step === 'function') {
      step();
      continue;
    }
    const [seconds, sent, answer, read] = step;
    time = START + Math.round(seconds * 1_000);
    reads = [];
    const found = await verdict(handler, sent);
    expect([seconds, found, reads.map((read) => read.stage)]).toEqual([seconds, answer, read]);
  }
};

describe('after a change of the password', () => {
  beforeEach(() => setPassword(wms, OLD));

  it.each<[string, number, Step[]]>([
    ...[1, 24].map((hours): [string, number, Step[]] => [
      `the previous password is valid for ${hours} hours`,
      hours,
      [
        change,
        [hours * HOUR - 0.001, old, ALLOW, BOTH],
        [hours * HOUR - 0.001, right, ALLOW, []],
        [hours * HOUR, old, DENY, []],
        [hours * HOUR, right, ALLOW, []],
      ],
    ]),
    [
      'the previous password is invalid at once with an overlap of 0, and never read',
      0,
      [
        change,
        [0, old, DENY, CURRENT],
        [6, right, ALLOW, []],
        [6, wrong, DENY, CURRENT],
        [12, unknown, DENY, CURRENT],
      ],
    ],
    [
      'the new one is allowed once the cached copy is 5 s old, and the previous one stays valid',
      24,
      [
        [0, wrong, DENY, BOTH],
        change,
        [4.999, right, DENY, []],
        [5, right, ALLOW, CURRENT],
        [5, old, ALLOW, PREVIOUS],
      ],
    ],
  ])('%s', (_, overlapHours, steps) => follow(deploy({ overlapHours }), steps));
});

describe('a secret', () => {
  it.each<[string, Step[]]>([
    [
      'without a previous version is read once for every 30 s',
      [
        [0, right, ALLOW, CURRENT],
        [29.999, right, ALLOW, []],
        [30, right, ALLOW, CURRENT],
        [30, wrong, DENY, PREVIOUS],
        [59.999, right, ALLOW, []],
      ],
    ],
    [
      'that cannot be read causes an error for right, wrong and unknown credentials',
      [fail(CURRENT), [0, right, ERROR, CURRENT], [0, wrong, ERROR, CURRENT], [0, unknown, ERROR, CURRENT]],
    ],
    [
      'whose previous version cannot be read causes an error, but not for the current password',
      [
        fail(PREVIOUS),
        [0, wrong, ERROR, BOTH],
        [0, unknown, ERROR, PREVIOUS],
        [0, right, ALLOW, []],
        fail([]),
        [0, wrong, DENY, PREVIOUS],
      ],
    ],
    [
      'that cannot be read any more causes an error after 5 s for a wrong password, and after 30 s for the right one',
      [
        [0, wrong, DENY, BOTH],
        fail(BOTH),
        [4.999, wrong, DENY, []],
        [5, wrong, ERROR, CURRENT],
        [5, unknown, ERROR, CURRENT],
        [29.999, right, ALLOW, []],
        [30, right, ERROR, CURRENT],
      ],
    ],
  ])('%s', (_, steps) => {
    setPassword(wms);
    return follow(deploy(), steps);
  });

  it('whose previous version has no password allows only the current password', () => {
    setSecret(wms, OLD);
    setPassword(wms, PASSWORD, START);
    return follow(deploy(), [
      [0, right, ALLOW, CURRENT],
      [0, old, DENY, PREVIOUS],
      [0, basic(wms.username, ''), DENY, []],
    ]);
  });

  it.each([
    PASSWORD,
    '',
    `"${PASSWORD}"`,
    `["${PASSWORD}"]`,
    'null',
    `{"username":"DOMAIN\\\\wms","passwort":"${PASSWORD}"}`,
    '{"username":"DOMAIN\\\\wms","password":""}',
    '{"username":"DOMAIN\\\\wms","password":12345678}',
  ])('with the content %s causes an error, even within the overlap', async (content) => {
    setPassword(wms);
    setSecret(wms, content, START);
    for (const sent of [right, wrong, basic(wms.username, '')]) {
      await follow(deploy(), [[0, sent, ERROR, CURRENT]]);
    }
  });

  it('that does not exist causes an error, and so does a deployment without clients', async () => {
    await follow(deploy(), [[0, right, ERROR, CURRENT]]);
    await follow(deploy({ users: [] }), [[0, right, ERROR, []]]);
    expect(log.entries()[1]).toMatchObject({ error: { message: 'This deployment has no clients.' } });
  });

  it('is cached for its client, and each client is allowed under its own name', async () => {
    const handler = deploy({ users: everyone });
    for (const user of everyone) {
      setPassword(user);
      const sent = basic(user.username, PASSWORD);
      await follow(handler, [
        [0, sent, user.name, CURRENT],
        [0, sent, user.name, []],
      ]);
    }
  });

  it.each([
    ['cold', 0, BOTH],
    ['1 s old', 1, PREVIOUS],
    ['10 s old', 10, BOTH],
    ['40 s old', 40, BOTH],
  ])('is read alike for an unknown user and a wrong password while its copy is %s', async (_, age, read) => {
    for (const user of everyone) {
      setPassword(user, OLD);
      setPassword(user);
    }
    // A client that knows its own passwords must not find out whose secret is read instead.
    const sent = [wrong, ...[WRONG, PASSWORD, OLD].map((password) => basic(nobody, password))];
    const cases = [[wms], everyone].flatMap((users) => sent.map((header) => ({ users, header })));
    for (const { users, header } of cases) {
      const handler = deploy({ users });
      const warming = users.map((user): Step => [0, basic(user.username, PASSWORD), user.name, CURRENT]);
      await follow(handler, [...(age > 0 ? warming : []), [age, header, DENY, read]]);
      expect(new Set(reads.map(({ secret }) => secret)).size).toBe(1);
    }
  });
});

/** A Secrets Manager over HTTP, and an environment that names it. */
const serveSecrets = async (respond: (outgoing: ServerResponse, body: string) => void) => {
  const server = createServer(async (incoming, outgoing) =>
    respond(outgoing, String(await bodyOf(incoming))),
  );
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', await listen(server, 0));
};

describe('the deployed function', () => {
  it.each([
    ['and the previous one if the overlap is 24 hours', 24, wms.name, BOTH],
    ['and not the previous one if the overlap is 0', 0, 'Deny', CURRENT],
  ])('allows the current password, %s', async (_, overlapHours, answer, stages) => {
    setPassword(wms, OLD);
    setPassword(wms, PASSWORD, Date.now());
    await serveSecrets((outgoing, body) => {
      const { status, answer } = answerTo(body);
      outgoing.writeHead(status).end(JSON.stringify(answer));
    });
    vi.resetModules();
    vi.stubEnv(variables.clients, encoded(everyone));
    vi.stubEnv(variables.secretPrefix, PREFIX);
    vi.stubEnv(variables.credentialOverlapHours, String(overlapHours));
    const { handler } = await import('../../functions/authorizer.ts');
    expect(await verdict(handler, right)).toBe(wms.name);
    expect(await verdict(handler, old)).toBe(answer);
    expect(new Set(reads.map((read) => read.stage))).toEqual(new Set(stages));
  });

  it.each<[string, (outgoing: ServerResponse) => unknown]>([
    ['no answer', () => {}],
    [
      'headers without an end',
      (outgoing) => {
        const writing = setInterval(() => outgoing.writeProcessing(), 10);
        outgoing.once('close', () => clearInterval(writing));
      },
    ],
    ['half of a body', (outgoing) => outgoing.writeHead(200).write('{"ARN"')],
  ])('gives up after three attempts of limited time if a read gets %s', async (_, respond) => {
    let attempts = 0;
    await serveSecrets((outgoing) => {
      attempts += 1;
      respond(outgoing);
    });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await verdict(deploy({ client: secretsClient({ attemptMs: 50 }) }), right)).toBe(ERROR);
    expect(attempts).toBe(3);
  });
});

describe('the log', () => {
  it('has one line for denied credentials, with the name of a known client but nothing that was sent', async () => {
    setPassword(wms);
    for (const header of [wrong, unknown, `Bearer ${PASSWORD}`]) await ask(deploy(), header);
    const metric = metricFields([[]], { WrongCredentials: 1 });
    const stranger = { ...line, level: 'WARN', code: 'credentials-refused', ...metric };
    expect(log.entries()).toEqual([{ ...stranger, client: wms.name }, stranger, stranger]);
  });

  it('has one line for a secret without a password, with its name but not its content', async () => {
    setSecret(wms, `{"username":"DOMAIN\\\\wms","passwort":"${PASSWORD}"}`);
    expect(await verdict(deploy(), right)).toBe(ERROR);
    const error = expect.objectContaining({ name: 'Error', message: expect.stringContaining(wms.secret) });
    expect(log.entries()).toEqual([{ ...line, level: 'ERROR', code: 'credentials-unreadable', error }]);
  });
});

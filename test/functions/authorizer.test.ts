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
import { metricFields } from '../support/handlers.ts';

type Handler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
type Headers = [name: string, value: string][];
type User = { username: string; name: string; secret: string };

const wms: User = { username: 'DOMAIN\\wms', name: 'wms-south', secret: 'ClientWms-AbCdEf' };
const archive: User = { username: 'Архив', name: 'archive', secret: 'ClientArchive-AbCdEf' };
const kiosk: User = { username: 'kiosk', name: 'kiosk', secret: 'ClientKiosk-AbCdEf' };
const everyone = [wms, archive, kiosk];
const nobody = { username: 'nobody' };

const PREFIX = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:';
const PASSWORD = 'open-sesame';
const WRONG = 'open-barley';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const START = Date.parse('2026-11-21T06:48:04.123Z');
const LONG_AGO = new Date(START - 1_000 * HOUR);

const stage = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live';
const balances = `${stage}/POST/rest/warehouse-control/material-stock-balance`;

let time: number;
/** The versions of each secret, the current one first. */
let versions: Map<string, { SecretString: string; CreatedDate: number }[]>;
let reads: { secret: string; stage: string }[];
/** Reads of these stages fail. */
let failing: string[];
let output: string;
const confidential = new Set<string>();

const keepFromTheLog = (...texts: string[]) => {
  for (const text of texts) if (text.trim() !== '') confidential.add(text.trim());
};

beforeEach(() => {
  time = START;
  versions = new Map();
  reads = [];
  failing = [];
  output = '';
  confidential.clear();
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk);
      return true;
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  const forms = [...confidential].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  expect([...new Set(forms)].filter((form) => output.includes(form))).toEqual([]);
  for (const line of logLines()) {
    expect(line).toMatchObject({
      code: expect.any(String),
      requestId: 'request-1',
      extendedRequestId: 'extended',
    });
  }
});

/** Throws if a line is not JSON. */
const logLines = (): Record<string, unknown>[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const setSecret = ({ secret }: User, value: string, changedAt = LONG_AGO) => {
  keepFromTheLog(value);
  const version = { SecretString: value, CreatedDate: changedAt.getTime() / 1_000 };
  versions.set(secret, [version, ...(versions.get(secret) ?? [])]);
};

const setPassword = (user: User, password = PASSWORD, changedAt = LONG_AGO) => {
  keepFromTheLog(password);
  setSecret(user, JSON.stringify({ username: user.username, password }), changedAt);
};

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
    const { status, answer } = answerTo(Buffer.concat([body]).toString());
    const headers = { 'content-type': 'application/x-amz-json-1.1' };
    return {
      response: new HttpResponse({ statusCode: status, headers, body: Buffer.from(JSON.stringify(answer)) }),
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

const basic = ({ username }: Pick<User, 'username'>, password = PASSWORD) => {
  keepFromTheLog(password, `${username}:${password}`);
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
};

/** Calls the authorizer as the gateway does. */
const ask = (handler: Handler, sent: string | Headers | null, methodArn = balances) => {
  const headers: Headers = typeof sent === 'string' ? [['Authorization', sent]] : (sent ?? []);
  const multiValueHeaders: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
    keepFromTheLog(value, value.replace(/^\S+\s+/, ''));
  }
  const event: Partial<APIGatewayRequestAuthorizerEvent> = {
    type: 'REQUEST',
    methodArn,
    multiValueHeaders: sent === null ? null : multiValueHeaders,
    requestContext: { requestId: 'request-1', extendedRequestId: 'extended' } as never,
  };
  return handler(event as APIGatewayRequestAuthorizerEvent);
};

/** The name of the client that is allowed, or Deny. */
const verdict = async (handler: Handler, sent: string | Headers | null) => {
  const { policyDocument, context } = await ask(handler, sent);
  const effect = policyDocument.Statement[0]?.Effect;
  return effect === 'Allow' ? context?.['client'] : effect;
};

const CURRENT = ['AWSCURRENT'];
const PREVIOUS = ['AWSPREVIOUS'];
const BOTH = [...CURRENT, ...PREVIOUS];

/** The stages that are read for this answer. */
const stagesReadFor = async (answer: () => Promise<unknown>) => {
  reads = [];
  await answer();
  return reads.map((read) => read.stage).sort();
};

describe('the policy', () => {
  beforeEach(() => setPassword(wms));

  it.each([`${stage}/GET/rest/warehouse-control/material-codes`, balances, `${stage}/GET/a*/b:c/*`])(
    'allows the whole stage and nothing else for %s, after a read of the secret by its ARN',
    async (methodArn) => {
      expect(await ask(deploy(), basic(wms), methodArn)).toEqual({
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

  it.each([
    ['a wrong password', () => basic(wms, WRONG)],
    ['an unknown user', () => basic(nobody)],
    ['a malformed header', () => 'Basic'],
  ])('denies the whole stage for %s, and names no client and no API key', async (_, sent) => {
    expect(await ask(deploy(), sent())).toEqual({
      principalId: 'stranger',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Deny', Resource: `${stage}/*/*` }],
      },
    });
  });
});

describe('the Authorization header', () => {
  beforeEach(() => setPassword(wms));
  const right = `Basic ${Buffer.from(`${wms.username}:${PASSWORD}`).toString('base64')}`;

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
    ...[
      [right, 'Bearer sesame'],
      ['Bearer sesame', right],
    ].map((values, at): [string, Headers] => [
      `it comes twice, and value ${at} is right`,
      values.map((value) => ['Authorization', value]),
    ]),
  ])('is denied without a read of any secret if %s', async (_, sent) => {
    expect(await verdict(deploy(), sent)).toBe('Deny');
    expect(reads).toEqual([]);
  });
});

describe('wrong credentials are denied', () => {
  beforeEach(() => {
    for (const user of everyone) setPassword(user, `${PASSWORD} of ${user.name}`);
  });

  it.each([
    ['another password', wms.username, WRONG],
    ['no password', wms.username, ''],
    ['the start of the password', wms.username, PASSWORD],
    ['more than the password', wms.username, `${PASSWORD} of wms-south `],
    ["another client's password", wms.username, `${PASSWORD} of archive`],
    ['the user name in other letter case', 'domain\\wms', `${PASSWORD} of wms-south`],
    ["the client's name instead of its user name", 'wms-south', `${PASSWORD} of wms-south`],
    ['the whole secret', wms.username, `{"username":"DOMAIN\\\\wms","password":"${PASSWORD} of wms-south"}`],
  ])('%s', async (_, username, password) => {
    expect(await verdict(deploy({ users: everyone }), basic({ username }, password))).toBe('Deny');
  });

  it.each([
    ['composed', 'cafe\u0301', 'café'],
    ['decomposed', 'café', 'cafe\u0301'],
    ['with plain letters for ligatures', 'ﬁx', 'fix'],
    ['in other letter case', 'Open-Sesame', 'open-sesame'],
    ['without its spaces', ' open sesame ', 'open sesame'],
  ])('the right password sent %s', async (_, password, sent) => {
    setPassword(wms, password);
    expect(await verdict(deploy(), basic(wms, password))).toBe(wms.name);
    expect(await verdict(deploy(), basic(wms, sent))).toBe('Deny');
  });

  it('those of a removed client whose secret still exists', async () => {
    setPassword(archive);
    expect(await verdict(deploy({ users: everyone }), basic(archive))).toBe(archive.name);
    expect(await verdict(deploy({ users: [wms] }), basic(archive))).toBe('Deny');
  });

  it('an unknown user with the password of a client, whichever secret is read instead', async () => {
    const handler = deploy({ users: everyone });
    for (const username of ['__proto__', 'constructor', 'Никто', ...'abcdefghijklmnopq']) {
      for (const { name } of everyone) {
        expect(await verdict(handler, basic({ username }, `${PASSWORD} of ${name}`))).toBe('Deny');
      }
    }
    expect(new Set(reads.map(({ secret }) => secret)).size).toBeGreaterThan(1);
  });
});

describe('a changed password', () => {
  const OLD = 'the-old-sesame';
  const NEW = 'the-new-sesame';
  const changedAt = new Date(START);

  it('without a previous version is allowed, and any other password is denied', async () => {
    setPassword(wms, NEW);
    const handler = deploy();
    expect(await verdict(handler, basic(wms, NEW))).toBe(wms.name);
    expect(await verdict(handler, basic(wms, OLD))).toBe('Deny');
    expect(reads.map((read) => read.stage)).toEqual(BOTH);
  });

  it.each([1, 24])(
    'leaves the previous password valid for %i hours after the change',
    async (overlapHours) => {
      setPassword(wms, OLD);
      setPassword(wms, NEW, changedAt);
      const handler = deploy({ overlapHours });
      time = START + overlapHours * HOUR - 1;
      expect(await verdict(handler, basic(wms, OLD))).toBe(wms.name);
      expect(await verdict(handler, basic(wms, NEW))).toBe(wms.name);
      time = START + overlapHours * HOUR;
      for (const asked of [handler, deploy({ overlapHours })]) {
        expect(await verdict(asked, basic(wms, OLD))).toBe('Deny');
        expect(await verdict(asked, basic(wms, NEW))).toBe(wms.name);
      }
    },
  );

  it('replaces the previous password at once if the overlap is 0, and never reads the previous version', async () => {
    setPassword(wms, OLD);
    setPassword(wms, NEW, changedAt);
    const handler = deploy({ overlapHours: 0 });
    for (const password of [OLD, NEW, WRONG, OLD]) {
      expect(await verdict(handler, basic(wms, password))).toBe(password === NEW ? wms.name : 'Deny');
      time += 6 * SECOND;
    }
    await ask(handler, basic(nobody));
    expect(new Set(reads.map((read) => read.stage))).toEqual(new Set(CURRENT));
  });

  it('is allowed once the cached copy is five seconds old, and the previous password stays valid', async () => {
    setPassword(wms, OLD);
    const handler = deploy();
    expect(await verdict(handler, basic(wms, WRONG))).toBe('Deny');
    setPassword(wms, NEW, changedAt);
    time = START + 5 * SECOND - 1;
    expect(await verdict(handler, basic(wms, NEW))).toBe('Deny');
    time = START + 5 * SECOND;
    expect(await verdict(handler, basic(wms, NEW))).toBe(wms.name);
    expect(await verdict(handler, basic(wms, OLD))).toBe(wms.name);
  });

  it('is allowed if the previous version has no password, and the content of that version is denied', async () => {
    setSecret(wms, OLD);
    setPassword(wms, NEW, changedAt);
    const handler = deploy();
    expect(await verdict(handler, basic(wms, NEW))).toBe(wms.name);
    for (const password of [OLD, '']) expect(await verdict(handler, basic(wms, password))).toBe('Deny');
  });
});

describe('the cached copy of a secret', () => {
  beforeEach(() => {
    for (const user of everyone) setPassword(user);
  });

  it('is used for thirty seconds', async () => {
    const handler = deploy();
    for (const [at, stages] of [
      [0, CURRENT],
      [30 * SECOND - 1, []],
      [30 * SECOND, CURRENT],
      [60 * SECOND - 1, []],
    ] as const) {
      time = START + at;
      expect([at, await stagesReadFor(() => ask(handler, basic(wms)))]).toEqual([at, stages]);
    }
  });

  it('is separate for each client, and each client is allowed under its own name', async () => {
    const handler = deploy({ users: everyone });
    for (const user of everyone) {
      const enter = async () => expect(await verdict(handler, basic(user))).toBe(user.name);
      expect(await stagesReadFor(enter)).toEqual(CURRENT);
      expect(await stagesReadFor(enter)).toEqual([]);
    }
  });

  it.each<[string, (attempt: number) => string]>([
    ['wrong passwords', (attempt) => basic(wms, `${WRONG}-${attempt}`)],
    ['unknown users', (attempt) => basic({ username: `nobody-${attempt}` }, WRONG)],
  ])('is refreshed at most once in five seconds during a flood of %s', async (_, credentials) => {
    const handler = deploy();
    const flood = async () => {
      for (let attempt = 0; attempt < 40; attempt += 1) {
        expect(await verdict(handler, credentials(attempt))).toBe('Deny');
        time += 100;
      }
    };
    expect(await stagesReadFor(flood)).toEqual(BOTH);
    expect(await stagesReadFor(flood)).toEqual(BOTH);
  });

  it.each([
    ['cold', undefined, BOTH],
    ['warm', 1 * SECOND, PREVIOUS],
    ['older than five seconds', 10 * SECOND, BOTH],
    ['older than thirty seconds', 40 * SECOND, BOTH],
  ])(
    'causes the same reads of one secret for an unknown user as for a wrong password while it is %s',
    async (_, age, expected) => {
      const BEFORE = 'sesame-before';
      for (const user of everyone) {
        setPassword(user, BEFORE);
        setPassword(user);
      }
      const expectReads = async (users: User[], sent: string) => {
        const handler = deploy({ users });
        time = START;
        if (age !== undefined) for (const user of users) await ask(handler, basic(user));
        time += age ?? 0;
        expect(await stagesReadFor(() => ask(handler, sent))).toEqual(expected);
        expect(new Set(reads.map(({ secret }) => secret)).size).toBe(1);
      };
      for (const users of [[wms], everyone]) {
        await expectReads(users, basic(wms, WRONG));
        // A client that knows its own passwords must not find out whose secret is read instead.
        for (const password of [WRONG, PASSWORD, BEFORE]) await expectReads(users, basic(nobody, password));
      }
    },
  );
});

/** The gateway answers the error "Unauthorized" with a 401 and every other error with a 503. */
const expectError = async (handler: Handler, sent: string) => {
  const error: unknown = await ask(handler, sent).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty('message', 'Unauthorized');
  for (const text of confidential) expect(String(error)).not.toContain(text);
};

describe('a secret that cannot be read', () => {
  beforeEach(() => setPassword(wms));

  it('causes an error instead of a Deny for right, wrong and unknown credentials', async () => {
    failing = CURRENT;
    for (const sent of [basic(wms), basic(wms, WRONG), basic(nobody)]) await expectError(deploy(), sent);
  });

  it('allows the current password if only its previous version fails, and causes an error for any other', async () => {
    failing = PREVIOUS;
    const handler = deploy();
    for (const sent of [basic(wms, WRONG), basic(nobody)]) await expectError(handler, sent);
    expect(await verdict(handler, basic(wms))).toBe(wms.name);
    failing = [];
    expect(await verdict(handler, basic(wms, WRONG))).toBe('Deny');
  });

  it.each([
    ['not JSON', 'open-sesame'],
    ['empty', ''],
    ['a JSON text', '"open-sesame"'],
    ['a JSON list', '["open-sesame"]'],
    ['null', 'null'],
    ['an object without a password', '{"username":"DOMAIN\\\\wms","passwort":"open-sesame"}'],
    ['an object with an empty password', '{"username":"DOMAIN\\\\wms","password":""}'],
    ['an object with a number as password', '{"username":"DOMAIN\\\\wms","password":12345678}'],
  ])('causes an error instead of a Deny if its value is %s, even within the overlap', async (_, value) => {
    setSecret(wms, value, new Date(START));
    for (const sent of [basic(wms), basic(wms, WRONG), basic(wms, '')]) await expectError(deploy(), sent);
  });

  it('causes an error if it does not exist, or if a deployment has no clients', async () => {
    await expectError(deploy({ users: [archive] }), basic(archive));
    await expectError(deploy({ users: [] }), basic(wms));
    expect(logLines()[1]).toMatchObject({ error: { message: 'This deployment has no clients.' } });
  });

  it('causes an error for a wrong password once the copy is 5 s old, but allows the right password for 30 s', async () => {
    const handler = deploy();
    await ask(handler, basic(wms, WRONG));
    failing = BOTH;
    time = START + 5 * SECOND - 1;
    expect(await verdict(handler, basic(wms, WRONG))).toBe('Deny');
    time = START + 5 * SECOND;
    for (const sent of [basic(wms, WRONG), basic(nobody, WRONG)]) await expectError(handler, sent);
    time = START + 30 * SECOND - 1;
    expect(await verdict(handler, basic(wms))).toBe(wms.name);
    time = START + 30 * SECOND;
    await expectError(handler, basic(wms));
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
    setPassword(wms, WRONG);
    setPassword(wms, PASSWORD, new Date());
    await serveSecrets((outgoing, body) => {
      const { status, answer } = answerTo(body);
      outgoing.writeHead(status).end(JSON.stringify(answer));
    });
    vi.resetModules();
    vi.stubEnv(variables.clients, encoded(everyone));
    vi.stubEnv(variables.secretPrefix, PREFIX);
    vi.stubEnv(variables.credentialOverlapHours, String(overlapHours));
    const { handler } = await import('../../functions/authorizer.ts');
    expect(await verdict(handler, basic(wms))).toBe(wms.name);
    expect(await verdict(handler, basic(wms, WRONG))).toBe(answer);
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
    await expectError(deploy({ client: secretsClient({ attemptMs: 50 }) }), basic(wms));
    expect(attempts).toBe(3);
  });
});

describe('the log', () => {
  const line = { timestamp: expect.any(String), requestId: 'request-1', extendedRequestId: 'extended' };

  it('has one line for denied credentials, with the name of a known client but nothing that was sent', async () => {
    setPassword(wms);
    keepFromTheLog('nobody-we-know');
    const sent = [basic(wms, WRONG), basic({ username: 'nobody-we-know' }), 'Bearer open-sesame'];
    for (const header of sent) await ask(deploy(), header);
    const metric = metricFields([[]], { WrongCredentials: 1 });
    const stranger = { ...line, level: 'WARN', code: 'credentials-refused', ...metric };
    expect(logLines()).toEqual([{ ...stranger, client: wms.name }, stranger, stranger]);
  });

  it('has one line for a secret without a password, with its name but not its content', async () => {
    setSecret(wms, '{"username":"DOMAIN\\\\wms","passwort":"open-sesame"}');
    await expectError(deploy(), basic(wms));
    const error = expect.objectContaining({ name: 'Error', message: expect.stringContaining(wms.secret) });
    expect(logLines()).toEqual([{ ...line, level: 'ERROR', code: 'credentials-unreadable', error }]);
  });
});

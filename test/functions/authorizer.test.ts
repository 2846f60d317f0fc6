import { randomUUID } from 'node:crypto';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHandler } from '../../functions/authorizer.ts';
import { clientSecrets } from '../../functions/credentials/client-secrets.ts';
import { credentialCheck } from '../../functions/credentials/credential-check.ts';
import { decodeClients, encodeClients, userKeyOf } from '../../shared/clients.ts';
import { variables } from '../../shared/environment.ts';
import { secretPrefix, startSecretsManager } from '../support/fault-proxy.ts';
import { metricFields } from '../support/handlers.ts';

type Handler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
type Headers = [name: string, value: string][];
type User = { username: string; name: string; secret: string };

const wms: User = { username: 'DOMAIN\\wms', name: 'wms-south', secret: 'ClientWms-AbCdEf' };
const archive: User = { username: 'Архив', name: 'archive', secret: 'ClientArchive-AbCdEf' };
const kiosk: User = { username: 'kiosk', name: 'kiosk', secret: 'ClientKiosk-AbCdEf' };
const branch: User = { username: 'branch', name: 'branch-4', secret: 'ClientBranch-AbCdEf' };
const everyone = [wms, archive, kiosk, branch];

const PASSWORD = 'open-sesame';
const WRONG = 'open-barley';
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const START = Date.parse('2026-11-21T06:48:04.123Z');
const LONG_AGO = new Date(START - 1_000 * HOUR);

const stage = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live';
const balances = `${stage}/POST/rest/warehouse-control/material-stock-balance`;

let secretsManager: Awaited<ReturnType<typeof startSecretsManager>>;
let time: number;
/** How far the two clocks are behind the time. */
let behind: { wall: number; monotonic: number };
let clients: SecretsManagerClient[];
let output: string;
let errorOutput: string;
const confidential = new Set<string>();

const keepFromTheLog = (...texts: string[]) => {
  for (const text of texts) if (text.trim() !== '') confidential.add(text.trim());
};

beforeEach(async () => {
  secretsManager = await startSecretsManager();
  clients = [];
  time = START;
  behind = { wall: 0, monotonic: 0 };
  output = '';
  errorOutput = '';
  confidential.clear();
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    output += String(chunk);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    errorOutput += String(chunk);
    return true;
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const client of clients) client.destroy();
  await secretsManager.stop();
  // One search per text: thousands of assertions on a long log take seconds.
  const written = output + errorOutput;
  const forms = [...confidential].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]);
  expect([...new Set(forms)].filter((form) => written.includes(form))).toEqual([]);
  for (const line of logLines()) {
    expect(line).toMatchObject({
      code: expect.any(String),
      requestId: expect.any(String),
      extendedRequestId: 'extended',
    });
  }
});

/** Throws if a line is not JSON. */
const logLines = (): Record<string, unknown>[] => {
  if (output === '') return [];
  expect(output.endsWith('\n')).toBe(true);
  return output
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
};

const setSecret = ({ secret }: User, value: string, changedAt = LONG_AGO) => {
  keepFromTheLog(value);
  secretsManager.putSecretValue(secret, value, changedAt);
};

const setPassword = (user: User, password = PASSWORD, changedAt = LONG_AGO) => {
  keepFromTheLog(password);
  setSecret(user, JSON.stringify({ username: user.username, password }), changedAt);
};

const encoded = (users: User[]) =>
  encodeClients(users.map(({ username, ...client }) => ({ userKey: userKeyOf(username), ...client })));

/** A client that gives up at once, so that one failure is one call. */
const secretsManagerClient = (endpoint: string, timeoutMs: number) =>
  new SecretsManagerClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
    requestHandler: { requestTimeout: timeoutMs, socketTimeout: timeoutMs, throwOnRequestTimeout: true },
  });

const deploy = ({ users = [wms], overlapHours = 24, timeoutMs = 20 * SECOND } = {}) => {
  const now = () => new Date(time - behind.wall);
  const monotonicNow = () => time - behind.monotonic;
  const client = secretsManagerClient(secretsManager.endpoint, timeoutMs);
  clients.push(client);
  return createHandler({
    credentials: credentialCheck({
      clients: users.length === 0 ? [] : decodeClients(encoded(users)),
      secrets: clientSecrets({
        prefix: secretPrefix,
        readsPrevious: overlapHours > 0,
        now,
        monotonicNow,
        client,
      }),
      overlapHours,
      now,
    }),
  });
};

const base64 = (pair: string | Uint8Array) => Buffer.from(pair).toString('base64');

const basic = ({ username }: Pick<User, 'username'>, password = PASSWORD) => {
  keepFromTheLog(password, `${username}:${password}`);
  return `Basic ${base64(`${username}:${password}`)}`;
};

const eventOf = (headers: Headers, methodArn: string, requestId: string) => {
  const multiValueHeaders: Record<string, string[]> = {};
  for (const [name, value] of headers) {
    multiValueHeaders[name] = [...(multiValueHeaders[name] ?? []), value];
    keepFromTheLog(value, value.replace(/^\S+\s+/, ''));
  }
  const event: Partial<APIGatewayRequestAuthorizerEvent> = {
    type: 'REQUEST',
    methodArn,
    headers: Object.fromEntries(headers),
    multiValueHeaders,
    requestContext: { requestId, extendedRequestId: 'extended' } as never,
  };
  return event as APIGatewayRequestAuthorizerEvent;
};

/** Calls the authorizer as the gateway does. */
const ask = (
  handler: Handler,
  sent: string | Headers,
  methodArn = balances,
  requestId: string = randomUUID(),
) => handler(eventOf(typeof sent === 'string' ? [['Authorization', sent]] : sent, methodArn, requestId));

const verdict = async (handler: Handler, sent: string | Headers) => {
  const { policyDocument, context } = await ask(handler, sent);
  const [statement] = policyDocument.Statement;
  return { effect: statement?.Effect, client: context?.['client'] };
};

const allowed = ({ name }: User = wms) => ({ effect: 'Allow', client: name });
const denied = { effect: 'Deny', client: undefined };

const stagesRead = () => secretsManager.calls.map((call) => call.stage).sort();
const CURRENT = ['AWSCURRENT'];
const PREVIOUS = ['AWSPREVIOUS'];
const BOTH = [...CURRENT, ...PREVIOUS];

/** The reads for this answer only. */
const readsFor = async (answer: () => Promise<unknown>) => {
  secretsManager.calls.length = 0;
  await answer();
  return stagesRead();
};

describe('right credentials', () => {
  beforeEach(() => {
    for (const user of everyone) setPassword(user);
  });

  it.each([
    [['authorization']],
    [['aUTHORIZATION']],
    [['Authorization', 'Authorization']],
    [['Authorization', 'authorization']],
  ])('are allowed in the headers %j', async (names) => {
    expect(
      await verdict(
        deploy(),
        names.map((name) => [name, basic(wms)]),
      ),
    ).toEqual(allowed());
  });

  it('cause a read of the secret by its full ARN, because the role permits only that', async () => {
    await ask(deploy(), basic(wms));
    expect(new Set(secretsManager.calls.map(({ secret }) => secret))).toEqual(new Set([wms.secret]));
  });
});

describe('the policy', () => {
  beforeEach(() => setPassword(wms));

  it.each([
    ['a GET', `${stage}/GET/rest/warehouse-control/material-codes`],
    ['a POST', balances],
    ['the root', `${stage}/GET/`],
    ['a path with stars and colons', `${stage}/GET/a*/b:c/*`],
  ])('allows the whole stage and nothing else for %s', async (_, methodArn) => {
    expect(await ask(deploy(), basic(wms), methodArn)).toEqual({
      principalId: 'wms-south',
      policyDocument: {
        Version: '2012-10-17',
        Statement: [{ Action: 'execute-api:Invoke', Effect: 'Allow', Resource: `${stage}/*/*` }],
      },
      context: { client: 'wms-south' },
      usageIdentifierKey: wms.secret.replaceAll('-', ''),
    });
  });

  it.each([
    ['a wrong password', () => basic(wms, WRONG)],
    ['an unknown user', () => basic({ username: 'nobody' })],
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

describe('wrong credentials', () => {
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
    [
      'the whole secret as the password',
      wms.username,
      JSON.stringify({ username: wms.username, password: `${PASSWORD} of wms-south` }),
    ],
  ])('are denied: %s', async (_, username, password) => {
    expect(await verdict(deploy({ users: everyone }), basic({ username }, password))).toEqual(denied);
  });

  it.each([
    ['composed', 'cafe\u0301', 'café'],
    ['decomposed', 'café', 'cafe\u0301'],
    ['with plain letters for ligatures', 'ﬁx', 'fix'],
    ['with narrow letters for wide ones', 'Ｗarehouse', 'Warehouse'],
    ['in other letter case', 'Open-Sesame', 'open-sesame'],
    ['without its spaces', ' open sesame ', 'open sesame'],
  ])('are denied if the right password is sent %s', async (_, password, sent) => {
    setPassword(wms, password);
    expect(await verdict(deploy(), basic(wms, password))).toEqual(allowed());
    expect(await verdict(deploy(), basic(wms, sent))).toEqual(denied);
  });

  it('are denied for a removed client whose secret still exists', async () => {
    setPassword(archive);
    expect(await verdict(deploy({ users: [wms, archive] }), basic(archive))).toEqual(allowed(archive));
    expect(await verdict(deploy({ users: [wms] }), basic(archive))).toEqual(denied);
  });

  it('cause reads of different secrets for unknown users, so that the reads do not reveal which users exist', async () => {
    for (const user of everyone) setPassword(user);
    const handler = deploy({ users: everyone });
    for (let attempt = 0; attempt < 24; attempt += 1) {
      expect(await verdict(handler, basic({ username: `nobody-${attempt}` }, WRONG))).toEqual(denied);
    }
    expect(new Set(secretsManager.calls.map(({ secret }) => secret)).size).toBeGreaterThan(1);
  });

  it('are denied if an unknown user sends the password of a client', async () => {
    const handler = deploy({ users: everyone });
    for (const { name } of everyone) {
      for (const username of ['nobody', '__proto__', 'constructor', 'Никто', ...'abcdefghij']) {
        expect(await verdict(handler, basic({ username }, `${PASSWORD} of ${name}`))).toEqual(denied);
      }
    }
  });
});

describe('a header without usable credentials', () => {
  beforeEach(() => setPassword(wms));

  const pair = base64(`${wms.username}:${PASSWORD}`);
  const right = `Basic ${pair}`;

  it.each<[string, string | Headers]>([
    ['it is missing', []],
    ['it is a Bearer token', `Bearer ${pair}`],
    ['it has another name', [['Proxy-Authorization', right]]],
    [
      'it comes twice, and the first is right',
      [
        ['Authorization', right],
        ['Authorization', 'Bearer sesame'],
      ],
    ],
    [
      'it comes twice, and the last is right',
      [
        ['Authorization', 'Bearer sesame'],
        ['Authorization', right],
      ],
    ],
  ])('is denied without a read of any secret: %s', async (_, sent) => {
    expect(await verdict(deploy(), sent)).toEqual(denied);
    expect(secretsManager.calls).toEqual([]);
  });

  it('is denied if the event has no headers', async () => {
    const event = { ...eventOf([], balances, randomUUID()), headers: null, multiValueHeaders: null };
    expect((await deploy()(event)).policyDocument.Statement).toMatchObject([{ Effect: 'Deny' }]);
  });
});

describe('a changed password', () => {
  const OLD = 'the-old-sesame';
  const NEW = 'the-new-sesame';
  const changedAt = new Date(START);

  const change = () => {
    setPassword(wms, OLD);
    setPassword(wms, NEW, changedAt);
  };

  it('without a previous version is allowed, and any other password is denied', async () => {
    setPassword(wms, NEW);
    const handler = deploy();
    expect(await verdict(handler, basic(wms, NEW))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, OLD))).toEqual(denied);
    expect(stagesRead()).toEqual(BOTH);
  });

  it.each([1, 24])(
    'leaves the previous password valid for %i hours after the change',
    async (overlapHours) => {
      change();
      const cached = deploy({ overlapHours });
      time = START + overlapHours * HOUR - 1;
      expect(await verdict(cached, basic(wms, OLD))).toEqual(allowed());
      expect(await verdict(cached, basic(wms, NEW))).toEqual(allowed());

      time = START + overlapHours * HOUR;
      expect(await verdict(cached, basic(wms, OLD))).toEqual(denied);
      expect(await verdict(deploy({ overlapHours }), basic(wms, OLD))).toEqual(denied);
      expect(await verdict(cached, basic(wms, NEW))).toEqual(allowed());
    },
  );

  it('replaces the previous password at once if the overlap is 0, and never reads the previous version', async () => {
    change();
    const handler = deploy({ overlapHours: 0 });
    for (const password of [OLD, NEW, WRONG, OLD]) {
      const expected = password === NEW ? allowed() : denied;
      expect(await verdict(handler, basic(wms, password))).toEqual(expected);
      time += 6 * SECOND;
    }
    await ask(handler, basic({ username: 'nobody' }));
    expect(new Set(stagesRead())).toEqual(new Set(['AWSCURRENT']));
  });

  it('is allowed once the cached copy is five seconds old, and the previous password stays valid', async () => {
    setPassword(wms, OLD);
    const handler = deploy();
    expect(await verdict(handler, basic(wms, OLD))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, WRONG))).toEqual(denied);
    setPassword(wms, NEW, changedAt);

    time = START + 5 * SECOND - 1;
    expect(await verdict(handler, basic(wms, NEW))).toEqual(denied);
    time = START + 5 * SECOND;
    expect(await verdict(handler, basic(wms, NEW))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, OLD))).toEqual(allowed());
  });

  it('is allowed if the previous version has no password, and the content of that version is denied', async () => {
    setSecret(wms, 'the-old-sesame');
    setPassword(wms, NEW, changedAt);
    const handler = deploy();
    expect(await verdict(handler, basic(wms, NEW))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, OLD))).toEqual(denied);
    expect(await verdict(handler, basic(wms, ''))).toEqual(denied);
  });
});

describe('the cached copy of a secret', () => {
  beforeEach(() => {
    for (const user of everyone) setPassword(user);
  });

  it('is used for thirty seconds', async () => {
    const handler = deploy();
    const read = () => readsFor(() => ask(handler, basic(wms)));
    expect(await read()).toEqual(CURRENT);
    expect(await read()).toEqual([]);
    time = START + 30 * SECOND - 1;
    expect(await read()).toEqual([]);
    time = START + 30 * SECOND;
    expect(await read()).toEqual(CURRENT);
    time = START + 60 * SECOND - 1;
    expect(await read()).toEqual([]);
  });

  it.each(['wall', 'monotonic'] as const)(
    'expires on time if the %s clock is set back an hour, and so does a cached failure',
    async (clock) => {
      const handler = deploy();
      await ask(handler, basic(wms));
      behind[clock] = HOUR;
      time += 30 * SECOND;
      secretsManager.fail('denied');
      await expect(ask(handler, basic(wms))).rejects.toThrow();
      behind[clock] = 2 * HOUR;
      time += SECOND;
      secretsManager.recover();
      expect(await verdict(handler, basic(wms))).toEqual(allowed());
    },
  );

  it('is separate for each client, and each client is allowed under its own name', async () => {
    const handler = deploy({ users: everyone });
    for (const user of everyone) {
      const enter = async () => expect(await verdict(handler, basic(user))).toEqual(allowed(user));
      expect(await readsFor(enter)).toEqual(CURRENT);
      expect(await readsFor(enter)).toEqual([]);
    }
  });

  it.each<[string, (attempt: number) => string]>([
    ['wrong passwords', (attempt) => basic(wms, `${WRONG}-${attempt}`)],
    ['unknown users', (attempt) => basic({ username: `nobody-${attempt}` }, WRONG)],
  ])('is refreshed at most once in five seconds during a flood of 250 %s', async (_, credentials) => {
    const handler = deploy();
    const flood = async () => {
      for (let attempt = 0; attempt < 250; attempt += 1) {
        expect(await verdict(handler, credentials(attempt))).toEqual(denied);
        time += 16;
      }
    };
    expect(await readsFor(flood)).toEqual(BOTH);
    expect(await readsFor(flood)).toEqual(BOTH);
  });

  it.each([
    ['cold', undefined, BOTH],
    ['warm', 1 * SECOND, PREVIOUS],
    ['older than five seconds', 10 * SECOND, BOTH],
    ['older than thirty seconds', 40 * SECOND, BOTH],
  ])(
    'causes the same reads for an unknown user as for a wrong password while it is %s',
    async (_, age, expected) => {
      const BEFORE = 'sesame-before';
      for (const user of everyone) {
        setPassword(user, BEFORE);
        setPassword(user);
      }
      const readsAfterAWhile = async (users: User[], sent: string) => {
        const handler = deploy({ users });
        time = START;
        if (age !== undefined) {
          for (const user of users) await ask(handler, basic(user));
          time += age;
        }
        const reads = await readsFor(() => ask(handler, sent));
        expect(new Set(secretsManager.calls.map(({ secret }) => secret)).size).toBeLessThanOrEqual(1);
        return reads;
      };
      for (const users of [[wms], everyone]) {
        expect(await readsAfterAWhile(users, basic(wms, WRONG))).toEqual(expected);
        for (const username of ['nobody', 'Никто', '__proto__', 'wms-south']) {
          expect(await readsAfterAWhile(users, basic({ username }, WRONG))).toEqual(expected);
        }
        // A client that knows its own passwords must not find out whose secret is the decoy.
        for (const password of [PASSWORD, BEFORE]) {
          expect(await readsAfterAWhile(users, basic({ username: 'nobody' }, password))).toEqual(expected);
        }
      }
    },
  );
});

describe('a secret that cannot be read', () => {
  beforeEach(() => setPassword(wms));

  /** The gateway answers the error "Unauthorized" with a 401 and every other error with a 503. */
  const expectError = async (handler: Handler, sent: string) => {
    const error: unknown = await ask(handler, sent).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toHaveProperty('message', 'Unauthorized');
    for (const text of confidential) expect(String(error)).not.toContain(text);
  };

  const faults = ['broken', 'denied', 'silent', 'endless', 'half'] as const;

  it.each(faults)(
    'causes an error instead of a Deny for right, wrong and unknown credentials: %s',
    async (fault) => {
      secretsManager.fail(fault);
      const handler = deploy({ timeoutMs: 200 });
      await expectError(handler, basic(wms));
      await expectError(handler, basic(wms, WRONG));
      await expectError(handler, basic({ username: 'nobody' }));
    },
  );

  it.each(faults)(
    'allows the current password if only its previous version fails, and causes an error for any other: %s',
    async (fault) => {
      secretsManager.fail(fault, { stage: 'AWSPREVIOUS' });
      const handler = deploy({ timeoutMs: 200 });
      await expectError(handler, basic(wms, WRONG));
      await expectError(handler, basic({ username: 'nobody' }));
      expect(await verdict(handler, basic(wms))).toEqual(allowed());
      expect(stagesRead()).toEqual(BOTH);
      time += SECOND;
      expect(await readsFor(() => expectError(handler, basic(wms, WRONG)))).toEqual(PREVIOUS);
    },
  );

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

  it('causes an error if it does not exist', async () => {
    await expectError(deploy({ users: [archive] }), basic(archive));
  });

  it('causes an error if a deployment has no clients', async () => {
    await expectError(deploy({ users: [] }), basic(wms));
    expect(logLines()).toMatchObject([{ error: { message: 'This deployment has no clients.' } }]);
  });

  it('causes an error for a wrong password once the copy is 5 s old, but allows the right password for 30 s', async () => {
    const handler = deploy();
    await ask(handler, basic(wms, WRONG));
    secretsManager.fail('broken');

    time = START + 5 * SECOND - 1;
    expect(await verdict(handler, basic(wms, WRONG))).toEqual(denied);
    time = START + 5 * SECOND;
    await expectError(handler, basic(wms, WRONG));
    await expectError(handler, basic({ username: 'nobody' }, WRONG));
    time = START + 30 * SECOND - 1;
    expect(await verdict(handler, basic(wms))).toEqual(allowed());
    time = START + 30 * SECOND;
    await expectError(handler, basic(wms));
  });

  it('is read at most once a second, however many requests arrive', async () => {
    const handler = deploy();
    secretsManager.fail('denied');
    await expectError(handler, basic(wms));
    const reads = secretsManager.calls.length;
    time += SECOND - 1;
    for (let request = 0; request < 100; request += 1) await expectError(handler, basic(wms));
    expect(secretsManager.calls).toHaveLength(reads);
    time += 1;
    secretsManager.recover();
    expect(await verdict(handler, basic(wms))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, WRONG))).toEqual(denied);
  });
});

describe('the deployed function', () => {
  /** Loads the module again, with only an environment. */
  const deployedHandler = async (users: User[], overlapHours: number) => {
    vi.resetModules();
    vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', secretsManager.endpoint);
    vi.stubEnv(variables.clients, encoded(users));
    vi.stubEnv(variables.secretPrefix, secretPrefix);
    vi.stubEnv(variables.credentialOverlapHours, String(overlapHours));
    const { handler } = await import('../../functions/authorizer.ts');
    return handler;
  };

  beforeEach(() => {
    setPassword(wms, WRONG);
    for (const user of everyone) setPassword(user, PASSWORD, new Date());
  });

  it('allows the current password and, within the overlap, the previous one', async () => {
    const handler = await deployedHandler(everyone, 24);
    expect(await verdict(handler, basic(wms))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, WRONG))).toEqual(allowed());
    expect(await verdict(handler, basic(archive, WRONG))).toEqual(denied);
  });

  it('reads no previous version if the overlap is 0', async () => {
    const handler = await deployedHandler(everyone, 0);
    expect(await verdict(handler, basic(wms))).toEqual(allowed());
    expect(await verdict(handler, basic(wms, WRONG))).toEqual(denied);
    expect(new Set(stagesRead())).toEqual(new Set(['AWSCURRENT']));
  });

  it('returns an error after three attempts if reads of a secret never end, and allows other clients', async () => {
    const handler = await deployedHandler(everyone, 0);
    secretsManager.fail('silent', { secret: wms.secret });
    secretsManager.fail('endless', { secret: archive.secret });
    secretsManager.fail('half', { secret: kiosk.secret });
    const attemptsAt = (user: User) => secretsManager.calls.filter(({ secret }) => secret === user.secret);
    const expectError = async (user: User) => {
      await expect(ask(handler, basic(user))).rejects.toThrow('could not be checked');
      expect(attemptsAt(user)).toHaveLength(3);
    };
    await Promise.all([wms, archive, kiosk].map(expectError));
    expect(await verdict(handler, basic(branch))).toEqual(allowed(branch));
  });
});

describe('the log', () => {
  beforeEach(() => setPassword(wms));

  it('has one line for denied credentials, with the request id but nothing that was sent', async () => {
    keepFromTheLog('nobody-we-know');
    const sent = [basic(wms, WRONG), basic({ username: 'nobody-we-know' }), 'Bearer open-sesame'];
    for (const header of sent) await ask(deploy(), header, balances, 'request-1');
    const line = {
      timestamp: expect.any(String),
      level: 'WARN',
      code: 'credentials-refused',
      requestId: 'request-1',
      extendedRequestId: 'extended',
    };
    const nobodys = { ...line, ...metricFields([[]], { WrongCredentials: 1 }) };
    const clients = { ...nobodys, client: wms.name };
    expect(logLines()).toEqual([clients, nobodys, nobodys]);
  });

  it('has one line for a secret without a password, with its name but not its content', async () => {
    setSecret(wms, '{"username":"DOMAIN\\\\wms","passwort":"open-sesame"}');
    await expect(ask(deploy(), basic(wms), balances, 'request-2')).rejects.toThrow();
    expect(logLines()).toEqual([
      {
        timestamp: expect.any(String),
        level: 'ERROR',
        code: 'credentials-unreadable',
        requestId: 'request-2',
        extendedRequestId: 'extended',
        error: expect.objectContaining({ name: 'Error', message: expect.stringContaining(wms.secret) }),
      },
    ]);
  });
});

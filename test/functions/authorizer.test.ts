import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createHandler } from '../../functions/authorizer.ts';
import { clientsCopy } from '../../functions/credentials/clients-copy.ts';
import { credentialCheck } from '../../functions/credentials/credential-check.ts';
import { type Client, toItem } from '../../shared/clients/client.ts';
import { newClient } from '../../shared/clients/new-client.ts';
import { hashPassword } from '../../shared/clients/password.ts';
import { decodePlans } from '../../shared/clients/plans.ts';
import type { Item } from '../../shared/storage/attribute-json.ts';
import { collectLog, metricFields } from '../support/handlers.ts';
import { basic } from '../support/http-client.ts';
import { tracesOf } from '../support/traces.ts';

type Handler = (event: APIGatewayRequestAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;
type Headers = Record<string, string[]>;

/** Is in every password and user name, so that a test can search the log for it. */
const MARKER = 'sesame';
const PASSWORD = `open-${MARKER}`;
const OLD = `old-${MARKER}`;
const WRONG = `wrong-${MARKER}`;
const USER = `DOMAIN\\wms-${MARKER}`;
const ARCHIVE_USER = `Архив-${MARKER}`;

const START = Date.parse('2026-11-21T06:48:04.123Z');
const STACK_UUID = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const stage = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/live';
const balances = `${stage}/POST/rest/warehouse-control/material-stock-balance`;

/** Counted from the start. */
const iso = (seconds: number) => new Date(START + seconds * 1_000).toISOString();

let date: number;
let monotonic: number;
/** The table, in the pages of a Scan. */
let pages: Item[][];
let scans: number;
let scanSeconds: number;
/** Scans of this page and later ones fail. */
let failsFrom: number;
const log = collectLog();

const pass = (seconds: number) => {
  date += Math.round(seconds * 1_000);
  monotonic += Math.round(seconds * 1_000);
};

beforeEach(() => {
  date = START;
  monotonic = 0;
  pages = [[item()]];
  scans = 0;
  scanSeconds = 0;
  failsFrom = Number.POSITIVE_INFINITY;
});

afterEach(() => {
  expect(tracesOf(MARKER, log.text())).toEqual([]);
});

type Options = Partial<Client> & { password?: string };

const item = ({ password = PASSWORD, ...others }: Options = {}) => {
  const own = { name: 'wms-south', userName: USER, password, plan: 'slow', slot: 2 };
  const client = newClient({ ...own, now: new Date(START) });
  return toItem({ ...client, ChangedBy: 'admin', Version: 1, ...others });
};

const archive = (more: Options = {}) => item({ Client: 'archive', UserName: ARCHIVE_USER, ...more });

/** A tombstone as the admin's command leaves it. */
const removed = (more: Options = {}) => {
  const { Salt, Hash, ...others } = item({ RemovedAt: iso(0), ...more });
  return others;
};

type ScanInput = { ExclusiveStartKey?: Item; ExpressionAttributeNames: Record<string, string> };

/** Like DynamoDB, returns only the attributes that the Scan names. */
const scanPage = ({ ExclusiveStartKey, ExpressionAttributeNames }: ScanInput) => {
  const page = Number(ExclusiveStartKey?.['Client']?.S ?? 0);
  scans += 1;
  pass(scanSeconds);
  if (page >= failsFrom) return { statusCode: 400, payload: { __type: 'AccessDeniedException' } };
  const next = page + 1 < pages.length ? { LastEvaluatedKey: { Client: { S: String(page + 1) } } } : {};
  const names = new Set(Object.values(ExpressionAttributeNames));
  const projected = (item: Item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
  return { statusCode: 200, payload: { Items: pages[page]?.map(projected), ...next } };
};

const handle = async ({ body }: HttpRequest) => {
  const { statusCode, payload } = scanPage(JSON.parse(String(Buffer.concat([body]))));
  return {
    response: new HttpResponse({ statusCode, headers: {}, body: Buffer.from(JSON.stringify(payload)) }),
  };
};

/** A new process of the function. */
const deploy = (plans = 'standard:20,slow:2') => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamodb = new DynamoDBClient({ region: 'eu-central-1', credentials, requestHandler: { handle } });
  const clock = { now: () => new Date(date), monotonicMs: () => monotonic };
  const copy = clientsCopy({ dynamodb, table: 'Clients', clock });
  return createHandler({
    credentials: credentialCheck({ copy, clock }),
    plans: decodePlans(plans),
    stackUuid: STACK_UUID,
  });
};

/** Calls the authorizer as the gateway does. */
const ask = (handler: Handler, sent: string | Headers | null, methodArn = balances) => {
  const event: Partial<APIGatewayRequestAuthorizerEvent> = {
    type: 'REQUEST',
    methodArn,
    multiValueHeaders: typeof sent === 'string' ? { Authorization: [sent] } : sent,
    requestContext: { requestId: 'chosen-by-the-client', extendedRequestId: 'request-1' } as never,
  };
  return handler(event as APIGatewayRequestAuthorizerEvent);
};

const DENY = 'Deny';
const ERROR = 'The credentials could not be checked.';

/** The name of the client that is allowed, or Deny, or the error, to which the gateway responds with a 503. */
const verdict = async (handler: Handler, sent: string | Headers | null) => {
  try {
    const { policyDocument, context } = await ask(handler, sent);
    const effect = policyDocument.Statement[0]?.Effect;
    return effect === 'Allow' ? context?.['client'] : effect;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

/** Each log line as its code and client. */
const logged = () => log.entries().map(({ code, client }) => (client ? `${code} ${client}` : code));

const ALLOW = 'wms-south';
const right = basic(USER, PASSWORD);
const old = basic(USER, OLD);
const wrong = basic(USER, WRONG);
const unknown = basic(`nobody-${MARKER}`, PASSWORD);

const policyOf = (Effect: string) => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${stage}/*/*` }],
});

describe('the policy', () => {
  it.each([`${stage}/GET/rest/warehouse-control/material-codes`, balances, `${stage}/GET/a*/b:c/*`])(
    'allows the whole stage and nothing else for %s, and names the client and the key of its slot',
    async (methodArn) => {
      expect(await ask(deploy(), right, methodArn)).toEqual({
        principalId: 'wms-south',
        policyDocument: policyOf('Allow'),
        context: { client: 'wms-south', batchesAwaited: 'true' },
        usageIdentifierKey: `${STACK_UUID}slow002`,
      });
    },
  );

  it.each([
    ['a wrong password', wrong],
    ['an unknown user', unknown],
    ['no credentials', 'Basic'],
  ])('denies the whole stage for %s, and names no client or key', async (_, sent) => {
    expect(await ask(deploy(), sent)).toEqual({
      principalId: 'stranger',
      policyDocument: policyOf('Deny'),
    });
  });

  it.each([
    [0, 'false'],
    [1, 'true'],
  ])(
    'says whether somebody waits for batches of a client with %i hours of silence',
    async (hours, awaited) => {
      pages = [[item({ SilenceHours: hours })]];
      expect((await ask(deploy(), right)).context).toEqual({ client: 'wms-south', batchesAwaited: awaited });
    },
  );

  it.each([
    ['plan', 'standard:7,fast:9'],
    ['slot', 'standard:7,slow:1'],
  ])(
    'has a slot of the first plan, always the same one, if the %s of the client is not deployed',
    async (_, plans) => {
      const names = Array.from({ length: 100 }, (_, number) => `wms-${number}`);
      pages = [names.map((name) => item({ Client: name, UserName: name + MARKER }))];
      const keysIn = async (handler: Handler) => {
        const keys: unknown[] = [];
        for (const name of names) {
          keys.push((await ask(handler, basic(name + MARKER, PASSWORD))).usageIdentifierKey);
        }
        return keys;
      };
      const keys = await keysIn(deploy(plans));
      expect(new Set(keys)).toEqual(
        new Set([1, 2, 3, 4, 5, 6, 7].map((slot) => `${STACK_UUID}standard00${slot}`)),
      );
      expect(await keysIn(deploy(plans))).toEqual(keys);
      expect(logged()).toEqual([...names, ...names].map((name) => `slot-not-deployed ${name}`));
    },
  );
});

describe('the Authorization header', () => {
  it.each<[string, Headers]>([
    ['in other letter case', { aUTHORIZATION: [right] }],
    ['twice with the same value', { Authorization: [right, right] }],
    ['under two names with the same value', { Authorization: [right], authorization: [right] }],
  ])('is accepted %s', async (_, sent) => {
    expect(await verdict(deploy(), sent)).toBe(ALLOW);
  });

  it.each<[string, Headers | null]>([
    ['there are no headers', null],
    ['it is missing', {}],
    ['it is a Bearer token', { Authorization: [right.replace('Basic', 'Bearer')] }],
    ['it has another name', { 'Proxy-Authorization': [right] }],
    ['it comes twice, and neither is Basic', { Authorization: ['Bearer a', 'Bearer b'] }],
  ])('is denied without a read of the table if %s', async (_, sent) => {
    expect(await verdict(deploy(), sent)).toBe(DENY);
    expect(scans).toBe(0);
  });
});

describe('different Authorization headers', () => {
  const refusal = (client?: string) => ({
    timestamp: expect.any(String),
    requestId: 'request-1',
    level: 'WARN',
    code: 'credentials-refused',
    authorizationCount: 2,
    ...(client ? { client } : {}),
    ...metricFields([[]], { WrongCredentials: 1 }),
  });

  it.each<[string, Headers]>([
    ['the right one first', { Authorization: [right, wrong] }],
    ['the right one last', { Authorization: [wrong], authorization: [right] }],
    ['beside another scheme', { Authorization: ['Bearer x', right] }],
    ['with the previous password', { Authorization: [wrong, old] }],
    ['each of a client', { Authorization: [basic(ARCHIVE_USER, PASSWORD), right] }],
  ])('are a 401 that the gateway does not cache if one is right: %s', async (_, sent) => {
    const { Salt: PreviousSalt, Hash: PreviousHash } = hashPassword(OLD);
    pages = [[item({ PreviousSalt, PreviousHash, PreviousUntil: iso(10) }), archive()]];
    const handler = deploy();
    expect(await verdict(handler, sent)).toBe('Unauthorized');
    expect(log.entries()).toEqual([refusal(expect.stringMatching(/^(wms-south|archive)$/))]);
    expect(await verdict(handler, right)).toBe(ALLOW);
  });

  it.each<[string, string[], string | undefined]>([
    ['are wrong', [wrong, unknown], 'wms-south'],
    ['are of no client', [unknown, 'Basic'], undefined],
    ['are of a locked client', [wrong, basic(ARCHIVE_USER, PASSWORD)], 'wms-south'],
  ])('are denied if they %s', async (_, Authorization, client) => {
    pages = [[item(), archive({ LockedAt: iso(0) })]];
    expect(await verdict(deploy(), { Authorization })).toBe(DENY);
    expect(log.entries()).toEqual([refusal(client)]);
  });

  it('cannot be checked while the table cannot be read', async () => {
    fail();
    expect(await verdict(deploy(), { Authorization: [right, wrong] })).toBe(ERROR);
  });
});

describe('wrong credentials are denied', () => {
  const EXACT = `Café-ﬁ ${PASSWORD} `;
  const wms = item({ password: EXACT });

  it.each([
    ['another password', USER, WRONG],
    ['no password', USER, ''],
    ['the password without its last space', USER, EXACT.trim()],
    ['more than the password', USER, `${EXACT} `],
    ['the password with decomposed letters', USER, EXACT.normalize('NFD')],
    ['the password without ligatures', USER, EXACT.normalize('NFKC')],
    ['the password in other letter case', USER, EXACT.toLowerCase()],
    ["another client's password", USER, PASSWORD],
    ['the user name in other letter case', USER.toLowerCase(), EXACT],
    ["the client's name instead of its user name", 'wms-south', EXACT],
    ['the hash', USER, wms['Hash']?.S ?? ''],
    ['a user name that objects have', '__proto__', PASSWORD],
    ['no password, for a client that has none', 'bare', ''],
  ])('%s', async (_, userName, password) => {
    const { Salt, Hash, ...bare } = item({ Client: 'bare', UserName: 'bare' });
    pages = [[wms, archive(), bare]];
    const handler = deploy();
    expect(await verdict(handler, basic(userName, password))).toBe(DENY);
    expect(await verdict(handler, basic(USER, EXACT))).toBe(ALLOW);
  });
});

describe('of clients with the same user name', () => {
  it.each<[string, Options, string]>([
    ['the one with the password is allowed', {}, 'archive'],
    ['a locked one is refused by its password', { LockedAt: iso(0) }, DENY],
  ])('%s, in any order', async (_, more, expected) => {
    const both = [item(), archive({ UserName: USER, password: OLD, ...more })];
    for (const order of [both, both.toReversed()]) {
      pages = [order];
      expect(await verdict(deploy(), right)).toBe(ALLOW);
      expect(await verdict(deploy(), old)).toBe(expected);
      expect(await verdict(deploy(), wrong)).toBe(DENY);
    }
  });

  it('the active one is named before a locked one, and that before a removed one, in any order', async () => {
    const [active, locked] = [item(), item({ Client: 'locked', LockedAt: iso(0) })];
    const gone = removed({ Client: 'gone', LockedAt: iso(0) });
    for (const clients of [
      [active, locked, gone],
      [gone, locked, active],
      [locked, gone],
      [gone, locked],
      [gone],
    ]) {
      pages = [clients];
      expect(await verdict(deploy(), wrong)).toBe(DENY);
    }
    const named = 'credentials-refused wms-south';
    expect(logged()).toEqual([
      named,
      named,
      'client-locked locked',
      'client-locked locked',
      'client-removed gone',
    ]);
  });
});

it('the previous password is valid to the millisecond, beside the current one, and logged', async () => {
  const { Salt: PreviousSalt, Hash: PreviousHash } = hashPassword(OLD);
  pages = [[item({ PreviousSalt, PreviousHash, PreviousUntil: iso(10) })]];
  await follow(['9.999 old allow 1, 9.999 right allow 0, 10 old deny 0, 10 right allow 0']);
  expect(logged()).toEqual(['previous-password-used wms-south', 'credentials-refused wms-south']);
});

describe('a client that is', () => {
  it.each([
    ['locked', item({ LockedAt: iso(0) })],
    ['removed', removed()],
  ])('%s is denied with its own log code, and not counted as wrong credentials', async (state, client) => {
    pages = [[client, archive()]];
    for (const sent of [right, wrong]) expect(await verdict(deploy(), sent)).toBe(DENY);
    expect(logged()).toEqual(Array(2).fill(`client-${state} wms-south`));
    expect(log.text()).not.toContain('WrongCredentials');
  });

  it('damaged is named in a warning at each read, and those are served whose damage does not matter', async () => {
    const noTime = 'in autumn';
    const noMatter = { SilenceFrom: noTime, CreatedAt: noTime, PasswordChangedAt: noTime, Version: 0 };
    pages = [[item({ Slot: 0 }), { ...archive(noMatter), OwnPassword: { S: 'yes' } }]];
    const handler = deploy();
    for (const _ of [1, 2]) expect(await verdict(handler, basic(ARCHIVE_USER, PASSWORD))).toBe('archive');
    expect(await verdict(handler, right)).toBe(DENY);
    pass(30);
    expect(await verdict(handler, basic(ARCHIVE_USER, PASSWORD))).toBe('archive');
    expect(logged()).toEqual(['client-damaged wms-south', 'credentials-refused', 'client-damaged wms-south']);
  });

  it.each(['Salt', 'Hash'])(
    'without its %s, but not removed, is named in the same warning',
    async (attribute) => {
      const { [attribute]: _, ...client } = item();
      pages = [[client, removed({ Client: 'gone' }), archive()]];
      expect(await verdict(deploy(), right)).toBe(DENY);
      expect(logged()).toEqual(['client-damaged wms-south', 'credentials-refused wms-south']);
    },
  );
});

/** Requests: after how many seconds, what is sent, the verdict, and the Scans for it. Or what happens between them. */
type Step = string | (() => void);

const sendings: Record<string, string> = { right, old, wrong, unknown };
const verdicts: Record<string, string> = { allow: ALLOW, deny: DENY, error: ERROR };

const follow = async (steps: readonly Step[], handler = deploy()) => {
  for (const step of steps) {
    if (typeof step === 'function') step();
    else for (const request of step.split(', ')) await expectRequest(handler, request);
  }
};

const expectRequest = async (handler: Handler, request: string) => {
  const [seconds, sent = '', expected = '', expectedScans] = request.split(' ');
  pass(Number(seconds) - (date - START) / 1_000);
  scans = 0;
  const found = await verdict(handler, sendings[sent] ?? '');
  const seen = { request, verdict: found, scans };
  expect(seen).toEqual({ request, verdict: verdicts[expected], scans: Number(expectedScans) });
};

const fail = (page = 0) => {
  failsFrom = page;
};
const recover = () => fail(Number.POSITIVE_INFINITY);
const setTable = (...items: Item[]) => {
  pages = [items];
};

describe('the copy of the table', () => {
  it.each<[string, ...Step[]]>([
    [
      'is read once for 30 s',
      '0 right allow 1, 29.999 right allow 0, 30 right allow 1, 59.999 right allow 0',
    ],
    [
      'is read again after a refusal, once in 5 s, and has a new password then',
      '0 old deny 1',
      () => setTable(item({ password: OLD })),
      '4.999 old deny 0, 5 old allow 1, 9.999 right deny 0, 10 unknown deny 1',
    ],
    [
      'has 5 s later that a client is no longer locked, or is new',
      () => setTable(item({ LockedAt: iso(0) })),
      '0 right deny 1',
      () => setTable(removed()),
      '5 right deny 1',
      () => setTable(removed({ Client: 'archive' }), item()),
      '10 right allow 1',
    ],
    [
      'is not read twice for one request, however slow the read, and is as old as the start of the read',
      () => {
        scanSeconds = 7;
      },
      '0 wrong deny 1',
      () => fail(),
      '30 right allow 1, 41.999 right allow 0, 42 right allow 1',
    ],
    [
      'is used for 5 minutes while the table cannot be read, which is tried at most every 5 s',
      '0 right allow 1',
      () => fail(),
      '30 right allow 1, 34.999 right allow 0, 35 right allow 1, 299.999 right allow 1, 300 right error 0',
      '304.999 right error 1',
      recover,
      '309.998 right error 0, 309.999 right allow 1',
    ],
    [
      'that cannot be refreshed refuses nobody',
      '0 right allow 1',
      () => fail(),
      '4.999 wrong deny 0, 5 wrong error 1, 5 unknown error 0, 5 right allow 0, 40 wrong error 1, 40 right allow 0',
    ],
    [
      'that was never read causes an error for right, wrong and unknown credentials',
      () => fail(),
      '0 right error 1, 0 wrong error 0, 5 unknown error 1',
    ],
    [
      'of a table without a readable client causes an error, until the first one is added',
      () => setTable(),
      '0 right error 1',
      () => setTable(item({ Slot: 0 })),
      '5 wrong error 1',
      () => setTable(item()),
      '10 right allow 1',
    ],
    [
      'stays in use when the table becomes empty',
      '0 right allow 1',
      () => setTable(),
      '30 right allow 1, 30 wrong error 0, 300 right error 1',
    ],
    [
      'has all pages, or stays as it was',
      () => pages.unshift([archive()]),
      '0 right allow 2',
      () => fail(1),
      () => pages.unshift([item({ password: OLD })]),
      '30 right allow 2, 30 old error 0',
    ],
    [
      'is not kept if the second page fails',
      () => pages.push([]),
      () => fail(1),
      '0 right error 2, 1 right error 0',
    ],
  ])('%s', (_, ...steps) => follow(steps));

  it.each<[string, { date?: number; monotonic?: number }]>([
    ['the date was set back', { date: 1_000 }],
    ['the other clock stood still', { monotonic: 1_000 }],
  ])('is used no longer because %s', async (_, back) => {
    const handler = deploy();
    const later = (seconds: number) => {
      pass(seconds);
      date -= seconds * (back.date ?? 0);
      monotonic -= seconds * (back.monotonic ?? 0);
      scans = 0;
    };
    expect([await verdict(handler, right), scans]).toEqual([ALLOW, 1]);
    later(30);
    expect([await verdict(handler, right), scans]).toEqual([ALLOW, 1]);
    fail();
    later(300);
    expect([await verdict(handler, right), scans]).toEqual([ERROR, 1]);
  });
});

describe('a stranger', () => {
  it.each([
    ['without a copy', 0],
    ['with a copy of 1 s', 1],
    ['with a copy of 10 s', 10],
    ['with a copy of 40 s', 40],
  ])('finds no known, locked or removed user name by the work done for it, %s', async (_, age) => {
    pages = [[item(), archive({ LockedAt: iso(0) }), removed({ UserName: 'gone' })]];
    const compared = vi.spyOn(crypto, 'timingSafeEqual');
    syncBuiltinESMExports();
    onTestFinished(() => {
      compared.mockRestore();
      syncBuiltinESMExports();
    });
    const works = [];
    for (const userName of [USER, ARCHIVE_USER, 'gone', 'nobody']) {
      const handler = deploy();
      if (age > 0) await verdict(handler, right);
      pass(age);
      scans = 0;
      compared.mockClear();
      expect(await verdict(handler, basic(userName, WRONG))).toBe(DENY);
      works.push({ scans, comparisons: compared.mock.calls.length });
    }
    const work = { scans: age === 1 ? 0 : 1, comparisons: 4 };
    expect(works).toEqual([work, work, work, work]);
  });
});

describe('the log', () => {
  const ids = { timestamp: expect.any(String), requestId: 'request-1' };

  it('has one line for denied credentials, with the name of a known client but nothing that was sent', async () => {
    for (const header of [wrong, unknown, `Bearer ${PASSWORD}`]) await ask(deploy(), header);
    const metric = metricFields([[]], { WrongCredentials: 1 });
    const stranger = { ...ids, level: 'WARN', code: 'credentials-refused', ...metric };
    expect(log.entries()).toEqual([{ ...stranger, client: 'wms-south' }, stranger, stranger]);
  });

  it('has one line for each failed read, with a metric, and one for each request that it fails', async () => {
    fail();
    const handler = deploy();
    for (const _ of [1, 2]) expect(await verdict(handler, right)).toBe(ERROR);
    const error = { name: 'AccessDeniedException', message: expect.any(String), stack: expect.any(String) };
    const metric = metricFields([[]], { UnreadableClients: 1 });
    const { timestamp } = ids;
    const failedRead = { timestamp, level: 'ERROR', code: 'clients-unreadable', error, ...metric };
    const failed = { ...ids, level: 'ERROR', code: 'credentials-unreadable', error };
    expect(log.entries()).toEqual([failedRead, failed, failed]);
    expect(log.entries()[0].timestamp).toBe(new Date(log.entries()[0]._aws.Timestamp).toISOString());
  });
});

import { describe, expect, test, vi } from 'vitest';
import { accountFacts } from '../../doctor/facts/account.ts';
import { runDoctor } from '../../doctor/main.ts';
import { toSettings } from '../../infra/settings/settings.ts';
import { captureOutput } from '../admin/in-process.ts';
import { describeStacks, startAws } from './aws-stub.ts';
import { examineFact } from './examine.ts';

const STACK = {
  WarehouseControl: {
    AlarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
    ClientsTableName: 'WarehouseControl-Clients',
  },
};
const ROLE = 'WarehouseControl-ApiRestApiCloudWatchRole-1';
/** Each has another ARN, and the protocol and the answer to whether somebody confirmed it with AWS credentials. */
const CONFIRMED = 'arn:aws:sns:eu-west-1:123456789012:alarms:1 email true';
const BY_LINK = 'arn:aws:sns:eu-west-1:123456789012:alarms:2 email false';
const JSON_BY_LINK = 'arn:aws:sns:eu-west-1:123456789012:alarms:3 email-json false';
const QUEUE = 'arn:aws:sns:eu-west-1:123456789012:alarms:4 sqs false';
const PENDING = 'PendingConfirmation email false';

/** What the account has. A status is a refused call, and an empty text is nothing. */
const usual = {
  stacks: {},
  executions: 1_000,
  /** Without the reservations of functions, also of this stack. */
  unreserved: 1_000,
  clients: 4,
  readUnits: 12_000,
  rates: { rateLimit: 10_000, burstLimit: 5_000 },
  refused: 0,
  gateway: Object({ cloudwatchRoleArn: `arn:aws:iam::123456789012:role/${ROLE}` }),
  roles: [ROLE],
  maker: 'WarehouseControl-test',
  advanced: {},
  subscriptions: [CONFIRMED],
};
type Account = Partial<typeof usual>;

const startAccount = (changed: Account) => {
  const account = { ...usual, ...changed };
  const { stacks, executions, unreserved, rates, refused, gateway, roles, maker, advanced } = account;
  const { clients, readUnits, subscriptions } = account;
  const made = `<StackResources><member><StackName>${maker}</StackName></member></StackResources>`;
  return startAws({
    'GET /2016-08-19/account-settings': () => ({
      AccountLimit: { ConcurrentExecutions: executions, UnreservedConcurrentExecutions: unreserved },
    }),
    DescribeTable: (_, body) => {
      expect(JSON.parse(body)).toEqual({ TableName: 'WarehouseControl-Clients' });
      return { Table: { ItemCount: clients, WarmThroughput: { ReadUnitsPerSecond: readUnits } } };
    },
    'GET /account': () => refused || { ...gateway, throttleSettings: rates },
    'GET /account-settings': () => ({ ResourceTypeManagementPreference: advanced }),
    GetRole: (parameters) => (roles.includes(parameters.get('RoleName') ?? '') ? '<Role/>' : undefined),
    DescribeStacks: describeStacks({ CDKToolkit: {}, ...stacks }),
    DescribeStackResources: () =>
      maker ? `<DescribeStackResourcesResult>${made}</DescribeStackResourcesResult>` : undefined,
    // One subscription on each page.
    ListSubscriptionsByTopic: (parameters) => {
      const index = Number(parameters.get('NextToken') ?? 0);
      const [arn, protocol] = subscriptions[index]?.split(' ') ?? [];
      const member = `<member><SubscriptionArn>${arn}</SubscriptionArn><Protocol>${protocol}</Protocol></member>`;
      const next = index + 1 < subscriptions.length ? `<NextToken>${index + 1}</NextToken>` : '';
      return `<ListSubscriptionsByTopicResult><Subscriptions>${arn ? member : ''}</Subscriptions>${next}</ListSubscriptionsByTopicResult>`;
    },
    GetSubscriptionAttributes: (parameters) => {
      const own = subscriptions.find((text) => text.startsWith(`${parameters.get('SubscriptionArn')} `));
      const entry = `<entry><key>ConfirmationWasAuthenticated</key><value>${own?.split(' ')[2]}</value></entry>`;
      return `<GetSubscriptionAttributesResult><Attributes>${entry}</Attributes></GetSubscriptionAttributesResult>`;
    },
  });
};

const RESERVED = { reservedConcurrency: { authorizer: 52, balances: 14 } };
const MILAN = { rates: { rateLimit: 2_500, burstLimit: 1_250 } };
const BACKUP = { backup: { dailyFor: 7, monthlyFor: 12 } };
const deployed = { stacks: STACK };
const ofMany = { ...deployed, clients: 300, unreserved: 10 };
const mails = (...subscriptions: string[]) => ({ ...deployed, subscriptions });

test.each<[fact: string, state: string, seen: RegExp, account: Account, settings?: object]>([
  ['concurrency', 'ok', /^Lambda runs 100 functions/, { executions: 100 }],
  ['concurrency', 'WRONG', /^Lambda runs 10 functions at once; request a higher quota/, { executions: 10 }],
  ['concurrency', 'ok', /166/, { executions: 166 }, RESERVED],
  ['concurrency', 'WRONG', /165/, { executions: 165 }, RESERVED],
  ['sign-ins', 'ok', /^22 clients at the same moment: 22 are served at first, and all within 0\.5 s$/, {}],
  ['sign-ins', 'ok', /: 10 are served at first, and all within 5\.1 s$/, { unreserved: 10 }],
  ['sign-ins', 'ok', /: 12 are/, { unreserved: 27 }, { reservedConcurrency: { balances: 15 } }],
  ['sign-ins', 'ok', /: 4 are .+ 3\.3 s$/, { unreserved: 30 }, { reservedConcurrency: { authorizer: 26 } }],
  ['sign-ins', 'ok', /: 12 are/, { ...deployed, unreserved: 12 }, { reservedConcurrency: { balances: 15 } }],
  ['sign-ins', 'ok', /^1000 .+: 1000 are .+ 3\.0 s$/, { ...deployed, clients: 1_000 }],
  ['sign-ins', 'ok', /^1000 .+: 1000 are .+ 0\.6 s$/, { ...deployed, clients: 1_000, readUnits: 40_000 }],
  ['sign-ins', 'WRONG', /: 10 are .+, and \d+ are not served .+; .+costs\.md/, ofMany],
  ['gateway-rate', 'ok', /10000 requests a second and 5000 at once$/, {}],
  ['gateway-rate', 'WRONG', /2500 requests a second and 1250 at once; set throttle/, MILAN],
  ['gateway-rate', 'ok', /1250/, MILAN, { throttle: { ratePerSecond: 2_500, burst: 1_250 } }],
  ['gateway-rate', 'WRONG', /2500/, MILAN, { throttle: { ratePerSecond: 2_501, burst: 1_250 } }],
  ['gateway-rate', 'WRONG', /^apigateway responded with 403:/, { refused: 403 }],
  ['gateway-logs', 'ok', /^the role W.+-1, made by the stack WarehouseControl-test$/, deployed],
  ['gateway-logs', 'ok', /made by no stack that still exists/, { ...deployed, maker: '' }],
  ['gateway-logs', 'WRONG', /^the role W.+, does not exist any more; .+\(docs/, { ...deployed, roles: [] }],
  ['gateway-logs', 'ok', /does not exist any more$/, { roles: [] }],
  ['gateway-logs', 'WRONG', /^no role is set; .+doctor\.md/, { ...deployed, gateway: {} }],
  ['gateway-logs', 'ok', /^no role is set$/, { gateway: { cloudwatchRoleArn: null } }],
  ['advanced-backups', 'ok', /^on$/, { advanced: { DynamoDB: true } }],
  ['advanced-backups', 'WRONG', /^off; .+restoring\.md/, { advanced: { DynamoDB: false } }, BACKUP],
  ['advanced-backups', 'not checked', /^off, and the settings have no backup$/, {}],
  ['alarm-mail', 'ok', /^1 of 2 .+ AWS does not show if with --auth[a-z-]+ true$/, mails(PENDING, CONFIRMED)],
  ['alarm-mail', 'ok', /^1 of 1 subscriptions are confirmed$/, mails(QUEUE)],
  ['alarm-mail', 'WRONG', /^2 of 2 .+ can end 1 of them; .+deploying\.md#/, mails(CONFIRMED, BY_LINK)],
  ['alarm-mail', 'WRONG', /^3 of 3 .+ can end 2 of/, mails(BY_LINK, QUEUE, JSON_BY_LINK)],
  ['alarm-mail', 'WRONG', /^0 of 1 subscriptions are confirmed; set/, mails(PENDING)],
  ['alarm-mail', 'WRONG', /^0 of 0 .+ set alarms\.email/, mails()],
  ['alarm-mail', 'not checked', /^there is no stack WarehouseControl yet$/, {}],
])('%s is %s, seen as %s', async (fact, state, seen, account, settings = {}) => {
  await startAccount(account);
  const result = await examineFact(fact, accountFacts(toSettings(settings)));
  expect(result).toMatchObject({ state, seen: expect.stringMatching(seen) });
});

describe('--account', () => {
  test('names the account, reads alone, and ends with 1 if it lacks something', async () => {
    const calls = await startAccount({ ...deployed, ...MILAN });
    const { code, stdout } = await captureOutput(() => runDoctor(['--account']));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^The account 123456789012, eu-west-1, and the stack WarehouseControl:\nok /);
    expect(stdout).toMatch(/\n4 ok, 1 wrong, 1 not checked\.\n$/);
    expect(calls.filter((call) => !/ (GET |Get|Describe|List)/.test(call))).toEqual([]);
    // Each request is signed for its service.
    expect(calls).toEqual(
      expect.arrayContaining([
        'eu-west-1/apigateway GET /account',
        'eu-west-1/backup GET /account-settings',
        'us-east-1/iam GetRole',
      ]),
    );
  });

  test('advises no option that the doctor does not have', async () => {
    vi.stubEnv('AWS_REGION', undefined);
    const { stderr } = await captureOutput(() => runDoctor(['--account']));
    const result = await examineFact('concurrency', accountFacts(toSettings({})));
    vi.unstubAllEnvs();
    expect(stderr).toBe('No AWS region is set. Set AWS_REGION.\n');
    expect(result?.seen).toMatch(/No AWS region is set\. Set AWS_REGION\.; try again/);
  });

  test('refuses a stage that the settings do not have', async () => {
    const { code, stderr } = await captureOutput(() => runDoctor(['--account', 'nowhere']));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The settings under .+ are wrong:\n.+There is no stage nowhere\./);
  });
});

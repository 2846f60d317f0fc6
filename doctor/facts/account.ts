import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  GetSubscriptionAttributesCommand,
  paginateListSubscriptionsByTopic,
  SNSClient,
  type Subscription,
} from '@aws-sdk/client-sns';
import * as v from 'valibot';
import type { Settings } from '../../infra/settings/settings.ts';
import { callForJson, callService, describeStack, ifExists, readOutput } from '../aws.ts';
import { type Facts, NotChecked } from '../fact.ts';
import { MOMENT_SECONDS, NEW_TABLE_READS, type Rush, simulateRush } from './simulate-rush.ts';

/** Lambda refuses reservations that leave fewer executions for other functions. */
const LEFT_FOR_OTHERS = 100;

const GatewayAccount = v.object({
  cloudwatchRoleArn: v.nullish(v.string()),
  throttleSettings: v.object({ rateLimit: v.number(), burstLimit: v.number() }),
});
const BackupSettings = v.object({
  ResourceTypeManagementPreference: v.optional(v.record(v.string(), v.boolean()), {}),
});

const readGateway = (signal: AbortSignal) =>
  callForJson('apigateway', GatewayAccount, { path: '/account', signal });

const hasRole = async (name: string, signal: AbortSignal) => {
  const body = String(new URLSearchParams({ Action: 'GetRole', Version: '2010-05-08', RoleName: name }));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return (await callService('iam', { headers, body, signal })) !== undefined;
};

const findMaker = async (PhysicalResourceId: string) => {
  const command = new DescribeStackResourcesCommand({ PhysicalResourceId });
  const description = await ifExists(new CloudFormationClient().send(command));
  const name = description?.StackResources?.[0]?.StackName;
  return name ? `the stack ${name}` : 'no stack that still exists here';
};

const readExecutions = async () => {
  const { AccountLimit = {} } = await new LambdaClient().send(new GetAccountSettingsCommand());
  const { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: unreserved = all } = AccountLimit;
  return { all, unreserved };
};

/** AWS counts the items every six hours. */
const describeClients = async (stackName: string) => {
  const TableName = await readOutput(stackName, 'ClientsTableName');
  const { Table } = await new DynamoDBClient().send(new DescribeTableCommand({ TableName }));
  return { count: Table?.ItemCount ?? 0, readUnits: Table?.WarmThroughput?.ReadUnitsPerSecond };
};

const describeRush = (rush: Rush) => {
  const { served, servedAtFirst, lastAfterSeconds } = simulateRush(rush);
  const first = `${rush.clients} clients at the same moment: ${servedAtFirst} are served at first`;
  const holds = served === rush.clients;
  if (!holds)
    return { holds, seen: `${first}, and ${rush.clients - served} are not served in five attempts` };
  return { holds, seen: `${first}, and all within ${lastAfterSeconds.toFixed(1)} s` };
};

const readSubscriptions = async (stackName: string) => {
  const TopicArn = await readOutput(stackName, 'AlarmTopicArn');
  const pages = paginateListSubscriptionsByTopic({ client: new SNSClient() }, { TopicArn });
  return (await Array.fromAsync(pages)).flatMap(({ Subscriptions = [] }) => Subscriptions);
};

/** A mail has a link that ends its subscription. The link works for everybody if a link also confirmed the subscription. */
const hasOpenLink = async ({ SubscriptionArn }: Subscription) => {
  const command = new GetSubscriptionAttributesCommand({ SubscriptionArn });
  const { Attributes } = await new SNSClient().send(command);
  return Attributes?.['ConfirmationWasAuthenticated'] !== 'true';
};

const describeMails = (count: number, openCount: number) => {
  if (openCount > 0) return `; anybody who has a mail can end ${openCount} of them`;
  if (count === 0) return '';
  return '; each mail with AWS credentials, but AWS does not show if with --authenticate-on-unsubscribe true';
};

/** What these settings need from the account and the region of the credentials. */
export const accountFacts = (settings: Settings): Facts => {
  const { stackName, throttle, reservedConcurrency, backup, plans } = settings;
  const { authorizer = 0, balances = 0 } = reservedConcurrency ?? {};
  const executions = LEFT_FOR_OTHERS + authorizer + balances;
  return {
    concurrency: {
      text: `Lambda runs ${executions} or more functions at once`,
      check: async () => {
        const { all } = await readExecutions();
        return { holds: all >= executions, seen: `Lambda runs ${all} functions at once` };
      },
      todo: 'request a higher quota, which can take days: docs/runbook.md#function-throttles',
    },
    'sign-ins': {
      text: 'in a simulation, all clients are served if they sign in at the same moment and retry',
      // Before the first deployment, each slot counts as a client.
      check: async () => {
        const { unreserved } = await readExecutions();
        const isDeployed = (await describeStack(stackName)) !== undefined;
        const table = isDeployed ? await describeClients(stackName) : undefined;
        const slots = plans.reduce((sum, plan) => sum + plan.slots, 0);
        return describeRush({
          clients: Math.max(slots, table?.count ?? 0),
          withinSeconds: MOMENT_SECONDS,
          executions: isDeployed ? unreserved : unreserved - authorizer - balances,
          authorizerExecutions: authorizer,
          readUnitsPerSecond: table?.readUnits ?? NEW_TABLE_READS,
        });
      },
      todo: 'ask the warehouses to send at different seconds: docs/costs.md#at-the-same-moment',
    },
    'gateway-rate': {
      text: `the gateway accepts ${throttle.ratePerSecond} requests a second and ${throttle.burst} at once`,
      check: async ({ signal }) => {
        const { rateLimit, burstLimit } = (await readGateway(signal)).throttleSettings;
        return {
          holds: rateLimit >= throttle.ratePerSecond && burstLimit >= throttle.burst,
          seen: `all APIs of the region together: ${rateLimit} requests a second and ${burstLimit} at once`,
        };
      },
      todo: 'set throttle to these values or less, or ask AWS for more',
    },
    'gateway-logs': {
      text: 'the role of the gateway for its logs exists, or nothing is deployed yet',
      check: async ({ signal }) => {
        const isNew = (await describeStack(stackName)) === undefined;
        const role = (await readGateway(signal)).cloudwatchRoleArn?.split('/').at(-1);
        if (!role) return { holds: isNew, seen: 'no role is set' };
        const maker = `the role ${role}, made by ${await findMaker(role)}`;
        if (await hasRole(role, signal)) return { holds: true, seen: maker };
        return { holds: isNew, seen: `${maker}, does not exist any more` };
      },
      todo: 'without this role, no API of the region has logs: set another role (docs/doctor.md)',
    },
    'advanced-backups': {
      text: 'on for DynamoDB, if the setting backup is there',
      check: async ({ signal }) => {
        const call = { path: '/account-settings', signal };
        const { DynamoDB: isOn = false } = (await callForJson('backup', BackupSettings, call))
          .ResourceTypeManagementPreference;
        if (!(isOn || backup)) throw new NotChecked('off, and the settings have no backup');
        return { holds: isOn, seen: isOn ? 'on' : 'off' };
      },
      todo: 'turn advanced backups on: docs/restoring.md#a-copy-outside-the-account',
    },
    'alarm-mail': {
      text: 'the alarm topic has a confirmed subscription, and no mail was confirmed by its link',
      check: async () => {
        if (!(await describeStack(stackName))) throw new NotChecked(`there is no stack ${stackName} yet`);
        const subscriptions = await readSubscriptions(stackName);
        const confirmed = subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn?.startsWith('arn:'));
        const mails = confirmed.filter(({ Protocol }) => Protocol?.startsWith('email'));
        const openCount = (await Promise.all(mails.map(hasOpenLink))).filter(Boolean).length;
        const count = `${confirmed.length} of ${subscriptions.length} subscriptions are confirmed`;
        return {
          holds: confirmed.length > 0 && openCount === 0,
          seen: `${count}${describeMails(mails.length, openCount)}`,
        };
      },
      todo: 'set alarms.email and deploy, and confirm its mail with AWS credentials: docs/deploying.md#confirm-the-mail-of-the-alarms',
    },
  };
};

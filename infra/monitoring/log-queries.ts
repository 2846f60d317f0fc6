import { CfnQueryDefinition, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { MonitoredResources } from './alarms.ts';

type LogQueries = Record<string, { logs: readonly LogGroup[]; lines: string[] }>;

/** For numbers that no alarm needs: a metric costs money every month, and a query costs money only when it runs. */
const logQueries = ({ authorizer, functions, api }: MonitoredResources): LogQueries => ({
  'Who sends what': {
    logs: functions.map(({ log }) => log),
    lines: [
      'filter code = "request-served"',
      'stats count(*) as requests, sum(entryCount) as entries by client, operation',
      'sort requests desc',
    ],
  },
  'Clients at their limits': {
    logs: [api.accessLog],
    lines: [
      'filter status = "429"',
      'stats count(*) as responses by client, operation, sourceIp, errorType',
      'sort responses desc',
    ],
  },
  'Responses by status': {
    logs: [api.accessLog],
    lines: ['stats count(*) as responses by status, errorType', 'sort responses desc'],
  },
  'Refused bodies': {
    logs: [api.accessLog],
    lines: [
      'filter status in ["400", "413", "415"]',
      'stats count(*) as requests by client, operation, status',
      'sort requests desc',
    ],
  },
  'Wrong credentials': {
    logs: [authorizer.log],
    lines: [
      'filter code = "credentials-refused"',
      'stats count(*) as refusals by client',
      'sort refusals desc',
    ],
  },
  'Previous passwords in use': {
    logs: [authorizer.log],
    lines: [
      'filter code = "previous-password-used"',
      'stats count(*) as uses, max(timestamp) as lastUse by client',
      'sort uses desc',
    ],
  },
  'Locked and removed clients': {
    logs: [authorizer.log],
    lines: [
      'filter code in ["client-locked", "client-removed"]',
      'stats count(*) as refusals by client, code',
      'sort refusals desc',
    ],
  },
});

/** The AWS console shows the text before the slash of a name as a folder. */
export const saveQueries = (scope: Construct, resources: MonitoredResources) => {
  for (const [name, { logs, lines }] of Object.entries(logQueries(resources))) {
    new CfnQueryDefinition(scope, name.replaceAll(' ', ''), {
      name: `${resources.settings.stackName}/${name}`,
      logGroupNames: logs.map(({ logGroupName }) => logGroupName),
      queryString: lines.join('\n| '),
    });
  }
};

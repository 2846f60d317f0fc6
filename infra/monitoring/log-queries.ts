import { CfnQueryDefinition, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { MonitoredResources } from './monitored-resources.ts';

export type LogQuery = { name: string; logs: readonly LogGroup[]; lines: string[] };

/** For numbers that no alarm needs: a metric costs money every month, and a query only when it runs. */
export const logQueries = ({ authorizer, functions, api }: MonitoredResources) => {
  const accessLog = [api.accessLog];
  return {
    traffic: {
      name: 'Who sends what',
      logs: functions.map(({ log }) => log),
      lines: [
        'filter code = "request-served"',
        'stats count(*) as requests, sum(entryCount) as entries by client, operation',
        'sort requests desc',
      ],
    },
    limits: {
      name: 'Clients at their limits',
      logs: accessLog,
      lines: [
        'filter status = "429"',
        'stats count(*) as answers by client, operation, sourceIp, errorType',
        'sort answers desc',
      ],
    },
    statuses: {
      name: 'Answers by status',
      logs: accessLog,
      lines: ['stats count(*) as answers by status, errorType', 'sort answers desc'],
    },
    refusedBodies: {
      name: 'Refused bodies',
      logs: accessLog,
      lines: [
        'filter status in ["400", "413", "415"]',
        'stats count(*) as requests by client, operation, status',
        'sort requests desc',
      ],
    },
    wrongCredentials: {
      name: 'Wrong credentials',
      logs: [authorizer.log],
      lines: [
        'filter code = "credentials-refused"',
        'stats count(*) as refusals by client',
        'sort refusals desc',
      ],
    },
  } satisfies Record<string, LogQuery>;
};
export type LogQueries = ReturnType<typeof logQueries>;

/** The console shows the part before the slash as a folder. */
export const saveQueries = (scope: Construct, stackName: string, queries: readonly LogQuery[]) => {
  for (const { name, logs, lines } of queries) {
    new CfnQueryDefinition(scope, name.replaceAll(' ', ''), {
      name: `${stackName}/${name}`,
      logGroupNames: logs.map(({ logGroupName }) => logGroupName),
      queryString: lines.join('\n| '),
    });
  }
};

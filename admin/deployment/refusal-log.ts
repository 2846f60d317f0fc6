import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CloudWatchLogsClientConfig } from '@aws-sdk/client-cloudwatch-logs';
import { Failure } from '../text/failure.ts';

/** Returns log lines of the functions since a time, among them each line about a refused request. */
export type RefusalLog = (since: Date) => AsyncIterable<string>;

export const refusalLogOfAws = (
  deploymentName: string,
  groups: string | undefined,
  config: CloudWatchLogsClientConfig,
): RefusalLog =>
  async function* (since) {
    if (groups === undefined)
      throw new Failure(`Deploy this version first: ${deploymentName} has no output RefusalLogGroups.`);
    const { CloudWatchLogsClient, paginateFilterLogEvents } = await import('@aws-sdk/client-cloudwatch-logs');
    const client = new CloudWatchLogsClient(config);
    const filter = { startTime: since.getTime(), filterPattern: '{ $.code = "request-refused" }' };
    try {
      for (const logGroupName of groups.split(','))
        for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, ...filter }))
          yield* events.map(({ message = '' }) => message);
    } finally {
      client.destroy();
    }
  };

/** In this file, each line begins with the name of its function. */
export const refusalLogOfFile = (file: string): RefusalLog =>
  async function* () {
    if (!existsSync(file)) return;
    for await (const line of createInterface(createReadStream(file))) yield line.slice(line.indexOf(' ') + 1);
  };

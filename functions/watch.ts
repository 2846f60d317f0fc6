import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { WatchedClient } from '../shared/clients/client.ts';
import { readClients } from '../shared/clients/read-clients.ts';
import { requiredVariable, tableName, variables } from '../shared/environment.ts';
import { HOUR_MS } from '../shared/time.ts';
import { log } from './log.ts';
import { batchTimes } from './silence/batch-times.ts';
import { composeMessages } from './silence/compose-messages.ts';
import { findSilences } from './silence/find-silences.ts';
import { storageClient } from './storage/storage-client.ts';

type Deps = {
  dynamodb: DynamoDBClient;
  clientsTable: string;
  snapshotsTable: string;
  publish: (message: ReturnType<typeof composeMessages>[number]) => Promise<unknown>;
  stack: string;
  runbook: string;
};

/** For all reads. The function's timeout leaves time to publish. */
const READ_TIMEOUT_MS = 90_000;

/** Looks at the whole hour before `time`. This is the scheduled time, so a delayed or repeated run looks at the same hour. */
export const createHandler =
  ({ dynamodb, clientsTable, snapshotsTable, publish, stack, runbook }: Deps) =>
  async ({ time }: { time: string }) => {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const until = Math.floor(Date.parse(time) / HOUR_MS) * HOUR_MS;
    const { clients, damaged } = await readClients(WatchedClient, { dynamodb, table: clientsTable, signal });
    for (const client of damaged) log.warn('client-damaged', { client });
    const times = batchTimes(dynamodb, snapshotsTable, signal);
    const allSilences = await findSilences(clients, times, { from: until - HOUR_MS, until });
    const isWeekly = isMondayMorning(new Date(until));
    const silences = allSilences.filter(({ hasChanged }) => isWeekly || hasChanged);
    // If one message cannot be published, the run fails, and Lambda repeats it with all of its messages.
    for (const message of composeMessages({ stack, runbook, silences, until, isWeekly }))
      await publish(message);
    log.info('clients-watched', { clientCount: clients.length, namedClientCount: silences.length });
  };

/** The weekly message comes even if nobody is late. If the message is missing, nobody gets the alarms. */
const isMondayMorning = (until: Date) => until.getUTCDay() === 1 && until.getUTCHours() === 6;

const sns = new SNSClient({ requestHandler: { requestTimeout: 5_000, throwOnRequestTimeout: true } });
const TopicArn = requiredVariable(variables.alarmTopic);

export const handler = createHandler({
  dynamodb: storageClient(),
  clientsTable: tableName('Clients'),
  snapshotsTable: tableName('BalanceSnapshots'),
  publish: (message) => sns.send(new PublishCommand({ TopicArn, ...message })),
  stack: requiredVariable(variables.stackName),
  runbook: requiredVariable(variables.runbook),
});

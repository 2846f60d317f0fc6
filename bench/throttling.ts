import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { storeClient } from '../functions/store/store-client.ts';
import { clientAtItsLimit, type Rush, rushes, simulateRush } from '../test/shared/storage/throttled-table.ts';
import { count, numbersTable, writeBlocks } from './markdown.ts';

/* npm run throttling: simulates throttled snapshots and writes the table of docs/capacity.md. */

const PAGE = new URL('../docs/capacity.md', import.meta.url);
const RUNS = 100;
/** A run with many large batches takes a minute. */
const LONG_RUNS = 5;

Object.assign(process.env, {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
});

/** The functions' former client. Its error is no refusal any more, so that the store does not repeat the call. */
const clientWithSdkRetries = () => {
  const client = new DynamoDBClient({ maxAttempts: 4 });
  client.middlewareStack.add(
    (next) => async (request) => {
      try {
        return await next(request);
      } catch (cause) {
        throw new Error('The SDK has given up.', { cause });
      }
    },
    { step: 'initialize', priority: 'high' },
  );
  return client;
};

const DEPLOYED = 'until the time is up';
const clients = { "the SDK's, 4 attempts": clientWithSdkRetries, [DEPLOYED]: storeClient };

const seconds = (ms = 0) => (ms / 1_000).toFixed(1);

type Runs = readonly Awaited<ReturnType<typeof simulateRush>>[];

const simulate = async (retries: keyof typeof clients, rush: Rush, times = RUNS): Promise<Runs> => {
  const runs = [];
  for (let run = 0; run < times; run += 1) runs.push(await simulateRush(clients[retries], rush));
  process.stderr.write(`${rush.name}, ${retries}\n`);
  return runs;
};

/** The cells about what the clients get. */
const answerCells = (runs: readonly Runs[number]['answers'][]) => {
  const answers = runs.flat();
  const times = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const quantile = (share: number) => seconds(times[Math.ceil(share * times.length) - 1]);
  return [
    `${runs.filter((answers) => answers.every(({ error }) => error === undefined)).length} of ${runs.length}`,
    `${answers.filter(({ error }) => error === undefined).length} of ${answers.length}`,
    ...[0.5, 0.99, 1].map(quantile),
  ];
};

const rowOf = async (retries: keyof typeof clients, rush: Rush) => {
  const runs = await simulate(retries, rush);
  const calls = runs.map(({ calls }) => calls / rush.batches / rush.parts);
  return [
    rush.name,
    retries,
    ...answerCells(runs.map(({ answers }) => answers)),
    count(calls.reduce((sum, number) => sum + number, 0) / RUNS, 1),
    count(Math.max(...calls), 1),
  ];
};

const rows = [];
for (const rush of rushes) {
  rows.push(await rowOf("the SDK's, 4 attempts", rush), await rowOf(DEPLOYED, rush));
}
const beside = await simulate(DEPLOYED, clientAtItsLimit, LONG_RUNS);
rows.push(
  [clientAtItsLimit.name, DEPLOYED, ...answerCells(beside.map(({ answers }) => answers)), '–', '–'],
  [
    '10 batches of 200 entries beside them, 10 clients',
    DEPLOYED,
    ...answerCells(beside.map(({ neighbours }) => neighbours)),
    '–',
    '–',
  ],
);
const heads = [
  'Batches',
  'Retries',
  'Runs with 200 only',
  'Batches with 200',
  'Median, s',
  '99 %, s',
  'Longest, s',
  'Attempts a part',
  'at most',
];
writeBlocks(PAGE, { throttling: numbersTable(heads, rows) });

import { type AttributeValue, DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { send } from '../support/http-client.ts';
import { secretsOf } from '../support/local-clients.ts';
import { basic, eventually, type LocalRun, startLocal } from '../support/local-run.ts';

type Row = Record<string, unknown>;

/** The service with these rows in its lists and this password for its client. */
export const startService = async (rows: Record<string, Row[]>, password: string) => {
  const run = await startLocal({ args: ['--quiet', '--no-throttle'] });
  const { BaseUrl, Clients, DynamoDbEndpoint, Tables } = run.outputs();
  const [username = ''] = Object.keys(Clients);
  const engine = new DynamoDBClient({
    endpoint: DynamoDbEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  });

  const documents = DynamoDBDocumentClient.from(engine);
  for (const [table, items] of Object.entries(rows)) {
    for (const Item of items) await documents.send(new PutCommand({ TableName: Tables[table], Item }));
  }
  await changePassword(run, username, password);

  const scan = async (table: string) => {
    const pages = paginateScan({ client: engine }, { TableName: Tables[table], ConsistentRead: true });
    return (await Array.fromAsync(pages)).flatMap(({ Items = [] }) => Items);
  };
  return {
    account: { baseUrl: BaseUrl, username, password },
    changes: async () => (await scan('ChangeTimestamps')).map(({ Timestamp }) => String(Timestamp?.S)),
    /** The balances of each snapshot, of all its parts together. */
    snapshots: async () => {
      const balances: Record<string, Record<string, AttributeValue>> = {};
      for (const { SnapshotId, Balances } of await scan('BalanceSnapshots')) {
        const id = String(SnapshotId?.S);
        balances[id] = { ...balances[id], ...Balances?.M };
      }
      return balances;
    },
    stop: async () => {
      engine.destroy();
      await run.stop();
    },
  };
};

const changePassword = async (run: LocalRun, username: string, password: string) => {
  const { granted } = (await send(`${run.outputs().ControlEndpoint}/permissions`)).json();
  const { resource: SecretId } = granted.find(
    ({ action }: { action: string }) => action === 'secretsmanager:GetSecretValue',
  );
  const SecretString = JSON.stringify({ username, password });
  const secrets = secretsOf(run);
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
  secrets.destroy();
  const headers = { Authorization: basic(username, password) };
  await eventually(async () => (await send(run.url('material-codes'), { headers })).status === 200);
};

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { basic } from '../support/http-client.ts';
import { eventually, type LocalRun, secretArn, secretsOf, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';

/** All programs run in a hook, which a busy machine can make long. */
export const HOOK_TIME_OUT_MS = 1_800_000;

/** Has a colon and characters beyond Latin-1. In Base64, it is longer than the 76 characters of a MIME line. */
const PASSWORD = 'Пароль: склад №7 "ключ" + ё/й & 100% \\ $HOME — до самого конца';

type Rows = Record<'MaterialCodes' | 'PurchaseOrders', Record<string, unknown>[]>;

/** Starts the service with these rows in its lists and a difficult password for its client. */
export const startService = async ({ MaterialCodes, PurchaseOrders }: Rows) => {
  const run = await startLocal();
  const { BaseUrl, Clients } = run.outputs();
  const [username = ''] = Object.keys(Clients);
  const tables = new TableReader(run.outputs());
  for (const row of MaterialCodes) await tables.put('MaterialCodes', row);
  for (const row of PurchaseOrders) await tables.put('PurchaseOrders', row);
  await changePassword(run, username);
  return {
    account: { baseUrl: BaseUrl, username, password: PASSWORD },
    changes: async () => (await tables.changes()).map(({ Timestamp }) => Timestamp),
    /** Returns the balances of each snapshot with all parts, in the format of DynamoDB. */
    snapshots: async () => {
      const balances: Record<string, Record<string, AttributeValue>> = {};
      for (const { SnapshotId, Balances } of await tables.rows('BalanceSnapshots')) {
        const id = String(SnapshotId?.S);
        balances[id] = { ...balances[id], ...Balances?.M };
      }
      return balances;
    },
    stop: () => run.stop(),
  };
};

const changePassword = async (run: LocalRun, username: string) => {
  const SecretString = JSON.stringify({ username, password: PASSWORD });
  const secrets = secretsOf(run);
  await secrets.send(new PutSecretValueCommand({ SecretId: await secretArn(run), SecretString }));
  secrets.destroy();
  const authorization = basic(username, PASSWORD);
  await eventually(async () => (await run.get('material-codes', authorization)).status === 200);
};

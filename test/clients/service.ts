import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { changePassword, startLocal } from '../support/local-run.ts';
import { TableReader } from '../support/table-reader.ts';

/** All programs run in a hook, which a busy machine can make long. */
export const HOOK_TIME_OUT_MS = 1_800_000;

/** Has a colon and characters beyond Latin-1. In Base64, it is longer than the 76 characters of a MIME line. */
const PASSWORD = 'Пароль: склад №7 "ключ" + ё/й & 100% \\ $HOME — до самого конца';

type Rows = Record<'MaterialCodes' | 'PurchaseOrders', Record<string, unknown>[]>;

/** Starts the service with these rows in its lists and a difficult password for its client. */
export const startService = async ({ MaterialCodes, PurchaseOrders }: Rows) => {
  const run = await startLocal();
  const tables = new TableReader(run.outputs());
  for (const row of MaterialCodes) await tables.put('MaterialCodes', row);
  for (const row of PurchaseOrders) await tables.put('PurchaseOrders', row);
  await changePassword(run, 'warehouse', PASSWORD);
  return {
    account: { baseUrl: run.outputs().BaseUrl, userName: 'warehouse', password: PASSWORD },
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

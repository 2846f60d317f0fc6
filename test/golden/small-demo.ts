import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { addClients } from '../../local/clients/add-clients.ts';
import { openPasswords } from '../../local/clients/passwords.ts';
import { materials, orders } from '../../local/demo/lists.ts';
import { demoClients, simulateWarehouses, startOfDemo } from '../../local/demo/warehouses.ts';
import { newSnapshotId, toSnapshotItems } from '../../shared/storage/snapshot.ts';
import { emptyDeployment, putItems } from '../admin/tables.ts';
import { timestampOf } from '../support/batches.ts';
import { testClient } from '../support/tables.ts';

/** The materials that the demo has mistakes in, and some others. */
const KEPT = /^(Лист-3|Rohr-4\/00[67]|Гайка-2\/004|Kabel-?8\/00[25]|.abel-8\/005|Muster)/u;
const BATCHES = 4;
const CHANGES = 3;
const ORDERS = 20;

/** The newest batches of the demo with a few of its materials, so that a person can read what the commands show of them. */
export const writeSmallDemo = async (now: Date) => {
  const { names, data } = await emptyDeployment({ clients: [] });
  const dynamodb = testClient();
  const documents = DynamoDBDocumentClient.from(dynamodb);
  const outputs = { ClientsTableName: names.Clients, Plans: 'standard:20,slow:2' };
  await addClients({ dynamodb, outputs, passwords: openPasswords(undefined) }, demoClients, startOfDemo(now));
  const rows = materials.map(({ row }) => row).filter(({ MaterialCode }) => KEPT.test(MaterialCode));
  for (const Item of rows) await documents.send(new PutCommand({ TableName: names.MaterialCodes, Item }));
  for (const Item of orders.slice(0, ORDERS))
    await documents.send(new PutCommand({ TableName: names.PurchaseOrders, Item }));
  for (const { client, batches, changes } of simulateWarehouses(now)) {
    const snapshots = batches.slice(-BATCHES).map(({ at: receivedAt, entries }, index) => ({
      ...{
        client,
        receivedAt,
        requestId: `demo-${index}`,
        snapshotId: newSnapshotId(receivedAt, `demo${index}`),
      },
      entries: entries.filter(({ MaterialCode }) => KEPT.test(MaterialCode)),
    }));
    await putItems(names.BalanceSnapshots, snapshots.flatMap(toSnapshotItems));
    await putItems(
      names.ChangeTimestamps,
      changes.slice(BATCHES - CHANGES, BATCHES).map((at, index) => ({
        ...{ Client: { S: client }, Timestamp: { S: timestampOf(at.getTime()) } },
        ...{ ReceivedAt: { S: at.toISOString() }, RequestId: { S: `demo-change-${index}` } },
      })),
    );
  }
  return { names, data };
};

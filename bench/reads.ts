import { gunzipSync, gzipSync } from 'node:zlib';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { listReader } from '../functions/storage/list-reader.ts';
import { startEngine } from '../local/services/engine.ts';
import { engineClient } from '../local/services/tables.ts';
import { SignInClient } from '../shared/clients/client.ts';
import { readClients } from '../shared/clients/read-clients.ts';
import { type Item, toListRow } from '../shared/storage/attribute-json.ts';
import { clientItem, createTable, fillTable, watchUnits } from './service.ts';

/** A material with a code, a name and a weight that differ from those of its neighbours. */
export const listItem = (index: number): Item => {
  const mixed = (index * 2_654_435_761) % 2 ** 32;
  return {
    MaterialCode: { S: `Sheet-6/${String(index).padStart(5, '0')}` },
    Name: { S: `Sheet ${mixed % 500} x ${mixed % 1_999} mm, drawing ${mixed}` },
    Weight: { N: String((mixed % 100_000) / 1_000) },
  };
};

/** An item holds 400 KB, together with its keys. */
const PART_BYTES = 390_000;

/** The list as a response, packed, in as many items of one partition as it needs. */
const copyOf = (rows: readonly Item[]): Item[] => {
  const list = rows.map((row) => toListRow('MaterialCode', row));
  const packed = gzipSync(JSON.stringify({ MaterialCodes: list }));
  return Array.from({ length: Math.ceil(packed.length / PART_BYTES) }, (_, part) => ({
    Client: { S: 'MaterialCodes' },
    Part: { S: String(part) },
    Bytes: { B: packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES) },
  }));
};

const RUNS = 20;

/** Reads tables of the local run's engine as the functions do, and counts the read units. */
export const measureReads = async () => {
  const engine = await startEngine();
  const dynamodb = engineClient(engine.endpoint);
  const { signal } = new AbortController();
  let units = 0;
  watchUnits(dynamodb, (ofCall) => {
    units += ofCall;
  });

  const fill = async (table: string, keys: readonly string[], items: readonly Item[]) => {
    await createTable(dynamodb, table, keys);
    await fillTable(dynamodb, table, items);
  };

  const measure = async (read: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      units = 0;
      const start = performance.now();
      await read();
      times.push(performance.now() - start);
    }
    // The fastest, because other work on the machine slows reads down.
    return { units, ms: Math.min(...times) };
  };

  const ofClients = async (count: number) => {
    const table = `Clients-${count}`;
    await fill(
      table,
      ['Client'],
      Array.from({ length: count }, (_, index) =>
        clientItem(`warehouse-${String(index).padStart(4, '0')}`, 1),
      ),
    );
    return measure(() => readClients(SignInClient, { dynamodb, table, signal }));
  };

  const ofList = async (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => listItem(index));
    await fill(`List-${count}`, ['MaterialCode'], rows);
    await fill(`Copy-${count}`, ['Client', 'Part'], copyOf(rows));
    const reader = listReader(dynamodb, 'MaterialCodes', `List-${count}`);
    const query = new QueryCommand({
      TableName: `Copy-${count}`,
      KeyConditionExpression: 'Client = :list',
      ExpressionAttributeValues: { ':list': { S: 'MaterialCodes' } },
    });
    const unpack = async () => {
      const { Items = [] } = await dynamodb.send(query);
      return gunzipSync(Buffer.concat(Items.map(({ Bytes }) => Bytes?.B ?? Buffer.of()))).toString();
    };
    return {
      scan: await measure(async () => JSON.stringify(await reader.read(signal))),
      copy: await measure(unpack),
    };
  };

  try {
    const clients = new Map<number, Awaited<ReturnType<typeof measure>>>();
    for (const count of [30, 300, 1_000, 2_000]) clients.set(count, await ofClients(count));
    return { clients, short: await ofList(1_000), long: await ofList(10_000) };
  } finally {
    dynamodb.destroy();
    await engine.stop();
  }
};

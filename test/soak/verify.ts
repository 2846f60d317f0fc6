import { isDeepStrictEqual } from 'node:util';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { isRecord } from '../../shared/schemas/json.ts';
import { storedEntry } from './batches.ts';
import type { Service } from './service.ts';

type Row = Record<string, unknown>;
type Snapshot = { requestId: string; receivedAt: string; entryCount: number; serial: number };

/** The acknowledged requests by client and timestamp or snapshot id. The entries follow from the serial number. */
export type Acknowledged = {
  changes: Map<string, { requestId: string }>;
  snapshots: Map<string, Snapshot>;
};

/** Unique, because no client name has a space. */
export const keyOf = (client: string, rest: string) => `${client} ${rest}`;

/** How a table differs from what the service has acknowledged. */
export type Difference = { acknowledged: number; lost: string[]; surplus: string[]; altered: string[] };

async function* rowsOf({ tables }: Service, table: string): AsyncGenerator<Row> {
  const client = DynamoDBDocumentClient.from(tables.client);
  const scan = { TableName: tables.names[table], ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client }, scan)) yield* Items;
}

export const verifyChanges = async (service: Service, { changes }: Acknowledged): Promise<Difference> => {
  const missing = new Set(changes.keys());
  const surplus: string[] = [];
  const altered: string[] = [];
  for await (const { Client, Timestamp, RequestId } of rowsOf(service, 'ChangeTimestamps')) {
    const key = keyOf(String(Client), String(Timestamp));
    if (!missing.delete(key)) surplus.push(key);
    else if (changes.get(key)?.requestId !== RequestId) altered.push(`${key} has another request id`);
  }
  return { acknowledged: changes.size, lost: [...missing], surplus, altered };
};

type Found = { parts: number[]; partCounts: Set<unknown>; codes: Set<string>; faults: Set<string> };

/** Reads the table without the service's own code for snapshots. */
export const verifySnapshots = async (service: Service, { snapshots }: Acknowledged): Promise<Difference> => {
  const found = new Map<string, Found>();
  const surplus: string[] = [];
  for await (const row of rowsOf(service, 'BalanceSnapshots')) {
    const [client = '', part = '1'] = String(row['Client']).split(':');
    const key = keyOf(client, String(row['SnapshotId']));
    const snapshot = snapshots.get(key);
    if (!snapshot) {
      surplus.push(`${key}, part ${part}`);
      continue;
    }
    const seen = found.get(key) ?? { parts: [], partCounts: new Set(), codes: new Set(), faults: new Set() };
    found.set(key, seen);
    seen.parts.push(Number(part));
    readPart(snapshot, row, seen);
  }
  const altered = [...found].flatMap(([key, seen]) => {
    const faults = faultsOf(seen, snapshots.get(key)?.entryCount);
    return faults.length > 0 ? [`${key}: ${faults.join('; ')}`] : [];
  });
  const lost = [...snapshots.keys()].filter((key) => !found.get(key)?.parts.includes(1));
  return { acknowledged: snapshots.size, lost, surplus, altered };
};

const readPart = ({ requestId, receivedAt, entryCount, serial }: Snapshot, row: Row, seen: Found) => {
  const { RequestId, ReceivedAt, EntryCount, Parts, Balances } = row;
  const { codes, faults, partCounts } = seen;
  partCounts.add(Parts);
  if (RequestId !== requestId) faults.add('has another request id');
  if (ReceivedAt !== receivedAt) faults.add('has another time of receipt');
  if (EntryCount !== entryCount) faults.add('has another number of entries');
  for (const [code, balance] of Object.entries(isRecord(Balances) ? Balances : {})) {
    if (codes.has(code)) faults.add('has a material twice');
    codes.add(code);
    if (!isDeepStrictEqual(balance, storedEntry(entryCount, serial, code))) {
      faults.add('has entries that were not sent');
    }
  }
};

const faultsOf = ({ parts, partCounts, codes, faults }: Found, entryCount: number | undefined) => {
  const [count] = partCounts;
  const expected = Array.from({ length: Number(count) }, (_, index) => index + 1);
  const sorted = parts.toSorted((one, other) => one - other);
  return [
    ...faults,
    ...(partCounts.size === 1 ? [] : ['has parts that differ in their number of parts']),
    ...(isDeepStrictEqual(sorted, expected) ? [] : [`has the parts ${sorted} of ${count}`]),
    ...(codes.size === entryCount ? [] : [`has ${codes.size} entries of ${entryCount}`]),
  ];
};

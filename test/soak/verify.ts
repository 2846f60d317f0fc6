import { isDeepStrictEqual } from 'node:util';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { isRecord } from '../../shared/schemas/json.ts';
import { storedEntry } from './batches.ts';
import { type KeptSnapshot, keyOf, type Ledger } from './ledger.ts';
import type { Service } from './program.ts';

type Row = Record<string, unknown>;

/** What a table holds otherwise than the ledger says, each record by its key. */
export type Difference = { kept: number; lost: string[]; surplus: string[]; altered: string[] };

async function* rowsOf({ engine, outputs }: Service, table: string): AsyncGenerator<Row> {
  const client = DynamoDBDocumentClient.from(engine);
  const scan = { TableName: outputs.Tables[table], ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client }, scan)) yield* Items;
}

export const verifyChanges = async (service: Service, { changes }: Ledger): Promise<Difference> => {
  const missing = new Set(changes.keys());
  const surplus: string[] = [];
  const altered: string[] = [];
  for await (const { Client, Timestamp, RequestId } of rowsOf(service, 'ChangeTimestamps')) {
    const key = keyOf(String(Client), String(Timestamp));
    const kept = changes.get(key);
    if (!missing.delete(key)) surplus.push(key);
    else if (kept?.requestId !== RequestId)
      altered.push(`${key} is not of the request that was acknowledged`);
  }
  return { kept: changes.size, lost: [...missing], surplus, altered };
};

type Found = { parts: number[]; toldParts: Set<unknown>; codes: Set<string>; faults: Set<string> };

/** In one pass over the table, and without the code that the service itself writes and reads snapshots with. */
export const verifySnapshots = async (service: Service, { snapshots }: Ledger): Promise<Difference> => {
  const found = new Map<string, Found>();
  const surplus: string[] = [];
  for await (const row of rowsOf(service, 'BalanceSnapshots')) {
    const [client = '', part = '1'] = String(row['Client']).split(':');
    const key = keyOf(client, String(row['SnapshotId']));
    const kept = snapshots.get(key);
    if (!kept) {
      surplus.push(`${key}, part ${part}`);
      continue;
    }
    const sofar = found.get(key) ?? { parts: [], toldParts: new Set(), codes: new Set(), faults: new Set() };
    found.set(key, sofar);
    sofar.parts.push(Number(part));
    readPart(kept, row, sofar);
  }
  return {
    kept: snapshots.size,
    lost: [...snapshots.keys()].filter((key) => !found.get(key)?.parts.includes(1)),
    surplus,
    altered: [...found].flatMap(([key, whole]) => {
      const faults = faultsOf(whole, snapshots.get(key)?.entryCount);
      return faults.length > 0 ? [`${key}: ${faults.join('; ')}`] : [];
    }),
  };
};

const readPart = ({ requestId, receivedAt, entryCount, serial }: KeptSnapshot, row: Row, sofar: Found) => {
  const { RequestId, ReceivedAt, EntryCount, Parts, Balances } = row;
  const { codes, faults, toldParts } = sofar;
  toldParts.add(Parts);
  if (RequestId !== requestId) faults.add('is not of the request that was acknowledged');
  if (ReceivedAt !== receivedAt) faults.add('tells another time of receipt');
  if (EntryCount !== entryCount) faults.add('tells another number of entries');
  for (const [code, balance] of Object.entries(isRecord(Balances) ? Balances : {})) {
    if (codes.has(code)) faults.add('has a material twice');
    codes.add(code);
    if (!isDeepStrictEqual(balance, storedEntry(entryCount, serial, code)))
      faults.add('has entries that were not sent');
  }
};

const faultsOf = ({ parts, toldParts, codes, faults }: Found, entryCount: number | undefined) => {
  const [told] = toldParts;
  const all = Array.from({ length: Number(told) }, (_, index) => index + 1);
  const inOrder = parts.toSorted((one, other) => one - other);
  return [
    ...faults,
    ...(toldParts.size === 1 ? [] : ['tells of several numbers of parts']),
    ...(isDeepStrictEqual(inOrder, all) ? [] : [`has the parts ${inOrder} and tells of ${told}`]),
    ...(codes.size === entryCount ? [] : [`has ${codes.size} entries of ${entryCount}`]),
  ];
};

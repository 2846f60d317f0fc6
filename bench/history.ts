import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import { openSession } from '../admin/deployment/session.ts';
import { writeChanges } from '../admin/lists/history/write-changes.ts';
import { mapValues } from '../shared/object-keys.ts';
import type { Item } from '../shared/storage/attribute-json.ts';
import { type ListName, listNames, tables } from '../shared/tables.ts';
import { listItem } from './reads.ts';
import { fillTable, startService, watchUnits } from './service.ts';

const ROWS = 40_000;
/** Several times, the history gets the whole list again. */
const WRITES = 52;
/** What DynamoDB adds to an item, and its attributes apart from the packed rows. */
const ITEM_BYTES = 400;

export type HistoryFigures = { readUnits: number; writeUnits: number; storedBytes: number };
export type History = { allRows: HistoryFigures; oneImport: HistoryFigures; oneEdit: HistoryFigures };

const rowOf = (list: ListName, index: number, version: number): Item => {
  const { MaterialCode: code, ...attributes } = listItem(index);
  const { Name, Weight } = listItem(index + version * ROWS);
  return {
    [tables[list].partitionKey]: code ?? { S: '' },
    ...attributes,
    ...(Name && Weight ? { Name, Weight } : {}),
  };
};

/** Changes rows of two lists of 40,000, and counts what their history costs, without the writes of the rows themselves. */
export const measureHistory = async (): Promise<History> => {
  const data = mkdtempSync(join(tmpdir(), 'warehouse-control-bench-'));
  const { where, stop } = await startService(data, ['warehouse']);
  const { deployment } = await openSession(where);
  const { dynamodb } = deployment;
  let [readUnits, writeUnits] = [0, 0];
  watchUnits(dynamodb, (units, { table, isRead }) => {
    if (isRead) readUnits += units;
    else if (table === 'AdminRecords') writeUnits += units;
  });

  const versions = new Map(listNames.map((list) => [list, new Uint32Array(ROWS)]));
  const change = async (list: ListName, from: number, count: number) => {
    const changes = Array.from({ length: count }, (_, offset) => {
      const index = (from + offset) % ROWS;
      const version = versions.get(list)?.[index] ?? 0;
      versions.get(list)?.fill(version + 1, index, index + 1);
      const [before, after] = [rowOf(list, index, version), rowOf(list, index, version + 1)];
      const identifier = before[tables[list].partitionKey]?.S ?? '';
      return { kind: 'changed' as const, identifier, before, after };
    });
    const { signal } = new AbortController();
    const { conflicts } = await writeChanges(list, changes, {
      deployment,
      origin: { kind: 'edit' },
      signal,
      advice: '',
    });
    if (conflicts.length > 0) throw new Error(`${conflicts.length} rows were not written.`);
  };

  const storedBytes = async () => {
    const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, { TableName: 'AdminRecords' }));
    const items = pages.flatMap(({ Items = [] }) => Items);
    return items.reduce((bytes, { Rows }) => bytes + ITEM_BYTES + (Rows?.B?.byteLength ?? 0), 0);
  };

  const measure = async (act: () => Promise<void>) => {
    const before = await storedBytes();
    [readUnits, writeUnits] = [0, 0];
    await act();
    const units = { readUnits, writeUnits };
    return { ...units, storedBytes: (await storedBytes()) - before };
  };

  /** The average of a write of so many rows. */
  const measureWrite = async (rows: number) => {
    const all = await measure(async () => {
      for (let write = 0; write < WRITES; write += 1) await change('MaterialCodes', write * rows, rows);
    });
    return mapValues(all, (name) => all[name] / WRITES);
  };

  try {
    for (const list of listNames) {
      const rows = Array.from({ length: ROWS }, (_, index) => rowOf(list, index, 0));
      await fillTable(dynamodb, list, rows);
    }
    const allRows = await measure(async () => {
      for (const list of listNames) await change(list, 0, ROWS);
    });
    return { allRows, oneImport: await measureWrite(2_000), oneEdit: await measureWrite(100) };
  } finally {
    await stop();
    rmSync(data, { recursive: true });
  }
};
